/** `octavo schedules` and `octavo releases`: list and cancel what is planned, whether or not the server is running. */

import { type Command, InvalidArgumentError, Option } from 'commander'
import {
  cancelRelease,
  listReleases,
  lockRelease,
  RELEASE_STATES,
  type Release,
  type ReleaseState,
} from '../../../documents/releases/releases.ts'
import { RELEASES } from '../../../documents/releases/tables.ts'
import { cancelSchedule, listSchedules, type Schedule } from '../../../documents/schedules/schedules.ts'
import { SCHEDULES } from '../../../documents/schedules/tables.ts'
import { ownCommand } from '../../../project/own-command.ts'
import type { Store } from '../../../store/store.ts'
import { openExistingDatabase } from '../../database.ts'
import { UsageError } from '../../error-message.ts'
import { databaseOption, type ProjectOptions, projectOption } from '../../options.ts'
import { projectOf } from '../../project.ts'

interface ListOptions extends ProjectOptions {
  readonly limit: number
  readonly json?: boolean
}

const DEFAULT_LIMIT = 100

/** Adds `octavo schedules` and its subcommands. */
export function addSchedules(program: Command): void {
  const schedules = program.command('schedules').description('list and cancel scheduled documents')
  addList(schedules, 'list schedules in the order of their times').action((options: ListOptions) =>
    withTable(options, SCHEDULES, async (store) => {
      print(options, await listSchedules(store, {}, options.limit), scheduleLine, 'Nothing is scheduled.')
    }),
  )
  addCancel(schedules, 'cancel a schedule').action((id: number, options: ProjectOptions) =>
    withTable(options, SCHEDULES, async (store) => {
      if (!(await store.write((transaction) => cancelSchedule(transaction, id))))
        throw new UsageError(`No schedule ${id}. List all with: ${ownCommand('schedules')}`)
      console.log(`Schedule ${id} cancelled.`)
    }),
  )
}

/** Adds `octavo releases` and its subcommands. */
export function addReleases(program: Command): void {
  const releases = program.command('releases').description('list releases and cancel their schedules')
  addList(releases, 'list releases, the newest first')
    .addOption(new Option('--state <state>', 'only releases in this state').choices(RELEASE_STATES))
    .action((options: ListOptions & { readonly state?: ReleaseState }) =>
      withTable(options, RELEASES, async (store) => {
        const found = await listReleases(store, { state: options.state }, options.limit)
        print(options, found, releaseLine, 'No releases.')
      }),
    )
  addCancel(releases, 'cancel the schedule of a release').action((id: number, options: ProjectOptions) =>
    withTable(options, RELEASES, async (store) => {
      await store.write(async (transaction) => {
        if ((await lockRelease(transaction, id))?.state !== 'scheduled')
          throw new UsageError(
            `No scheduled release ${id}. List all with: ${ownCommand('releases --state scheduled')}`,
          )
        cancelRelease(transaction, id)
      })
      console.log(`Release ${id} is open again.`)
    }),
  )
}

const addList = (command: Command, description: string): Command =>
  command
    .command('list', { isDefault: true })
    .description(description)
    .option('--limit <number>', 'maximum number to list', parseNumber, DEFAULT_LIMIT)
    .option('--json', 'print JSON')
    .addOption(projectOption())
    .addOption(databaseOption())

const addCancel = (command: Command, description: string): Command =>
  command
    .command('cancel')
    .argument('<id>', 'its number in the list', parseNumber)
    .description(description)
    .addOption(projectOption())
    .addOption(databaseOption())

async function withTable(
  options: ProjectOptions,
  table: string,
  work: (store: Store) => Promise<void>,
): Promise<void> {
  const store = await openExistingDatabase(await projectOf(options), table)
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

function print<Item>(
  { json, limit }: ListOptions,
  items: readonly Item[],
  lineOf: (item: Item) => string,
  none: string,
) {
  if (json) return console.log(JSON.stringify(items, null, 2))
  if (items.length === 0) return console.log(none)
  for (const item of items) console.log(lineOf(item))
  if (items.length === limit) console.log(`The first ${items.length}; list more with --limit.`)
}

const scheduleLine = ({ id, runAt, action, type, documentId, locale, author }: Schedule) =>
  `${String(id).padStart(6)}  ${runAt}  ${action} ${type} ${documentId}${locale === '' ? '' : ` ${locale}`}  by ${author}`

const releaseLine = ({ id, name, state, publishAt, publishedAt, entryCount, error }: Release) => {
  const time = publishAt ?? publishedAt
  const count = entryCount === 1 ? '1 document' : `${entryCount} documents`
  return `${String(id).padStart(6)}  ${name}  ${state}${time === null ? '' : ` ${time}`}, ${count}${error === null ? '' : `: ${error}`}`
}

function parseNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError('Expected a positive number.')
  return Number(text)
}
