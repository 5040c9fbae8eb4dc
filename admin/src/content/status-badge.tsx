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

/** How something stands that is not a document, in the colours of the statuses. */
export function StateBadge({
  tone,
  children,
}: {
  readonly tone: Status | 'failed'
  readonly children: string
}) {
  return (
    <span className={styles.badge} data-status={tone}>
      {children}
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
