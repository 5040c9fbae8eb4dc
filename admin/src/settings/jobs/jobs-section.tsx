/** Background jobs: what waits, what is tried again, and what was given up. */
import { Button, Group, SegmentedControl } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf } from '../../api/request.ts'
import { deleteJob, JOBS_KEY, type Job, type JobState, jobsQuery, retryJob } from '../../api/settings/jobs.ts'
import { formatInstant, timeAgo } from '../../content/dates.ts'
import { StateBadge } from '../../content/status-badge.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Cell, Table } from '../../parts/table.tsx'
import { useMe } from '../../shell/me.tsx'
import { Loading, Message, NotFound, ScreenError } from '../../shell/states.tsx'
import { jobTexts } from '../../texts/settings/jobs.ts'
import { SectionPage } from '../section-page.tsx'
import styles from './jobs.module.css'

const STATES = ['waiting', 'running', 'retrying', 'failed'] as const

const TONES = {
  waiting: 'draft',
  running: 'published',
  retrying: 'modified',
  failed: 'failed',
} as const satisfies Record<JobState, string>

export function JobsSection() {
  const { permissions } = useMe()
  const [state, setState] = useState<JobState | null>(null)
  const { data, error, refetch } = useQuery({
    ...jobsQuery(state),
    placeholderData: (previous) => previous,
  })
  if (!permissions.admin) return <NotFound />
  if (error && !data) return <ScreenError error={error} reset={() => void refetch()} />
  const countOf = (wanted: JobState) =>
    (data?.meta.counts ?? []).reduce((sum, one) => sum + (one.state === wanted ? one.count : 0), 0)
  return (
    <SectionPage title={jobTexts.title} text={jobTexts.text}>
      <div className={styles.states}>
        <SegmentedControl
          size="xs"
          aria-label={jobTexts.state}
          data={[
            { value: 'all', label: jobTexts.states.all },
            ...STATES.map((value) => ({
              value,
              label: jobTexts.withCount(jobTexts.states[value], countOf(value)),
            })),
          ]}
          value={state ?? 'all'}
          onChange={(value) => setState(STATES.find((one) => one === value) ?? null)}
        />
      </div>
      {!data ? <Loading /> : <JobTable jobs={data.data} />}
    </SectionPage>
  )
}

/** The work that a server repeats, which would only be missing until its next start. */
const isRepeating = ({ kind }: Job) => /\.(retention|maintenance|backlog)$/.test(kind)

/** What the job is about, with a link where there is a screen for it. */
function JobSubject({ job: { kind, key } }: { readonly job: Job }) {
  if (key === null) return null
  if (kind === 'releases')
    return (
      <Link to="/releases/$id" params={{ id: key }} className={styles.key}>
        {key}
      </Link>
    )
  if (kind === 'webhooks.deliver')
    return (
      <Link to="/settings/webhooks/$id" params={{ id: key }} className={styles.key}>
        {key}
      </Link>
    )
  return <span className={styles.key}>{key}</span>
}

function JobTable({ jobs }: { readonly jobs: readonly Job[] }) {
  const { columns } = jobTexts
  const [deleted, setDeleted] = useState<Job | null>(null)
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: JOBS_KEY })
  const retry = useMutation({
    mutationFn: (job: Job) => retryJob(job.id),
    onSuccess: () => notifications.show({ message: jobTexts.retried }),
    onError: (error) => notifications.show({ color: 'red', message: messageOf(error) }),
    onSettled: refresh,
  })
  if (jobs.length === 0) return <Message title={jobTexts.empty}>{jobTexts.emptyHint}</Message>
  return (
    <>
      <Table
        label={jobTexts.title}
        columns={[
          { label: columns.kind, width: '46%' },
          { label: columns.state },
          { label: columns.due, isSecondary: true },
          { label: columns.attempts, isSecondary: true },
          { label: '' },
        ]}
      >
        {jobs.map((job) => (
          <tr key={job.id}>
            <Cell>
              {jobTexts.kind(job.kind)} <JobSubject job={job} />
              {job.error !== null && <span className={styles.error}>{job.error}</span>}
            </Cell>
            <Cell isShort>
              <StateBadge tone={TONES[job.state]}>{jobTexts.states[job.state]}</StateBadge>
            </Cell>
            <Cell isSecondary isMuted>
              <span title={formatInstant(job.dueAt)}>{timeAgo(job.dueAt)}</span>
            </Cell>
            <Cell isSecondary isMuted>
              {job.attempts}
            </Cell>
            <Cell isShort>
              {job.state !== 'running' && (
                <Group
                  gap={4}
                  wrap="nowrap"
                  justify="flex-end"
                  role="group"
                  aria-label={jobTexts.actionsOf(job.kind, job.id)}
                >
                  <Button
                    size="xs"
                    variant="default"
                    loading={retry.isPending && retry.variables.id === job.id}
                    onClick={() => retry.mutate(job)}
                  >
                    {jobTexts.retry}
                  </Button>
                  {!isRepeating(job) && (
                    <Button size="xs" variant="default" c="var(--danger)" onClick={() => setDeleted(job)}>
                      {jobTexts.delete}
                    </Button>
                  )}
                </Group>
              )}
            </Cell>
          </tr>
        ))}
      </Table>
      <ConfirmDialog
        isOpen={deleted !== null}
        onClose={() => setDeleted(null)}
        title={jobTexts.deleteTitle}
        confirm={jobTexts.delete}
        isDangerous
        onConfirm={async () => {
          if (deleted) await deleteJob(deleted.id)
          notifications.show({ message: jobTexts.deleted })
          await refresh()
        }}
      >
        <p>{deleted && jobTexts.kind(deleted.kind)}</p>
        <p>{jobTexts.deleteText}</p>
      </ConfirmDialog>
    </>
  )
}
