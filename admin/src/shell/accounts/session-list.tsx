/** Open sessions of a person, each with where it is used from, and ending it. */
import { Button } from '@mantine/core'
import type { OpenSession } from '../../api/types.ts'
import { timeAgo } from '../../content/dates.ts'
import { texts } from '../../texts.ts'
import styles from './accounts.module.css'
import { browserName } from './browser-name.ts'

interface SessionListProps {
  readonly sessions: readonly (Omit<OpenSession, 'current'> & { readonly current?: boolean })[]
  readonly onEnd: (id: OpenSession['id']) => void
}

export function SessionList({ sessions, onEnd }: SessionListProps) {
  return (
    <ul className={styles.sessions}>
      {sessions.map(({ id, current = false, address, userAgent, lastUsedAt }) => {
        const name = browserName(userAgent)
        return (
          <li key={id}>
            <div>
              {[name, address, current && texts.account.thisSession].filter(Boolean).join(' · ')}
              <div className={styles.text}>{texts.account.lastUsed(timeAgo(lastUsedAt))}</div>
            </div>
            {!current && (
              <Button
                size="xs"
                variant="default"
                onClick={() => onEnd(id)}
                aria-label={texts.account.endSessionOf(name)}
              >
                {texts.account.endSession}
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
