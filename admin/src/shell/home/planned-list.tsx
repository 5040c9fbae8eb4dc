/** What happens next, in the order of its times. */
import { Link } from '@tanstack/react-router'
import type { Planned } from '../../api/content/home.ts'
import { formatInstant } from '../../content/dates.ts'
import { DocumentLink } from '../../content/document-link.tsx'
import { homeTexts } from '../../texts/home.ts'
import { releaseTexts } from '../../texts/releases.ts'
import { texts } from '../../texts.ts'
import { useMe } from '../me.tsx'
import styles from './home.module.css'

export function PlannedList({ items }: { readonly items: readonly Planned[] }) {
  if (items.length === 0) return <p className={styles.empty}>{homeTexts.nothingPlanned}</p>
  return (
    <ul className={styles.list}>
      {items.map((item) => (
        <li
          key={
            item.kind === 'release'
              ? `release ${item.id}`
              : `${item.type} ${item.documentId} ${item.locale} ${item.action}`
          }
        >
          <PlannedItem item={item} />
        </li>
      ))}
    </ul>
  )
}

function PlannedItem({ item }: { readonly item: Planned }) {
  const { locales } = useMe()
  const when = <span className={styles.when}>{formatInstant(item.at)}</span>
  if (item.kind === 'release')
    return (
      <Link to="/releases/$id" params={{ id: String(item.id) }} className={styles.item}>
        <span className={styles.name} dir="auto">
          {item.name}
        </span>
        <span className={styles.about}>{homeTexts.release(releaseTexts.documents(item.entryCount))}</span>
        {when}
      </Link>
    )
  const { type, documentId, locale, action, title } = item
  return (
    <DocumentLink type={type} documentId={documentId} locale={locale} className={styles.item}>
      <span className={styles.name} dir="auto">
        {title ?? texts.list.untitled}
      </span>
      <span className={styles.about}>
        {[homeTexts[action], locale !== null && locale !== locales.default && locale]
          .filter(Boolean)
          .join(' · ')}
      </span>
      {when}
    </DocumentLink>
  )
}
