/**
 * A project's own code around document actions. What runs before a write may change what is written or refuse it by
 * throwing; what runs after it runs when the write is durable, and cannot undo it.
 */
import { checkInput } from '../../model/check-input.ts'
import type { Scope } from '../../query/scope.ts'
import type { Documents, Later } from '../contract.ts'
import { type DocumentAction, documentsAround } from './wrap-documents.ts'

/** What a hook is told. */
export interface DocumentEvent {
  /** uid of the content-type. */
  readonly type: string
  readonly action: DocumentAction
  /** Null before a create, and before the first write of a single type. */
  readonly documentId: string | null
  /** The `data` of the body; undefined for actions that have none. */
  readonly data: unknown
  readonly status: 'draft' | 'published'
  readonly locale: string | null
  readonly scope: Scope
}

/** Whatever a create or update hook returns takes the place of `data`; undefined leaves it. */
export type BeforeHook = (event: DocumentEvent) => unknown
export type AfterHook = (event: DocumentEvent) => unknown

/** Hooks of one content-type, or of all of them under the name `*`. */
export interface DocumentHooks {
  readonly before?: Readonly<Partial<Record<DocumentAction, BeforeHook>>>
  readonly after?: Readonly<Partial<Record<DocumentAction, AfterHook>>>
}

export type HooksByType = Readonly<Record<string, DocumentHooks>>

const AT_ONCE: Later = (work) => work()

/** The same documents with hooks around their actions. A failing after-hook is handed to `failed`. */
export function withHooks(
  documents: Documents,
  hooks: HooksByType,
  failed: (error: unknown) => void,
): Documents {
  const listening = (type: string) => [hooks['*'], hooks[type]].filter((one) => one !== undefined)

  async function before(event: DocumentEvent): Promise<unknown> {
    const hooks = listening(event.type).filter(({ before }) => before?.[event.action])
    let { data } = event
    for (const { before } of hooks) {
      const changed = await before?.[event.action]?.({ ...event, data })
      if (changed !== undefined) data = changed
    }
    // A hook may as well have changed what it was given.
    if (hooks.length > 0) checkInput(data, 'What a hook has made of the data')
    return data
  }

  async function after(event: DocumentEvent): Promise<void> {
    for (const { after } of listening(event.type)) {
      try {
        await after?.[event.action]?.(event)
      } catch (error) {
        failed(error)
      }
    }
  }

  function hooked(inner: Documents, later: Later): Documents {
    return documentsAround(
      async ({ action, target, documentId: named, data: sent }, answer, make) => {
        const { type, status, locale, scope } = target
        const event = { type: type.uid, action, documentId: named, data: sent, status, locale, scope }
        const data = await before(event)
        let documentId = named
        const result = await make(inner, { target, data }, (transaction, written) => {
          documentId = written.documentId
          return answer(transaction, written)
        })
        await later(() => after({ ...event, data, documentId }))
        return result
      },
      (transaction, whenDurable) => hooked(inner.within(transaction, whenDurable), whenDurable),
    )
  }

  return hooked(documents, AT_ONCE)
}
