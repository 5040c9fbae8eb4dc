/** `octavo import`: loads an archive into a database of either engine. */
import type { Command } from 'commander'
import { parseChunk, storedKeys, storeFiles } from '../../media/transfer.ts'
import type { Project } from '../../model/load-project.ts'
import { compile } from '../../store/compile.ts'
import { UniqueViolation } from '../../store/errors.ts'
import { readArchive } from '../archive/archive-file.ts'
import { findExistingContent } from '../archive/existing-content.ts'
import { loadArchive } from '../archive/load.ts'
import { modelToImportInto, type OpenProject, withProject } from '../archive/open-project.ts'
import { createProgress, quantity } from '../archive/progress.ts'
import { type ArchiveSummary, verifyArchive } from '../archive/verify.ts'
import { confirm } from '../confirm.ts'
import { printableUrl } from '../database.ts'
import { UsageError } from '../error-message.ts'
import { databaseOption, projectOption } from '../options.ts'
import { readKey } from '../password.ts'
import { projectOf } from '../project.ts'
import { formatOf, openPackedFiles } from '../strapi/archive/packed-files.ts'
import { partsOf } from '../strapi/archive/parts.ts'
import { openStrapiDatabase } from '../strapi/database/open-database.ts'
import { partsOfDatabase } from '../strapi/database/parts.ts'
import { type ImportSteps, importStrapi, type StrapiImportOptions } from '../strapi/import-strapi.ts'
import { readStrapiFolder } from '../strapi/target-project.ts'

interface ImportOptions extends StrapiImportOptions {
  readonly replace?: boolean
  readonly skipUnknown?: boolean
  readonly history?: boolean
  readonly yes?: boolean
  readonly key?: string
  readonly fromDatabase?: string
  readonly uploads?: string
}

export function addImport(program: Command): void {
  program
    .command('import [file]')
    .description(
      'load an archive, an export of Strapi, or the database of a Strapi project, into an empty database',
    )
    .option('--replace', 'delete the existing content and files first')
    .option('--skip-unknown', 'skip content-types and attributes that the project does not have')
    .option('--history', 'also import the saved states of documents that the archive contains')
    .option('--yes', 'delete without asking for confirmation')
    .option('--dry-run', 'check the archive and print what would be imported, without changing anything')
    .option('--key <key>', 'key of an encrypted export of Strapi; default: ask for it')
    .option(
      '--from-database <url>',
      'read the database of a Strapi project: sqlite:PATH, postgres://… or mysql://…',
    )
    .option(
      '--uploads <folder>',
      'with --from-database: its uploaded files; default: public/uploads of the project',
    )
    .option('--report <file>', 'write the report of an import from Strapi to a file, as JSON')
    .addOption(projectOption())
    .addOption(databaseOption())
    .addHelpText('after', HELP)
    .action(importFile)
}

const HELP = `
The archive is checked completely before anything is written, and then written in one transaction: the import is
all or nothing. Stop all servers that use the database first.

The file may also be an export of Strapi 5 (.tar, .tar.gz, .tar.gz.enc, or the unpacked folder). If the project has no
content-types, its schema files are written first. What the project cannot hold is left out and listed in a report.

With --from-database, the content is read straight from the database of a Strapi 5 project, which is not changed. The
project must be the folder of the Strapi project, because a database does not hold the schemas of components.

  $ octavo import backup.octavo.jsonl.gz
  $ octavo import export_20260102030405.tar.gz --project my-site --dry-run
  $ octavo import export_20260102030405.tar.gz.enc --key my-key --project my-site
  $ octavo import --from-database sqlite:.tmp/data.db --project my-site`

async function importFile(file: string | undefined, options: ImportOptions): Promise<void> {
  if (options.fromDatabase !== undefined) {
    if (file !== undefined) throw new UsageError('Pass a file or --from-database, not both')
    return importDatabase(options.fromDatabase, options)
  }
  if (file === undefined)
    throw new UsageError('Pass the file to import, or the database of a Strapi project with --from-database')
  const format = await formatOf(file, options.key !== undefined)
  if (format === 'octavo') return importProject(file, options)
  const key = async () => options.key ?? readKey(file)
  return importStrapi(partsOf(await openPackedFiles(file, format, key)), file, options, stepsFor(options))
}

async function importDatabase(url: string, options: ImportOptions): Promise<void> {
  const { components, uploads } = await readStrapiFolder(options)
  const database = await openStrapiDatabase(url)
  const name = printableUrl(url)
  try {
    const parts = await partsOfDatabase({
      ...{ database, name, components },
      uploads: options.uploads ?? uploads,
    })
    await importStrapi(parts, name, options, stepsFor(options))
  } finally {
    await database.close()
  }
}

const stepsFor = (options: ImportOptions): ImportSteps => ({
  refuseExistingContent: (project) => refuseExistingContent(project, options),
  replacingFiles,
})

async function importProject(file: string, options: ImportOptions): Promise<void> {
  const project = await projectOf(options)
  const progress = createProgress()
  // Everything is checked before the database is created or migrated.
  const summary = await verifyArchive(file, await modelToImportInto(project), progress)
  progress.end()
  refuseUnknown(summary, options)
  if (options.dryRun) return describeArchive(summary)
  await refuseExistingContent(project, options)
  await replacingFiles(project, 'schema files', async (opened) => {
    const { header } = summary
    if (header.media) {
      progress.part('Files', summary.files)
      await storeFiles(opened.storage, opened.staging, chunksIn(file), () => progress.step())
    }
    progress.part('Rows, relations and permissions', summary.records)
    const lines = () => readArchive(file, (kind) => !['octavo', 'bytes', 'end'].includes(kind))
    const written = await loadArchive(
      opened,
      summary,
      lines,
      () => progress.step(),
      options.history === true,
    ).catch(explainUniqueViolation)
    progress.end()
    for (const [locale, rows] of summary.unknownLocales)
      process.stderr.write(
        `Imported ${quantity(rows, 'row')} in the locale ${locale}, which the project does not have\n`,
      )
    console.log(
      `Imported ${quantity(written.rows, 'row')} and ${quantity(written.relations, 'relation')} into ${opened.address}`,
    )
  })
}

function describeArchive({ header, files }: ArchiveSummary): void {
  for (const [uid, rows] of Object.entries(header.rows)) console.log(`${uid}: ${quantity(rows, 'row')}`)
  console.log(`${quantity(header.edges, 'relation')}, ${quantity(files, 'file')}`)
  console.log('Nothing was changed (--dry-run).')
}

/** Runs the work of an import with the project. Stored files of former content are deleted when it is complete. */
const replacingFiles: typeof withProject = (project, modelSource, work) =>
  withProject(project, modelSource, async (opened) => {
    const oldFiles = await storedFiles(opened)
    await work(opened)
    // The old files are unused only now.
    const newFiles = await storedFiles(opened)
    await opened.storage.delete([...oldFiles].filter((key) => !newFiles.has(key)))
  })

/** The storage keys of all files in the database. */
async function storedFiles({ store, layout }: OpenProject): Promise<Set<string>> {
  const all = new Set<string>()
  for await (const keys of storedKeys((query) => store.read(compile(store.dialect, query)), layout))
    for (const key of keys) all.add(key)
  return all
}

async function* chunksIn(file: string) {
  for await (const line of readArchive(file, (kind) => kind === 'bytes')) yield parseChunk(line)
}

const MAX_SHOWN = 20

function refuseUnknown({ unknown }: ArchiveSummary, { skipUnknown }: ImportOptions): void {
  if (unknown.size === 0) return
  const lines = [...unknown]
    .slice(0, MAX_SHOWN)
    .map(([name, count]) => `  ${name} (${quantity(count, 'time')})`)
  if (unknown.size > MAX_SHOWN) lines.push(`  and ${unknown.size - MAX_SHOWN} more`)
  const list = lines.join('\n')
  if (!skipUnknown)
    throw new UsageError(
      `The project does not have these parts of the archive:\n${list}\nAdd them to the schema files, or skip them with --skip-unknown.`,
    )
  process.stderr.write(`Skipped:\n${list}\n`)
}

async function refuseExistingContent(project: Project, options: ImportOptions): Promise<void> {
  const content = await findExistingContent(project)
  if (content.size === 0) return
  const list = [...content].map(([name, count]) =>
    name === 'tokens' ? name : `${quantity(count, 'row')} of ${name}`,
  )
  const has = `The database ${printableUrl(project.config.database.url)} has content: ${list.join(', ')}.`
  if (!options.replace)
    throw new UsageError(
      `${has}\nImport into an empty database, or add --replace to delete that content first.`,
    )
  await confirm(`${has}\nDelete all of it and import the archive?`, options)
}

/** An archive from another schema may contain duplicates of a unique attribute. */
function explainUniqueViolation(failure: unknown): never {
  if (failure instanceof UniqueViolation)
    throw new UsageError(
      `Nothing was imported, because the archive violates a unique attribute: ${failure.message}`,
    )
  throw failure
}
