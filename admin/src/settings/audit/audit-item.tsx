/** A record of the audit log: one line that opens to its details. */
import { useState } from 'react'
import type { AuditRecord } from '../../api/settings/audit.ts'
import { formatInstant } from '../../content/dates.ts'
import { DocumentLink } from '../../content/document-link.tsx'
import { useSchema } from '../../shell/me.tsx'
import { auditTexts } from '../../texts/settings/audit.ts'
import { texts } from '../../texts.ts'
import styles from './audit.module.css'

export function AuditItem({ record }: { readonly record: AuditRecord }) {
  const [isOpen, setIsOpen] = useState(false)
  const { at, action, by } = record
  return (
    <li className={styles.record}>
      <button
        type="button"
        className={styles.summary}
        aria-expanded={isOpen}
        onClick={() => setIsOpen((open) => !open)}
      >
        <time className={styles.time} dateTime={at}>
          {formatInstant(at)}
        </time>
        <span className={styles.by}>{texts.author(by.kind, by.name)}</span>
        <span className={styles.action}>{action}</span>
        <span className={styles.what}>
          <Subject record={record} />
        </span>
      </button>
      {isOpen && <Details record={record} />}
    </li>
  )
}

/** What it was done to, in a few words. */
function Subject({ record: { type, fields, details } }: { readonly record: AuditRecord }) {
  const schema = useSchema()
  const name = details?.name ?? details?.email ?? details?.identifier
  return [
    type !== null && (schema.types.get(type)?.displayName ?? nameIn(type)),
    typeof name === 'string' && name,
    fields.length > 0 && fields.join(', '),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** The end of a uid, such as `user`, of types that have no screen of their own. */
const nameIn = (uid: string) => uid.split('.').at(-1) ?? uid

function Details({ record }: { readonly record: AuditRecord }) {
  const { type, documentId, locale, fields, details, address, userAgent, requestId, seq, hash } = record
  const facts = [
    [auditTexts.fields, fields.join(', ')],
    ...Object.entries(details ?? {}).map(([name, value]) => [name, valueText(value)]),
    [auditTexts.address, address],
    [auditTexts.userAgent, userAgent],
    [auditTexts.requestId, requestId],
    [auditTexts.number, String(seq)],
    [auditTexts.hash, hash],
  ].filter(([, value]) => value !== null && value !== '')
  return (
    <dl className={styles.details}>
      {documentId !== null && type !== null && (
        <div>
          <dt>{auditTexts.document}</dt>
          <dd>
            <DocumentLink type={type} documentId={documentId} locale={locale}>
              {documentId}
            </DocumentLink>
            {locale !== null && ` (${locale})`}
          </dd>
        </div>
      )}
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const valueText = (value: unknown) =>
  value === null ? texts.none : typeof value === 'string' ? value : JSON.stringify(value)
