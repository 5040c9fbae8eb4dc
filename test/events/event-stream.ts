/** A client of the live feed that collects what it receives. */
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { waitUntil } from '../support/wait-until.ts'

export interface ReceivedEvent {
  readonly id: number
  readonly name: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface TestStream {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** All events so far. */
  readonly events: readonly ReceivedEvent[]
  /** Everything received, as it was sent. */
  readonly text: string
  /** The last id, also of blocks without an event. */
  readonly lastId: number
  readonly isEnded: boolean
  /** Resolves when an event satisfies the condition; with the first that does. */
  until(condition: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent>
  ended(): Promise<void>
  /** Stops reading, so that what is sent has to wait. */
  pause(): void
  /** Reads again. */
  resume(): void
  close(): void
}

/** Connects, and resolves when the stream has begun, or with the status of a refusal. */
export async function openTestStream(
  base: string,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<TestStream> {
  const sent = request(`${base}/api/events${query}`, {
    headers: { accept: 'text/event-stream', ...headers },
    agent: false,
  })
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  sent.on('response', resolve).on('error', reject).end()
  const response = await promise
  let text = ''
  let isEnded = false
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    text += chunk
  })
  response.on('error', () => {})
  response.on('close', () => {
    isEnded = true
  })
  const stream: TestStream = {
    status: response.statusCode ?? 0,
    headers: response.headers,
    get events() {
      return eventsIn(text)
    },
    get text() {
      return text
    },
    get lastId() {
      return Number([...text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? 0)
    },
    get isEnded() {
      return isEnded
    },
    async until(condition) {
      await waitUntil(() => stream.events.some(condition))
      const found = stream.events.find(condition)
      if (!found) throw new Error('The event is gone')
      return found
    },
    ended: () => waitUntil(() => isEnded),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void sent.destroy(),
  }
  if (stream.status === 200) await waitUntil(() => /^id: /m.test(text) || isEnded)
  else await stream.ended()
  return stream
}

function eventsIn(text: string): ReceivedEvent[] {
  return text.split('\n\n').flatMap((block) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
    const data = field('data')
    return data === undefined
      ? []
      : [{ id: Number(field('id')), name: field('event') ?? '', data: JSON.parse(data) }]
  })
}
