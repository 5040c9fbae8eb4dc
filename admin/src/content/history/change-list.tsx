/** What a saved state changed, field by field: texts by word, lists by entry. */
import { useQuery } from '@tanstack/react-query'
import { readDocument } from '../../api/content/content.ts'
import type { StateChange } from '../../api/content/history.ts'
import type { ContentTypeView } from '../../api/types.ts'
import { useSchema } from '../../shell/me.tsx'
import { historyTexts } from '../../texts/content/history.ts'
import { texts } from '../../texts.ts'
import { labelFromName } from '../edit/form/labels.ts'
import styles from './history.module.css'
import { diffWords } from './word-diff.ts'

interface ChangeListProps {
  readonly type: ContentTypeView
  readonly changes: readonly StateChange[]
}

export function ChangeList({ type, changes }: ChangeListProps) {
  if (changes.length === 0) return <p>{historyTexts.noChanges}</p>
  return (
    <dl className={styles.changes}>
      {changes.map((change) => (
        <div key={`${change.kind} ${change.path.join('.')}`}>
          <dt>
            {labelOf(type, isTarget(change.before ?? change.after) ? change.path.slice(0, -1) : change.path)}
          </dt>
          <dd>
            <Change change={change} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Change({ change: { kind, before, after } }: { readonly change: StateChange }) {
  switch (kind) {
    case 'moved':
      return <p>{historyTexts.moved}</p>
    case 'added':
      return <ins dir="auto">{isTarget(after) ? <TargetTitle target={after} /> : textOf(after)}</ins>
    case 'removed':
      return <del dir="auto">{isTarget(before) ? <TargetTitle target={before} /> : textOf(before)}</del>
    case 'changed':
      return <Words before={textOf(before)} after={textOf(after)} />
  }
}

function Words({ before, after }: { readonly before: string; readonly after: string }) {
  const parts = diffWords(before, after)
  let offset = 0
  return (
    <p className={styles.text} dir="auto">
      {parts.map(({ kind, text }) => {
        offset += text.length
        if (kind === 'added') return <ins key={`${offset}+`}>{text}</ins>
        if (kind === 'removed') return <del key={`${offset}-`}>{text}</del>
        return <span key={`${offset}=`}>{text}</span>
      })}
    </p>
  )
}

/** A document that a relation led to. */
interface Target {
  readonly type: string
  readonly documentId: string
}

const isTarget = (value: unknown): value is Target =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  typeof value.type === 'string' &&
  'documentId' in value &&
  typeof value.documentId === 'string'

/** The title that the document has today; its id if it is gone or hidden. */
function TargetTitle({ target: { type: uid, documentId } }: { readonly target: Target }) {
  const type = useSchema().types.get(uid)
  const { data } = useQuery({
    queryKey: ['title', uid, documentId],
    enabled: type !== undefined,
    queryFn: async () => {
      if (!type) return null
      const field = type.view.mainField
      const { document } = await readDocument({ type, documentId, locale: undefined }, undefined)
      return textOf(document[field])
    },
    retry: false,
  })
  return data || documentId
}

/** `address.0.street` becomes "Address › 1 › Street". */
function labelOf({ view }: ContentTypeView, path: readonly string[]): string {
  const [first = '', ...rest] = path
  const label = view.fields.find(({ name }) => name === first)?.label ?? labelFromName(first)
  return [
    label,
    ...rest.map((step) => (/^\d+$/.test(step) ? String(Number(step) + 1) : labelFromName(step))),
  ].join(' › ')
}

/** A value as people read it. Of a document or an entry, the texts in it are enough to recognise it. */
function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join('\n')
  const shown = Object.entries(value).filter(([key]) => !HIDDEN_KEYS.has(key))
  return shown
    .map(([, inner]) => textOf(inner))
    .filter(Boolean)
    .join(' · ')
}

const HIDDEN_KEYS = new Set(['id', 'type', 'format', 'level', '__component', 'documentId'])
