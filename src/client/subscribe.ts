/** Follows the live feed of a server. Uses `fetch` instead of EventSource, which cannot send a credential. */
import { errorOf, OctavoError } from './error.ts'
import { queryString } from './query-string.ts'
import { type CallOptions, type ClientOptions, type Credentials, parsedOrNull } from './requests.ts'

export type ChangeName =
  | 'document.create'
  | 'document.update'
  | 'document.publish'
  | 'document.unpublish'
  | 'document.discard'
  | 'document.delete'
  | 'file.upload'
  | 'file.update'
  | 'file.delete'

/** A change of content. */
export interface ContentEvent<Document = unknown> {
  readonly seq: number
  readonly event: ChangeName
  readonly at: string
  /** uid of the content-type. */
  readonly type: string
  readonly documentId: string
  readonly locale: string | null
  /** `user`, `token`, `public` or `system`; the id only if the caller may know it. */
  readonly by: { readonly kind: string; readonly id?: string }
  /** With `include: 'document'`: the document, or null if it no longer exists. */
  readonly document?: Document | null
}

/** Events were missed: everything that was derived from earlier events must be read again. */
export interface ResetEvent {
  readonly seq: number
  readonly event: 'reset'
}

export interface SubscribeOptions<Name extends string = string> extends CallOptions {
  /** Names of content-types as in their routes, or uids. */
  readonly types?: readonly Name[]
  readonly documentIds?: readonly string[]
  readonly actions?: readonly (
    | 'create'
    | 'update'
    | 'publish'
    | 'unpublish'
    | 'discard'
    | 'delete'
    | 'upload'
  )[]
  /** Adds the document to each event. */
  readonly include?: 'document'
  /** Continues after the event with this `seq`. */
  readonly after?: number
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
const TOO_MANY = 429

/**
 * The events from now on. A broken connection is opened again, and continues where it broke off; a session that has
 * expired is renewed. Ends when the signal is aborted or the loop is left; throws an OctavoError when the server refuses
 * the request.
 */
export async function* subscribe<Document>(
  { url, fetch: send = fetch }: ClientOptions,
  credentials: Credentials,
  { signal, after, types, documentIds, actions, include }: SubscribeOptions,
): AsyncGenerator<ContentEvent<Document> | ResetEvent> {
  const parameters = {
    ...{ types: types?.join(), documentIds: documentIds?.join(), actions: actions?.join() },
    include,
  }
  const address = `${url.replace(/\/+$/, '')}/api/events${queryString(parameters)}`
  let last = after === undefined ? null : String(after)
  let pause = FIRST_PAUSE_MS
  let isRenewed = false
  while (!signal?.aborted) {
    // Not AbortSignal.any, which Node 18 does not have.
    const leaving = new AbortController()
    const leave = () => leaving.abort(signal?.reason)
    signal?.addEventListener('abort', leave)
    try {
      const credential = await credentials.credential()
      const response = await send(address, {
        headers: {
          accept: 'text/event-stream',
          ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
          ...(last !== null && { 'last-event-id': last }),
        },
        signal: leaving.signal,
      })
      if (response.status === 401 && !isRenewed && (await credentials.refresh())) {
        isRenewed = true
        continue
      }
      if (!response.ok || !response.body) throw errorOf(response.status, parsedOrNull(await response.text()))
      isRenewed = false
      for await (const { id, data } of blocksOf(response.body)) {
        pause = FIRST_PAUSE_MS
        last = id ?? last
        if (data !== null) yield JSON.parse(data)
      }
    } catch (error) {
      if (signal?.aborted) return
      // A client error stays one, except for too many requests or streams; everything else may pass.
      if (error instanceof OctavoError && error.status < 500 && error.status !== TOO_MANY) throw error
    } finally {
      signal?.removeEventListener('abort', leave)
      leaving.abort()
    }
    await pauseFor(pause, signal)
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  }
}

interface Block {
  readonly id: string | null
  readonly data: string | null
}

/** The blocks of a stream of server-sent events. */
async function* blocksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Block> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) yield { id: fieldOf(block, 'id'), data: fieldOf(block, 'data') }
  }
}

function fieldOf(block: string, name: string): string | null {
  const line = block.split('\n').find((one) => one.startsWith(`${name}: `))
  return line === undefined ? null : line.slice(name.length + 2)
}

const pauseFor = (milliseconds: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve) => {
    const stop = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    const timer = setTimeout(stop, milliseconds)
    signal?.addEventListener('abort', stop)
  })
