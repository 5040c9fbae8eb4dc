/** Metrics of the jobs. */
import type { JobCount } from '../../jobs/list.ts'
import type { JobStats } from '../../jobs/runner.ts'
import { counter, gauge, type MetricFamily, type Sample } from './prometheus.ts'

/** Of one process. */
export const jobRunFamilies = (stats: ReadonlyMap<string, JobStats>): readonly MetricFamily[] => [
  counter(
    'octavo_job_runs_total',
    'Runs of jobs that have ended.',
    [...stats].flatMap(([kind, { succeeded, failed }]): Sample[] => [
      { labels: { kind, outcome: 'succeeded' }, value: succeeded },
      { labels: { kind, outcome: 'failed' }, value: failed },
    ]),
  ),
]

/** Of the whole database. */
export const jobCountFamilies = (counts: readonly JobCount[]): readonly MetricFamily[] => [
  gauge(
    'octavo_jobs',
    'Stored jobs by state: waiting, running, retrying after a failure, or failed for good.',
    counts.map(({ kind, state, count }) => ({ labels: { kind, state }, value: count })),
  ),
]
