/** `octavo indexes`: lists the indexes that would help and those that exist, and creates or drops automatic ones. */
import type { Command } from 'commander'
import { ownCommand } from '../../../project/own-command.ts'
import { type IndexReport, reportIndexes } from '../../../reads/indexes/report.ts'
import { fieldNameOf, suggestionsFrom } from '../../../reads/indexes/suggestions.ts'
import { READ_SHAPES, readAutomaticIndexes, readShapes } from '../../../reads/indexes/tables.ts'
import { completeInterrupted, createSuggested, dropAutomatic } from '../../../reads/indexes/update-indexes.ts'
import { readCurrentModel } from '../../../store/migration/migrate.ts'
import type { Store } from '../../../store/store.ts'
import type { Layout } from '../../../store/tables/layout.ts'
import { openExistingDatabase } from '../../database.ts'
import { UsageError } from '../../error-message.ts'
import { databaseOption, type ProjectOptions, projectOption } from '../../options.ts'
import { projectOf } from '../../project.ts'

interface ListOptions extends ProjectOptions {
  readonly json?: boolean
}

/** Adds the command and its subcommands. */
export function addIndexes(program: Command): void {
  const indexes = program.command('indexes').description('list, create and drop indexes that reads need')

  indexes
    .command('list', { isDefault: true })
    .description('list the indexes that would help, and those that exist')
    .option('--json', 'print JSON')
    .addOption(projectOption())
    .addOption(databaseOption())
    .action(list)

  indexes
    .command('create')
    .description('create all suggested indexes, and complete those whose creation was interrupted')
    .addOption(projectOption())
    .addOption(databaseOption())
    .action(create)

  indexes
    .command('drop <name>')
    .description('drop an index that was not declared in a schema')
    .addOption(projectOption())
    .addOption(databaseOption())
    .action(drop)
}

type Work = (store: Store, layout: Layout) => Promise<void>

async function withIndexes(options: ProjectOptions, work: Work): Promise<void> {
  const project = await projectOf(options)
  const store = await openExistingDatabase(project, READ_SHAPES)
  try {
    const stored = await readCurrentModel(store, project.model.locales)
    if (stored) await work(store, stored.layout)
  } finally {
    await store.close()
  }
}

const list = (options: ListOptions) =>
  withIndexes(options, async (store, { model }) => {
    const report = await reportIndexes(store, model)
    console.log(options.json ? JSON.stringify(report, null, 2) : textOf(report))
  })

function textOf({ suggested, existing }: IndexReport): string {
  const lines = suggested.flatMap(({ contentType, on, reads, serves, bytes, bytesPerWrite, declare }) => [
    `${contentType} (${on.join(', ')}): ${reads} reads, about ${sizeOf(bytes)}, ${bytesPerWrite} bytes per write`,
    ...serves.map(
      ({ example, rowsRead, rowsReturned, milliseconds, ...served }) =>
        `  ${example}  ${served.reads} times, ${rowsRead} rows for ${rowsReturned}, ${milliseconds} ms`,
    ),
    ...(declare ? [`  declare: "indexes": ${JSON.stringify(declare.options.indexes)}`] : []),
  ])
  const rows = existing.map(({ name, contentType, on, automatic, isReady, lastUsedAt, bytes }) => {
    const origin = automatic ? (isReady ? 'automatic' : 'being created') : 'declared'
    const use = lastUsedAt === null ? 'no read yet' : `last read ${lastUsedAt}`
    return `${name}  ${contentType} (${on.join(', ')})  ${origin}, ${sizeOf(bytes)}, ${use}`
  })
  return [
    lines.length > 0 ? 'Indexes that would help:' : 'No index is missing.',
    ...lines.map((line) => `  ${line}`),
    ...(rows.length > 0 ? ['', 'Existing indexes:', ...rows.map((row) => `  ${row}`)] : []),
  ].join('\n')
}

const sizeOf = (bytes: number) =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`

const create = (options: ProjectOptions) =>
  withIndexes(options, async (store, layout) => {
    const silent = { store, log: { info: () => {} } }
    const completed = await completeInterrupted(silent)
    for (const { name } of completed) console.log(`Completed ${name}.`)
    const automatic = await readAutomaticIndexes(store)
    const suggestions = suggestionsFrom(await readShapes(store), layout.model, automatic, store)
    for (const suggestion of suggestions) {
      const { name } = await createSuggested(silent, suggestion)
      const on = suggestion.columns.map(fieldNameOf).join(', ')
      console.log(`Created ${name} for ${suggestion.type.uid} (${on}).`)
    }
    if (completed.length + suggestions.length === 0) console.log('No index is missing.')
  })

const drop = (name: string, options: ProjectOptions) =>
  withIndexes(options, async (store) => {
    if (!(await dropAutomatic(store, name)))
      throw new UsageError(`No automatic index ${name}. List all with: ${ownCommand('indexes')}`)
    console.log(`Dropped ${name}.`)
  })
