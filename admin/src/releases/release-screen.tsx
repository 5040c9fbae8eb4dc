/** One release: its documents, whether each of them can be published, and publishing it. */
import { Button } from '@mantine/core'
import { IconArrowLeft, IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type OpenedReleaseResponse,
  RELEASES_KEY,
  releaseQuery,
  releasesQuery,
} from '../api/content/releases.ts'
import { ApiError } from '../api/request.ts'
import { formatInstant, timeAgo } from '../content/dates.ts'
import screen from '../parts/screen.module.css'
import { Loading, Message, NotFound, ScreenError } from '../shell/states.tsx'
import { releaseTexts } from '../texts/releases.ts'
import { texts } from '../texts.ts'
import { AddDocumentsDialog } from './add-documents-dialog.tsx'
import { ReleaseActions } from './release-actions.tsx'
import { ReleaseEntries } from './release-entries.tsx'
import { isUnpublished, ReleaseStateBadge } from './release-state.tsx'
import styles from './releases.module.css'

export function ReleaseScreen() {
  const { id: text } = useParams({ from: '/signed-in/releases/$id' })
  const id = Number(text)
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery({
    ...releaseQuery(id),
    enabled: Number.isSafeInteger(id) && id > 0,
  })
  if (error instanceof ApiError && error.status === 404) return <NotFound />
  if (error && !data) return <ScreenError error={error} reset={() => void refetch()} />
  if (!Number.isSafeInteger(id) || id <= 0) return <NotFound />
  if (!data) return <Loading />
  /** Shows what the server responded with, and what it means for other screens. */
  const show = (response: OpenedReleaseResponse) => {
    queryClient.setQueryData(releaseQuery(id).queryKey, response)
    void queryClient.invalidateQueries({ queryKey: releasesQuery.queryKey })
    void queryClient.invalidateQueries({ queryKey: [...RELEASES_KEY, 'period'] })
  }
  return <Opened response={data} onChange={show} />
}

interface OpenedProps {
  readonly response: OpenedReleaseResponse
  readonly onChange: (response: OpenedReleaseResponse) => void
}

function Opened({ response, onChange }: OpenedProps) {
  const { data: release, meta } = response
  const [isAdding, setIsAdding] = useState(false)
  const isChangeable = isUnpublished(release) && meta.mayChange
  return (
    <div className={styles.screen}>
      <Link to="/releases" className={screen.back}>
        <IconArrowLeft size={14} stroke={1.5} aria-hidden />
        {releaseTexts.back}
      </Link>
      <header className={styles.header}>
        <div className={styles.heading}>
          <h1 className={styles.title} dir="auto">
            {release.name}
          </h1>
          <ul className={styles.facts}>
            <li>
              <ReleaseStateBadge state={release.state} />
            </li>
            {factsOf(response).map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
        </div>
        <ReleaseActions response={response} onChange={onChange} />
      </header>
      <Notices response={response} />
      <div className={styles.tools}>
        <h2>{releaseTexts.documents(release.entryCount)}</h2>
        {isChangeable && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} stroke={1.75} />}
            onClick={() => setIsAdding(true)}
          >
            {releaseTexts.addDocuments}
          </Button>
        )}
      </div>
      {release.entries.length === 0 && meta.omitted === 0 ? (
        <Message title={releaseTexts.noEntries}>{releaseTexts.noEntriesHint}</Message>
      ) : (
        <ReleaseEntries release={release} isChangeable={isChangeable} onChange={onChange} />
      )}
      {meta.omitted > 0 && <p className={styles.text}>{releaseTexts.omitted(meta.omitted)}</p>}
      <AddDocumentsDialog
        isOpen={isAdding}
        onClose={() => setIsAdding(false)}
        release={release}
        onChange={onChange}
      />
    </div>
  )
}

function factsOf({ data }: OpenedReleaseResponse): readonly string[] {
  const { createdAt, createdBy, publishAt, scheduledBy, publishedAt, publishedBy } = data
  const nameOf = (author: typeof scheduledBy) => (author ? texts.author(author.kind, author.name) : '')
  return [
    ...(publishAt === null
      ? []
      : [releaseTexts.scheduledLine(nameOf(scheduledBy), formatInstant(publishAt))]),
    ...(publishedAt === null
      ? []
      : [releaseTexts.publishedLine(nameOf(publishedBy), formatInstant(publishedAt))]),
    releaseTexts.createdLine(nameOf(createdBy), timeAgo(createdAt)),
  ]
}

/** What to know before it is published. */
function Notices({ response: { data: release, meta } }: Pick<OpenedProps, 'response'>) {
  if (!isUnpublished(release)) return null
  const invalid = release.entries.filter(({ valid }) => !valid).length
  return (
    <>
      {!meta.mayChange && <p className={styles.notice}>{releaseTexts.mayNotChange}</p>}
      {release.error !== null && (
        <p className={styles.notice} data-tone="danger">
          {releaseTexts.failedLine} {release.error}
        </p>
      )}
      {invalid > 0 && (
        <p className={styles.notice} data-tone="danger" role="status">
          {releaseTexts.someInvalid(invalid)}
        </p>
      )}
      {release.valid && (
        <p className={styles.notice} data-tone="good" role="status">
          {releaseTexts.allValid(release.entryCount)}
        </p>
      )}
    </>
  )
}
