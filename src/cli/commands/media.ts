/** `octavo media`: lists and deletes unused files. */

import { type Command, InvalidArgumentError, Option } from 'commander'
import { changeSinks } from '../../events/sinks.ts'
import { openStoredModel } from '../../live/open-model.ts'
import { findOrphans, findUnused, type UnusedFile } from '../../media/files/unused.ts'
import { createLibrary, type Library } from '../../media/library.ts'
import { ownCommand } from '../../project/own-command.ts'
import { systemScope } from '../../query/scope.ts'
import { createReads } from '../../reads/reads.ts'
import type { Store } from '../../store/store.ts'
import type { Layout } from '../../store/tables/layout.ts'
import { openExistingDatabase } from '../database.ts'
import { UsageError } from '../error-message.ts'
import { databaseOption, type ProjectOptions, projectOption } from '../options.ts'
import { projectOf } from '../project.ts'

interface MediaOptions extends ProjectOptions {
  readonly olderThan: number
}

interface Opened {
  readonly store: Store
  readonly layout: Layout
  readonly library: Library
}

/** Adds the command and its two subcommands. */
export function addMedia(program: Command): void {
  const media = program.command('media').description('list and delete unused files')
  media
    .command('unused')
    .description('list the files that no document attaches and no text mentions')
    .addOption(olderThanOption())
    .addOption(projectOption())
    .addOption(databaseOption())
    .action(listUnused)
  media
    .command('sweep')
    .description('delete unused files, and stored files without a record')
    .addOption(olderThanOption())
    .addOption(projectOption())
    .addOption(databaseOption())
    .action(sweep)
}

/** People may upload files days before they use them. */
const DEFAULT_DAYS = 7

const olderThanOption = () =>
  new Option('--older-than <days>', 'ignore files younger than this')
    .default(DEFAULT_DAYS)
    .argParser(parseDays)

async function listUnused(options: MediaOptions): Promise<void> {
  await withLibrary(options, async ({ store, layout }) => {
    const { olderThan } = options
    const before = daysAgo(olderThan).toISOString()
    const unused = await findUnused(store, layout)
    const files = unused.filter(({ createdAt }) => createdAt < before)
    for (const { createdAt, size, url, name } of files)
      print(`${createdAt}  ${size.toFixed(2).padStart(12)} kB  ${url}  ${name}\n`)
    if (files.length > 0)
      print(
        `${totalOf(files)}. Delete them with: ${ownCommand(`media sweep${olderThanArgument(olderThan)}`)}\n`,
      )
    const young = unused.length - files.length
    const age = `younger than ${count(olderThan, 'day')}`
    if (young > 0)
      print(
        `${count(young, 'unused file')} ${age} not listed; list all with: ${ownCommand('media unused --older-than 0')}\n`,
      )
    if (unused.length === 0) print('Every file is in use.\n')
  })
}

const totalOf = (files: readonly UnusedFile[]) =>
  `${count(files.length, 'unused file')}, ${files.reduce((sum, { size }) => sum + size, 0).toFixed(2)} kB`

/** For a suggested command that applies to the same files. */
const olderThanArgument = (days: number) => (days === DEFAULT_DAYS ? '' : ` --older-than ${days}`)

const SYSTEM = { scope: systemScope, origin: null }

async function sweep(options: MediaOptions): Promise<void> {
  await withLibrary(options, async ({ store, layout, library }) => {
    const orphans = await findOrphans(store, layout, library.storage)
    if (orphans.keys.length > 0 && orphans.areAll)
      throw new UsageError(
        `None of the ${count(orphans.keys.length, 'stored file')} belongs to this database; they may belong to another one. Nothing was deleted. Delete them by hand if they are not needed.`,
      )
    const files = await findUnused(store, layout, daysAgo(options.olderThan))
    let removed = 0
    for (const { documentId } of files) if (await library.removeUnused(documentId, SYSTEM)) removed += 1
    await library.storage.delete(orphans.keys)
    const incoming = await library.staging.removeStale()
    print(
      `Deleted ${count(removed, 'unused file')} and ${count(orphans.keys.length + incoming, 'stored file')} without a record.\n`,
    )
  })
}

async function withLibrary(options: ProjectOptions, work: (opened: Opened) => Promise<void>): Promise<void> {
  const project = await projectOf(options)
  const { config, dir } = project
  const store = await openExistingDatabase(project)
  try {
    const { layout } = await openStoredModel(store, project)
    const reads = createReads(store, layout, config)
    const library = await createLibrary({
      store,
      layout: () => layout,
      reads: () => reads,
      config: config.upload,
      directory: dir,
      log: { warn: (message) => void process.stderr.write(`${message}\n`) },
      sinks: changeSinks(config),
    })
    try {
      await work({ store, layout, library })
    } finally {
      library.close()
    }
  } finally {
    await store.close()
  }
}

/** A hundred years, so that the date stays valid. */
const MAX_DAYS = 36_500

function parseDays(text: string): number {
  const days = Number(text)
  if (text.trim() === '' || !(days >= 0 && days <= MAX_DAYS))
    throw new InvalidArgumentError(`Expected a number of days, at most ${MAX_DAYS}.`)
  return days
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

const count = (number: number, thing: string) => `${number} ${thing}${number === 1 ? '' : 's'}`

const print = (text: string) => void process.stdout.write(text)
