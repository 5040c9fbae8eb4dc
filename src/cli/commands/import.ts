/** `octavo import`: puts the content of an archive into a database of either engine. */
import type { Command } from 'commander'
import { parseChunk, storedKeys, storeFiles } from '../../media/transfer.ts'
import type { Project } from '../../model/load-project.ts'
import { compile } from '../../store/compile.ts'
import { UniqueViolation } from '../../store/errors.ts'
import { contentIn } from '../archive/existing-content.ts'
import { readArchive } from '../archive/lines.ts'
import { load } from '../archive/load.ts'
import { modelToImportInto, type Opened, withProject } from '../archive/open-project.ts'
import { counted, createProgress } from '../archive/progress.ts'
import { type Survey, survey } from '../archive/verify.ts'
import { confirm } from '../confirm.ts'
import { printableUrl } from '../database.ts'
import { UsageError } from '../error-message.ts'
import { databaseOption, type ProjectOptions, projectOption } from '../options.ts'
import { projectOf } from '../project.ts'

interface ImportOptions extends ProjectOptions {
  readonly replace?: boolean
  readonly skipUnknown?: boolean
  readonly yes?: boolean
}

/** Adds the command. */
export function addImport(program: Command): void {
  program
    .command('import <file>')
    .description('put the content of an archive into an empty database')
    .option('--replace', 'remove what the database has first, and its files')
    .option('--skip-unknown', 'leave out content-types and attributes that the project does not have')
    .option('--yes', 'do not ask before something is removed')
    .addOption(projectOption())
    .addOption(databaseOption())
    .addHelpText('after', HELP)
    .action(importProject)
}

const HELP = `
The archive is read through before anything is written, and then written in one transaction: it arrives as a whole
or not at all. Stop servers of the database first.`

async function importProject(file: string, options: ImportOptions): Promise<void> {
  const project = await projectOf(options)
  const progress = createProgress()
  // All that can be refused is, before the database is made or brought in line with the schema files.
  const found = await survey(file, await modelToImportInto(project), progress)
  progress.end()
  refuseUnknown(found, options)
  await refuseContent(project, options)
  await withProject(project, 'of the files', async (opened) => {
    const { header } = found
    const former = await keysIn(opened)
    if (header.media) {
      progress.part('Files', found.files)
      await storeFiles(opened.storage, opened.staging, piecesIn(file), () => progress.step())
    }
    progress.part('Rows, relations and permissions', found.records)
    const lines = () => readArchive(file, (kind) => !['octavo', 'bytes', 'end'].includes(kind))
    const written = await load(opened, found, lines, () => progress.step()).catch(explained)
    // Only now is nothing left that leads to them.
    const present = await keysIn(opened)
    await opened.storage.delete([...former].filter((key) => !present.has(key)))
    progress.end()
    for (const [locale, rows] of found.strangeLocales)
      process.stderr.write(
        `${counted(rows, 'row')} of the locale ${locale}, which the project does not have\n`,
      )
    console.log(
      `Imported ${counted(written.rows, 'row')} and ${counted(written.relations, 'relation')} into ${opened.place}`,
    )
  })
}

/** The names of all files that the database has, as storage knows them. */
async function keysIn({ store, layout }: Opened): Promise<Set<string>> {
  const all = new Set<string>()
  for await (const keys of storedKeys((query) => store.read(compile(store.dialect, query)), layout))
    for (const key of keys) all.add(key)
  return all
}

async function* piecesIn(file: string) {
  for await (const line of readArchive(file, (kind) => kind === 'bytes')) yield parseChunk(line)
}

const SHOWN = 20

function refuseUnknown({ unknown }: Survey, { skipUnknown }: ImportOptions): void {
  if (unknown.size === 0) return
  const lines = [...unknown].slice(0, SHOWN).map(([what, count]) => `  ${what} (${counted(count, 'time')})`)
  if (unknown.size > SHOWN) lines.push(`  and ${unknown.size - SHOWN} more`)
  const list = lines.join('\n')
  if (!skipUnknown)
    throw new UsageError(
      `The archive has what the project does not have:\n${list}\nAdd it to the schema files, or leave it out with --skip-unknown.`,
    )
  process.stderr.write(`Left out:\n${list}\n`)
}

async function refuseContent(project: Project, options: ImportOptions): Promise<void> {
  const content = await contentIn(project)
  if (content.size === 0) return
  const list = [...content].map(([what, count]) =>
    what === 'tokens' ? what : `${counted(count, 'row')} of ${what}`,
  )
  const has = `The database ${printableUrl(project.config.database.url)} has content: ${list.join(', ')}.`
  if (!options.replace)
    throw new UsageError(
      `${has}\nImport into an empty database, or add --replace to remove that content first.`,
    )
  await confirm(`${has}\nRemove all of it and import the archive instead?`, options)
}

/** Two documents with the same value of a unique attribute can only come from another schema. */
function explained(failure: unknown): never {
  if (failure instanceof UniqueViolation)
    throw new UsageError(
      `The archive breaks a rule of the schema, so nothing was imported: ${failure.message}`,
    )
  throw failure
}
