/** Documents that were changed lately, the newest first. */
import type { RecentDocument } from '../../api/content/home.ts'
import { formatInstant, timeAgo } from '../../content/dates.ts'
import { DocumentLink } from '../../content/document-link.tsx'
import { StatusBadge } from '../../content/status-badge.tsx'
import { homeTexts } from '../../texts/home.ts'
import { texts } from '../../texts.ts'
import { useMe, useSchema } from '../me.tsx'
import styles from './home.module.css'

interface RecentListProps {
  readonly items: readonly RecentDocument[]
  readonly empty: string
  /** Whether the person changed them, which then need not be said. */
  readonly isOwn?: boolean
}

export function RecentList({ items, empty, isOwn = false }: RecentListProps) {
  if (items.length === 0) return <p className={styles.empty}>{empty}</p>
  return (
    <ul className={styles.list}>
      {items.map((item) => (
        <li key={`${item.type} ${item.documentId} ${item.locale}`}>
          <DocumentLink
            type={item.type}
            documentId={item.documentId}
            locale={item.locale}
            className={styles.item}
          >
            <span className={styles.name} dir="auto">
              {item.title ?? texts.list.untitled}
            </span>
            <About item={item} isOwn={isOwn} />
            {item.status !== null && <StatusBadge status={item.status} />}
          </DocumentLink>
        </li>
      ))}
    </ul>
  )
}

function About({ item, isOwn }: { readonly item: RecentDocument; readonly isOwn: boolean }) {
  const { locales, user } = useMe()
  const type = useSchema().types.get(item.type)
  const parts = [
    type?.displayName,
    item.locale !== null && item.locale !== locales.default && item.locale,
    isOwn ? timeAgo(item.at) : `${changeOf(item, user.documentId)} ${timeAgo(item.at)}`,
  ]
  return (
    <span className={styles.about} title={formatInstant(item.at)}>
      {parts.filter(Boolean).join(' · ')}
    </span>
  )
}

const isChange = (action: string): action is keyof typeof homeTexts.changed => action in homeTexts.changed

function changeOf({ action, by }: RecentDocument, me: string): string {
  const who = by.kind === 'user' && by.id === me ? homeTexts.you : texts.author(by.kind, by.name)
  return isChange(action) ? homeTexts.changed[action](who) : who
}
