/** The start page: what changed lately, and what waits to be published. */
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { nameOf } from '../api/content.ts'
import { queryString } from '../api/query-string.ts'
import { request } from '../api/request.ts'
import type { ContentDocument, ContentTypeView, Page } from '../api/types.ts'
import { timeAgo } from '../content/dates.ts'
import { StatusBadge } from '../content/status-badge.tsx'
import { titleOf } from '../content/title.ts'
import { texts } from '../texts.ts'
import styles from './home-screen.module.css'
import { useMe } from './me.tsx'
import { Message } from './states.tsx'

const PER_TYPE = 6
const SHOWN = 8

interface Recent {
  readonly type: ContentTypeView
  readonly document: ContentDocument
}

const recentQuery = (type: ContentTypeView) => ({
  queryKey: ['recent', type.uid],
  queryFn: () =>
    request<Page>(`/content/${type.path}`, {
      query: queryString({
        sort: ['updatedAt:desc'],
        fields: [
          type.attributes.some(({ name }) => name === type.view.mainField)
            ? type.view.mainField
            : 'documentId',
          'updatedAt',
        ],
        pagination: { pageSize: PER_TYPE, withCount: false },
      }),
    }),
})

export function HomeScreen() {
  const { user, contentTypes } = useMe()
  const types = contentTypes.filter(({ actions, kind }) => actions.find && kind === 'collection')
  const recent = useQueries({
    queries: types.map(recentQuery),
    combine: (results) =>
      results
        .flatMap(({ data }, index): Recent[] => {
          const type = types[index]
          return type ? (data?.data ?? []).map((document) => ({ type, document })) : []
        })
        .toSorted((one, other) =>
          (other.document.updatedAt ?? '').localeCompare(one.document.updatedAt ?? ''),
        ),
  })
  if (contentTypes.length === 0) return <FirstSteps />
  const waiting = recent.filter(
    ({ type, document }) => type.draftAndPublish && document.__meta?.status !== 'published',
  )
  return (
    <div className={styles.screen}>
      <h1 className={styles.greeting}>{texts.home.greeting(user.username)}</h1>
      <div className={styles.columns}>
        <RecentList
          title={texts.home.recent}
          items={recent.slice(0, SHOWN)}
          empty={texts.home.nothingRecent}
        />
        <RecentList
          title={texts.home.unpublished}
          items={waiting.slice(0, SHOWN)}
          empty={texts.home.nothingUnpublished}
        />
      </div>
    </div>
  )
}

interface RecentListProps {
  readonly title: string
  readonly items: readonly Recent[]
  readonly empty: string
}

function RecentList({ title, items, empty }: RecentListProps) {
  return (
    <section>
      <h2 className={styles.title}>{title}</h2>
      {items.length === 0 && <p className={styles.empty}>{empty}</p>}
      <ul className={styles.list}>
        {items.map(({ type, document }) => (
          <li key={document.documentId}>
            <Link
              to="/content/$type/$documentId"
              params={{ type: type.path, documentId: document.documentId }}
              className={styles.item}
            >
              <span className={styles.name}>{titleOf(type, document)}</span>
              <span className={styles.about}>
                {[type.displayName, document.updatedAt && timeAgo(document.updatedAt), editorOf(document)]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              {type.draftAndPublish && document.__meta && <StatusBadge status={document.__meta.status} />}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

const editorOf = ({ __meta: meta }: ContentDocument) => meta?.updatedBy && nameOf(meta.updatedBy)

function FirstSteps() {
  return (
    <Message title={texts.home.first}>
      {texts.home.steps.map((step, index) => (
        <span key={step} className={styles.step}>
          {index + 1}. {step}
        </span>
      ))}
    </Message>
  )
}
