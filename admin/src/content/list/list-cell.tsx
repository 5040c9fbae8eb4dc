/** One value in a list. */
import { nameOf } from '../../api/content/content.ts'
import type { ContentDocument } from '../../api/types.ts'
import { fieldType } from '../../fields/index.ts'
import { useMe } from '../../shell/me.tsx'
import { formatInstant, timeAgo } from '../dates.ts'
import { localesInLine } from '../shown-locales.ts'
import { LocaleBadge, StatusBadge } from '../status-badge.tsx'
import type { Column } from './columns.ts'

interface ListCellProps {
  readonly column: Column
  readonly document: ContentDocument
}

export function ListCell({ column: { name, attribute }, document }: ListCellProps) {
  if (!attribute) return <SystemCell name={name} document={document} />
  const { Cell, summary } = fieldType(attribute.type)
  const value = document[name]
  return Cell ? <Cell value={value} attribute={attribute} /> : summary(value, attribute)
}

function SystemCell({ name, document }: { readonly name: string; readonly document: ContentDocument }) {
  const { __meta: meta } = document
  if (name === 'status') return meta && <StatusBadge status={meta.status} />
  if (name === 'locales') return <Locales document={document} />
  if (name === 'updatedBy' || name === 'createdBy') {
    const person = meta?.[name]
    return person ? nameOf(person) : null
  }
  const value = document[name]
  if (typeof value !== 'string') return null
  return name.endsWith('At') ? (
    <time dateTime={value} title={formatInstant(value)}>
      {timeAgo(value)}
    </time>
  ) : (
    value
  )
}

function Locales({ document: { __meta: meta } }: { readonly document: ContentDocument }) {
  const { locales } = useMe()
  const statuses = meta?.locales ?? {}
  const { shown, more } = localesInLine(locales.codes, statuses)
  return (
    <>
      {shown.map((code) => (
        <span key={code} style={{ marginRight: 10 }}>
          <LocaleBadge locale={code} status={statuses[code] ?? 'missing'} />
        </span>
      ))}
      {more.length > 0 && <span title={more.join(', ')}>+{more.length}</span>}
    </>
  )
}
