/** Who else has the document open. */
import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { endPresence, type Presence, reportPresence } from '../../../api/content/content.ts'
import { isEqual } from '../../../form/equal.ts'
import { texts } from '../../../texts.ts'
import type { Editor } from '../use-editor.ts'
import styles from './presence.module.css'

const POLL_MS = 20_000

export function usePresence({ address, store, version }: Editor): readonly Presence[] {
  const [others, setOthers] = useState<readonly Presence[]>([])
  const isShared = version !== null && address.documentId !== null
  useEffect(() => {
    if (!isShared) return
    let isOpen = true
    const poll = () =>
      // Presence is a courtesy: without it, saving still detects conflicts.
      reportPresence(address, store.status().isDirty).then(
        (present) => isOpen && setOthers((before) => (isEqual(before, present) ? before : present)),
        () => {},
      )
    void poll()
    const timer = setInterval(() => void poll(), POLL_MS)
    let wasEditing = store.status().isDirty
    const stop = store.subscribeToStatus(() => {
      const { isDirty } = store.status()
      if (isDirty !== wasEditing) void poll()
      wasEditing = isDirty
    })
    return () => {
      isOpen = false
      clearInterval(timer)
      stop()
      endPresence(address).catch(() => {})
    }
  }, [isShared, address, store])
  return others
}

export function PresentPeople({ others }: { readonly others: readonly Presence[] }) {
  return (
    <span className={styles.presence}>
      {others.map(({ user, editing }) => {
        const text = editing ? texts.edit.alsoEditing(user.name) : texts.edit.alsoHere(user.name)
        return (
          <Tooltip key={user.id} label={text}>
            <span className={styles.person} role="img" data-editing={editing} aria-label={text}>
              {user.name.slice(0, 1).toUpperCase()}
            </span>
          </Tooltip>
        )
      })}
    </span>
  )
}
