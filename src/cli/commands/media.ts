/** `octavo media`: lists the files of a project that nothing uses, and removes them. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { openStoredModel } from '../../live/open-model.ts'
import { findOrphans, findUnused, type UnusedFile } from '../../media/files/unused.ts'
import { createLibrary, type Library } from '../../media/library.ts'
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
  const media = program.command('media').description('list and remove files that nothing uses')
  media
    .command('unused')
    .description('list the files that no document shows and no text mentions')
    .addOption(olderThanOption())
    .addOption(projectOption())
    .addOption(databaseOption())
    .action(listUnused)
  media
    .command('sweep')
    .description('remove those files, and stored bytes that belong to no file')
    .addOption(olderThanOption())
    .addOption(projectOption())
    .addOption(databaseOption())
    .action(sweep)
}

/** Whoever uploads a file may take some days to use it. */
const USUAL_DAYS = 7

const olderThanOption = () =>
  new Option('--older-than <days>', 'leave out files younger than this')
    .default(USUAL_DAYS)
    .argParser(parseDays)

async function listUnused(options: MediaOptions): Promise<void> {
  await withLibrary(options, async ({ store, layout }) => {
    const { olderThan } = options
    const before = daysAgo(olderThan).toISOString()
    const unused = await findUnused(store, layout)
    const files = unused.filter(({ createdAt }) => createdAt < before)
    for (const { createdAt, size, url, name } of files)
      print(`${createdAt}  ${size.toFixed(2).padStart(12)} kB  ${url}  ${name}\n`)
    if (files.length > 0) print(`${sumOf(files)}. Remove with: octavo media sweep${asGiven(olderThan)}\n`)
    const young = unused.length - files.length
    const age = `younger than ${count(olderThan, 'day')}`
    if (young > 0)
      print(`${count(young, 'unused file')} ${age}: list with octavo media unused --older-than 0\n`)
    if (unused.length === 0) print('Every file is in use.\n')
  })
}

const sumOf = (files: readonly UnusedFile[]) =>
  `${count(files.length, 'unused file')}, ${files.reduce((sum, { size }) => sum + size, 0).toFixed(2)} kB`

/** The option again, for a command that shall mean the same files. */
const asGiven = (days: number) => (days === USUAL_DAYS ? '' : ` --older-than ${days}`)

async function sweep(options: MediaOptions): Promise<void> {
  await withLibrary(options, async ({ store, layout, library }) => {
    const { lost, isAll } = await findOrphans(store, layout, library)
    if (lost.length > 0 && isAll)
      throw new UsageError(
        `None of the ${count(lost.length, 'stored file')} belongs to this database, so they may be those of another one. Nothing was removed; what nobody needs can be removed by hand.`,
      )
    const files = await findUnused(store, layout, daysAgo(options.olderThan))
    let removed = 0
    for (const { documentId } of files) if (await library.removeUnused(documentId, systemScope)) removed += 1
    await library.storage.delete(lost)
    const incoming = await library.staging.removeStale()
    print(
      `Removed ${count(removed, 'unused file')} and ${count(lost.length + incoming, 'stored leftover')}.\n`,
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

/** A hundred years; what lies before the first instant that can be told is no date. */
const MOST_DAYS = 36_500

function parseDays(text: string): number {
  const days = Number(text)
  if (text.trim() === '' || !(days >= 0 && days <= MOST_DAYS))
    throw new InvalidArgumentError(`Expected a number of days, ${MOST_DAYS} at most.`)
  return days
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

const count = (number: number, thing: string) => `${number} ${thing}${number === 1 ? '' : 's'}`

const print = (text: string) => void process.stdout.write(text)
