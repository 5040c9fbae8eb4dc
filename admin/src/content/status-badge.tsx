/** The status of a document: a word with a dot in the colour of the status. */
import type { Status } from '../api/types.ts'
import { texts } from '../texts.ts'
import styles from './status-badge.module.css'

export function StatusBadge({ status }: { readonly status: Status | 'missing' }) {
  return (
    <span className={styles.badge} data-status={status}>
      {texts.status[status]}
    </span>
  )
}

/** A locale of a document with its status, in a few characters. */
export function LocaleBadge({
  locale,
  status,
}: {
  readonly locale: string
  readonly status: Status | 'missing'
}) {
  return (
    <span className={styles.badge} data-status={status} title={`${locale}: ${texts.status[status]}`}>
      {locale}
      <span className="visually-hidden">: {texts.status[status]}</span>
    </span>
  )
}
