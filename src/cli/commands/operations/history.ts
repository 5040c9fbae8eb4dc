/** `octavo history`: counts the saved states of documents, and deletes them permanently. */
import { type Command, InvalidArgumentError } from 'commander'
import { countHistory, type PurgeFilter, purgeHistory } from '../../../documents/history/purge.ts'
import { HISTORY } from '../../../documents/history/tables.ts'
import type { Store } from '../../../store/store.ts'
import { openExistingDatabase } from '../../database.ts'
import { UsageError } from '../../error-message.ts'
import { databaseOption, type ProjectOptions, projectOption } from '../../options.ts'
import { projectOf } from '../../project.ts'

interface PurgeOptions extends ProjectOptions {
  readonly document?: string
  readonly type?: string
  readonly before?: string
  readonly all?: boolean
  readonly confirm?: boolean
}

/** Adds the command and its subcommands. */
export function addHistory(program: Command): void {
  const history = program.command('history').description('count and delete the saved states of documents')

  history
    .command('list', { isDefault: true })
    .description('print the number of saved states of each content-type')
    .addOption(projectOption())
    .addOption(databaseOption())
    .action(list)

  history
    .command('purge')
    .description('delete saved states permanently; without --confirm, only count them')
    .option('--document <documentId>', 'those of one document')
    .option('--type <uid>', 'those of one content-type, even of one that no longer exists')
    .option('--before <date>', 'those that were saved before this date', parseDate)
    .option('--all', 'all of them')
    .option('--confirm', 'delete them')
    .addOption(projectOption())
    .addOption(databaseOption())
    .action(purge)
}

async function withHistory(options: ProjectOptions, work: (store: Store) => Promise<void>): Promise<void> {
  const store = await openExistingDatabase(await projectOf(options), HISTORY)
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

async function list(options: ProjectOptions): Promise<void> {
  await withHistory(options, async (store) => {
    const counts = await countHistory(store, {})
    if (counts.size === 0) return console.log('No saved states.')
    for (const [type, number] of counts) console.log(`${String(number).padStart(8)}  ${type}`)
  })
}

async function purge({ document, type, before, all, confirm, ...project }: PurgeOptions): Promise<void> {
  if (document === undefined && type === undefined && before === undefined && !all)
    throw new UsageError('Pass --document, --type or --before, or --all to delete all saved states.')
  const filter: PurgeFilter = {
    ...(document !== undefined && { documentId: document }),
    ...(type !== undefined && { type }),
    ...(before !== undefined && { before }),
  }
  await withHistory(project, async (store) => {
    if (confirm) return console.log(`Deleted ${states(await purgeHistory(store, filter))}.`)
    const counts = await countHistory(store, filter)
    const number = [...counts.values()].reduce((sum, one) => sum + one, 0)
    console.log(`This deletes ${states(number)}. Delete them with --confirm.`)
  })
}

const states = (number: number) => (number === 1 ? '1 saved state' : `${number} saved states`)

function parseDate(text: string): string {
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new InvalidArgumentError('Expected a date, such as 2026-01-31.')
  return new Date(time).toISOString()
}
