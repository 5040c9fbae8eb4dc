/** The releases that are to be published, and below them those that were. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Release, releasesQuery } from '../api/content/releases.ts'
import { formatInstant, timeAgo } from '../content/dates.ts'
import { Cell, Table } from '../parts/table.tsx'
import { Loading, Message, ScreenError } from '../shell/states.tsx'
import { releaseTexts } from '../texts/releases.ts'
import { texts } from '../texts.ts'
import { isUnpublished, ReleaseStateBadge } from './release-state.tsx'
import styles from './releases.module.css'

export function ReleaseList({ onCreate }: { readonly onCreate: () => void }) {
  const { data, error, refetch } = useQuery(releasesQuery)
  if (error && !data) return <ScreenError error={error} reset={() => void refetch()} />
  if (!data) return <Loading />
  if (data.length === 0)
    return (
      <Message
        title={releaseTexts.empty}
        action={
          <Button variant="default" onClick={onCreate}>
            {releaseTexts.create}
          </Button>
        }
      >
        {releaseTexts.emptyHint}
      </Message>
    )
  return (
    <>
      <Group name={releaseTexts.planned} releases={data.filter(isUnpublished)} />
      <Group name={releaseTexts.done} releases={data.filter((release) => !isUnpublished(release))} />
    </>
  )
}

interface GroupProps {
  readonly name: string
  readonly releases: readonly Release[]
}

function Group({ name, releases }: GroupProps) {
  const { columns } = releaseTexts
  if (releases.length === 0) return null
  return (
    <section className={styles.group}>
      <h2 className={styles.groupName}>{name}</h2>
      <Table
        label={name}
        columns={[
          { label: columns.name, width: '44%' },
          { label: columns.state, width: '14%' },
          { label: columns.when, width: '18%' },
          { label: columns.documents, isSecondary: true, width: '12%' },
          { label: columns.by, isSecondary: true },
        ]}
      >
        {releases.map((release) => (
          <Row key={release.id} release={release} />
        ))}
      </Table>
    </section>
  )
}

function Row({ release }: { readonly release: Release }) {
  const { id, name, state, publishAt, publishedAt, entryCount, createdBy } = release
  const when = publishAt ?? publishedAt
  return (
    <tr>
      <Cell>
        <Link to="/releases/$id" params={{ id: String(id) }} className={styles.name} dir="auto">
          {name}
        </Link>
      </Cell>
      <Cell isShort>
        <ReleaseStateBadge state={state} />
      </Cell>
      <Cell isMuted>
        {when !== null && (
          <time dateTime={when} title={formatInstant(when)}>
            {publishAt === null ? timeAgo(when) : formatInstant(when)}
          </time>
        )}
      </Cell>
      <Cell isSecondary isShort isMuted>
        {entryCount.toLocaleString('en')}
      </Cell>
      <Cell isSecondary isMuted>
        {texts.author(createdBy.kind, createdBy.name)}
      </Cell>
    </tr>
  )
}
