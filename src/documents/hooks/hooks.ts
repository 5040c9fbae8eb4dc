/**
 * A project's own code around document actions. A before-hook may change what is written, or refuse it by throwing.
 * An after-hook runs when the write is durable and cannot undo it.
 */
import { checkInput } from '../../model/check-input.ts'
import type { Scope } from '../../query/scope.ts'
import type { DocumentAction, Documents } from '../contract.ts'
import { wrapDocuments } from './wrap-documents.ts'

/** The argument of a hook. */
export interface DocumentEvent {
  /** uid of the content-type. */
  readonly type: string
  readonly action: DocumentAction
  /** Null before a create, and before the first write of a single type. */
  readonly documentId: string | null
  /** The `data` of the body; undefined for actions without data. */
  readonly data: unknown
  readonly status: 'draft' | 'published'
  readonly locale: string | null
  readonly scope: Scope
}

/** The result of a create or update hook replaces `data`, unless it is undefined. */
export type BeforeHook = (event: DocumentEvent) => unknown
export type AfterHook = (event: DocumentEvent) => unknown

/** Hooks of one content-type, or of all of them under the name `*`. */
export interface DocumentHooks {
  readonly before?: Readonly<Partial<Record<DocumentAction, BeforeHook>>>
  readonly after?: Readonly<Partial<Record<DocumentAction, AfterHook>>>
}

export type HooksByType = Readonly<Record<string, DocumentHooks>>

/** Runs `work` once the write is durable. */
type WhenDurable = (work: () => Promise<void>) => Promise<void> | void

/** The same documents with hooks around their actions. Errors of after-hooks are passed to `failed`. */
export function withHooks(
  documents: Documents,
  hooks: HooksByType,
  failed: (error: unknown) => void,
): Documents {
  const hooksOf = (type: string) => [hooks['*'], hooks[type]].filter((one) => one !== undefined)

  async function before(event: DocumentEvent): Promise<unknown> {
    const hooks = hooksOf(event.type).filter(({ before }) => before?.[event.action])
    let { data } = event
    for (const { before } of hooks) {
      const changed = await before?.[event.action]?.({ ...event, data })
      if (changed !== undefined) data = changed
    }
    // A hook may also have changed the object it was given.
    if (hooks.length > 0) checkInput(data, 'The data returned by a hook')
    return data
  }

  async function after(event: DocumentEvent): Promise<void> {
    for (const { after } of hooksOf(event.type)) {
      try {
        await after?.[event.action]?.(event)
      } catch (error) {
        failed(error)
      }
    }
  }

  function hooked(inner: Documents, whenDurable: WhenDurable): Documents {
    return wrapDocuments(
      async ({ action, request, documentId: requestedId, data: sent }, readBack, run) => {
        const { type, status, locale, scope } = request
        const event = { type: type.uid, action, documentId: requestedId, data: sent, status, locale, scope }
        const data = await before(event)
        let documentId = requestedId
        const result = await run(inner, { request, data }, (transaction, written) => {
          documentId = written.documentId
          return readBack(transaction, written)
        })
        await whenDurable(() => after({ ...event, data, documentId }))
        return result
      },
      {
        async transaction(work) {
          let pending: (() => Promise<void>)[] = []
          const result = await inner.transaction((transaction, documents) => {
            pending = []
            return work(
              transaction,
              hooked(documents, (call) => void pending.push(call)),
            )
          })
          for (const call of pending) await whenDurable(call)
          return result
        },
        within: (transaction) => hooked(inner.within(transaction), () => undefined),
      },
    )
  }

  return hooked(documents, (call) => call())
}
