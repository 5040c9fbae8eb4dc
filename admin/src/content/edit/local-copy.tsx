/** Keeps unsaved changes in the browser at every pause, and restores them when the document is opened again. */
import { Button } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { deleteLocalCopy, localCopyKey, readLocalCopy, writeLocalCopy } from '../../form/local-copies.ts'
import { useMe } from '../../shell/me.tsx'
import { texts } from '../../texts.ts'
import { timeAgo } from '../dates.ts'
import styles from './document-editor.module.css'
import type { Editor, EditorOptions } from './use-editor.ts'

const PAUSE_MS = 400

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

export function useLocalCopy(editor: Editor, { type, documentId, locale }: EditorOptions): LocalCopyState {
  const { store, current } = editor
  const { user } = useMe()
  const keyNow = () =>
    // A new document gets its id before it is shown with it.
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
      const done =
        unsaved.size === 0
          ? deleteLocalCopy(key)
          : writeLocalCopy(key, current.current?.etag ?? null, unsaved)
      // A browser without storage, as in some private windows, keeps nothing; saving still works.
      done.catch(() => {})
    }
    const keepSoon = () => {
      // What was saved must not come back when the page is left at once.
      if (!store.status().isDirty) return keep()
      clearTimeout(timer)
      timer = setTimeout(keep, PAUSE_MS)
    }
    readLocalCopy(keptAs)
      .then((copy) => {
        if (!isOpen || !copy || store.status().isDirty) return
        store.setAll(new Map(copy.values))
        if (store.status().isDirty)
          setRestored({ savedAt: copy.savedAt, isStale: copy.etag !== (current.current?.etag ?? null) })
      })
      .catch(() => {})
      .finally(() => {
        // Until the form is gone: a save that ends after the document was left must not leave its copy behind.
        if (isOpen) store.subscribeToChanges(keepSoon)
      })
    window.addEventListener('pagehide', keep)
    return () => {
      isOpen = false
      window.removeEventListener('pagehide', keep)
      if (timer !== undefined) keep()
    }
  }, [store, current])

  return useMemo(
    () => ({
      restored,
      discard() {
        store.setAll(new Map([...store.unsaved().keys()].map((path) => [path, store.saved(path)])))
        setRestored(null)
      },
      forget() {
        deleteLocalCopy(keyOf.current()).catch(() => {})
      },
    }),
    [restored, store],
  )
}

export function LocalCopyNotice({ restored, discard }: LocalCopyState) {
  if (!restored) return null
  const when = timeAgo(new Date(restored.savedAt).toISOString())
  return (
    <div className={styles.notice} role="status">
      <span>
        {texts.edit.restored(when)} {restored.isStale && texts.edit.staleRestored}
      </span>
      <Button size="compact-sm" variant="default" onClick={discard}>
        {texts.edit.discardRestored}
      </Button>
    </div>
  )
}
