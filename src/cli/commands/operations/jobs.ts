/** `octavo jobs`: lists the jobs of a database, and retries or cancels one, whether or not the server is running. */

import { type Command, InvalidArgumentError, Option } from 'commander'
import { cancelJob } from '../../../documents/schedules/cancel-job.ts'
import { JOB_STATES, type JobState, type ListedJob, listJobs, retryNow } from '../../../jobs/list.ts'
import { JOBS } from '../../../jobs/tables.ts'
import { ownCommand } from '../../../project/own-command.ts'
import type { Store } from '../../../store/store.ts'
import { openExistingDatabase } from '../../database.ts'
import { UsageError } from '../../error-message.ts'
import { databaseOption, type ProjectOptions, projectOption } from '../../options.ts'
import { projectOf } from '../../project.ts'

interface ListOptions extends ProjectOptions {
  readonly state?: JobState
  readonly limit: number
  readonly json?: boolean
}

const DEFAULT_LIMIT = 100

/** Adds the command and its subcommands. */
export function addJobs(program: Command): void {
  const jobs = program.command('jobs').description('list, retry and cancel background jobs')

  jobs
    .command('list', { isDefault: true })
    .description('list jobs in the order in which they are due')
    .addOption(new Option('--state <state>', 'only jobs in this state').choices(JOB_STATES))
    .option('--limit <number>', 'maximum number of jobs', parseNumber, DEFAULT_LIMIT)
    .option('--json', 'print JSON')
    .addOption(projectOption())
    .addOption(databaseOption())
    .action(list)

  jobs
    .command('retry')
    .argument('<id>', 'its number in the list', parseNumber)
    .description('run a job now, even one that has failed permanently')
    .addOption(projectOption())
    .addOption(databaseOption())
    .action((id: number, options: ProjectOptions) => changeJob(id, options, retryNow, 'will run now'))

  jobs
    .command('cancel')
    .argument('<id>', 'its number in the list', parseNumber)
    .description('delete a job, so that it does not run')
    .addOption(projectOption())
    .addOption(databaseOption())
    .action((id: number, options: ProjectOptions) => changeJob(id, options, cancelJob, 'cancelled'))
}

async function withJobs(options: ProjectOptions, work: (store: Store) => Promise<void>): Promise<void> {
  const store = await openExistingDatabase(await projectOf(options), JOBS)
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

async function list(options: ListOptions): Promise<void> {
  await withJobs(options, async (store) => {
    const jobs = await listJobs(store, options.limit, options.state)
    if (options.json) return console.log(JSON.stringify(jobs, null, 2))
    if (jobs.length === 0) return console.log('No jobs.')
    for (const job of jobs) console.log(lineOf(job))
    if (jobs.length === options.limit) console.log(`The first ${jobs.length}; list more with --limit.`)
  })
}

function lineOf({ id, kind, key, state, dueAt, attempts, error }: ListedJob): string {
  const name = key === null ? kind : `${kind} ${key}`
  const details = state === 'waiting' ? '' : `, attempt ${attempts}${error === null ? '' : `: ${error}`}`
  return `${String(id).padStart(6)}  ${dueAt}  ${name}  ${state}${details}`
}

async function changeJob(
  id: number,
  options: ProjectOptions,
  change: (store: Store, id: number) => Promise<boolean>,
  result: string,
): Promise<void> {
  await withJobs(options, async (store) => {
    if (!(await change(store, id))) throw new UsageError(`No job ${id}. List all with: ${ownCommand('jobs')}`)
    console.log(`Job ${id} ${result}.`)
  })
}

function parseNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError('Expected a positive number.')
  return Number(text)
}
