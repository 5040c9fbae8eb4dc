/** Keeps unsaved changes in the browser at every pause, and restores them when the document is opened again. */
import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../api/request.ts'
import {
  deleteLocalCopy,
  type LocalCopy,
  localCopyKey,
  readLocalCopy,
  savedThen,
  writeLocalCopy,
} from '../../form/local-copies.ts'
import type { Schema } from '../../form/schema.ts'
import { useMe } from '../../shell/me.tsx'
import { texts } from '../../texts.ts'
import { timeAgo } from '../dates.ts'
import styles from './document-editor.module.css'
import { valuesAsNew } from './start-again.ts'
import type { Editor, EditorOptions } from './use-editor.ts'

const PAUSE_MS = 400

/** When the page may be about to end. The last of these alone would leave no time to store anything. */
const LEAVING = ['blur', 'beforeunload', 'pagehide'] as const

interface Restored {
  readonly savedAt: number
  /** Whether the document was changed on the server since. */
  readonly isStale: boolean
}

export interface LocalCopyState {
  readonly restored: Restored | null
  discard(): void
  /** Deletes the copy of a document that no longer exists. */
  forget(): void
}

export function useLocalCopy(
  editor: Editor,
  schema: Schema,
  { type, documentId, locale, isDeleted = false }: EditorOptions,
): LocalCopyState {
  const { store, current, readAgain } = editor
  const { user } = useMe()
  const keyNow = () =>
    // A new document has its id before it opens at its own address.
    localCopyKey(user.id, type.uid, current.current?.document.documentId ?? documentId, locale)
  const keyOf = useRef(keyNow)
  keyOf.current = keyNow
  const [restored, setRestored] = useState<Restored | null>(null)

  useEffect(() => {
    let isOpen = true
    let timer: ReturnType<typeof setTimeout> | undefined
    let keptAs = keyOf.current()
    const keep = () => {
      clearTimeout(timer)
      timer = undefined
      const key = keyOf.current()
      if (key !== keptAs) deleteLocalCopy(keptAs).catch(() => {})
      keptAs = key
      const unsaved = store.unsaved()
      if (unsaved.size === 0) setRestored(null)
      const done =
        unsaved.size === 0
          ? deleteLocalCopy(key)
          : writeLocalCopy(key, current.current?.etag ?? null, unsaved, store.allSaved())
      // A browser without storage, as in some private windows, keeps nothing; saving still works.
      done.catch(() => {})
    }
    const keepSoon = () => {
      // What was saved must not come back when the page is left immediately.
      if (!store.status().isDirty) return keep()
      clearTimeout(timer)
      timer = setTimeout(keep, PAUSE_MS)
    }
    readLocalCopy(keptAs)
      .then((copy) => {
        if (!isOpen || !copy || store.status().isDirty) return
        const kept = new Map([...(isDeleted ? (copy.base ?? []) : []), ...copy.values])
        store.setAll(isDeleted ? valuesAsNew(schema, type.attributes, kept) : kept)
        if (!store.status().isDirty) return
        const isStale = !isDeleted && copy.etag !== (current.current?.etag ?? null)
        if (isStale) continueFrom({ store, current }, copy)
        setRestored({ savedAt: copy.savedAt, isStale })
      })
      .catch(() => {})
      .finally(() => {
        // Until the form is gone: a save that ends after the document was left must not leave its copy behind.
        if (isOpen) store.subscribeToChanges(keepSoon)
      })
    const leave = () => {
      if (timer !== undefined) keep()
    }
    for (const event of LEAVING) window.addEventListener(event, leave)
    return () => {
      isOpen = false
      for (const event of LEAVING) window.removeEventListener(event, leave)
      if (timer !== undefined) keep()
    }
  }, [store, current, schema, type, isDeleted])

  return {
    restored,
    discard() {
      if (restored?.isStale)
        return void readAgain().then(
          () => setRestored(null),
          (error: unknown) => notifications.show({ color: 'red', message: messageOf(error) }),
        )
      store.setAll(new Map([...store.unsaved().keys()].map((path) => [path, store.saved(path)])))
      setRestored(null)
    },
    forget() {
      deleteLocalCopy(keyOf.current()).catch(() => {})
    },
  }
}

/** Goes on from the version that was changed, so that saving compares it with what others have saved since. */
function continueFrom({ store, current }: Pick<Editor, 'store' | 'current'>, copy: LocalCopy): void {
  const saved = savedThen(store.allSaved(), copy)
  if (!saved || !current.current || copy.etag === null) return
  store.rebase(saved, new Map(copy.values))
  current.current = { ...current.current, etag: copy.etag }
}

interface LocalCopyNoticeProps extends LocalCopyState {
  readonly isDeleted: boolean
}

export function LocalCopyNotice({ restored, discard, isDeleted }: LocalCopyNoticeProps) {
  if (!restored) return null
  const when = timeAgo(new Date(restored.savedAt).toISOString())
  return (
    <div className={styles.notice} role="status">
      <span>
        {texts.edit.restored(when)} {restored.isStale && texts.edit.staleRestored}
        {isDeleted && texts.gone.restored}
      </span>
      <Button size="compact-sm" variant="default" onClick={discard}>
        {texts.edit.discardRestored}
      </Button>
    </div>
  )
}
