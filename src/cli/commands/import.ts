/** `octavo import`: loads an archive into a database of either engine. */
import type { Command } from 'commander'
import { storedKeys } from '../../media/transfer.ts'
import type { Project } from '../../model/load-project.ts'
import { compile } from '../../store/compile.ts'
import { findExistingContent } from '../archive/existing-content.ts'
import { type ArchiveImportOptions, type ImportSteps, importArchive } from '../archive/import-archive.ts'
import { type OpenProject, withProject } from '../archive/open-project.ts'
import { quantity } from '../archive/progress.ts'
import { confirm } from '../confirm.ts'
import { printableUrl } from '../database.ts'
import { UsageError } from '../error-message.ts'
import { databaseOption, projectOption } from '../options.ts'
import { readKey } from '../password.ts'
import { formatOf, openPackedFiles } from '../strapi/archive/packed-files.ts'
import { partsOf } from '../strapi/archive/parts.ts'
import { openStrapiDatabase } from '../strapi/database/open-database.ts'
import { partsOfDatabase } from '../strapi/database/parts.ts'
import { importStrapi, type StrapiImportOptions } from '../strapi/import-strapi.ts'
import { readStrapiFolder } from '../strapi/target-project.ts'

interface ImportOptions extends StrapiImportOptions, ArchiveImportOptions {
  readonly replace?: boolean
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
  if (format === 'octavo') return importArchive(file, options, stepsFor(options))
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
  wouldReplace: (project) => wouldReplace(project, options),
  replacingFiles,
})

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

async function refuseExistingContent(project: Project, options: ImportOptions): Promise<void> {
  const has = await existingContent(project)
  if (has === null) return
  if (!options.replace)
    throw new UsageError(
      `${has}\nImport into an empty database, or add --replace to delete that content first.`,
    )
  await confirm(`${has}\nDelete all of it and import the archive?`, options)
}

/** What `--dry-run` says of a database that is not empty; null for an empty one. */
async function wouldReplace(project: Project, { replace }: ImportOptions): Promise<string | null> {
  const has = await existingContent(project)
  if (has === null) return null
  return `${has} ${replace ? 'It would be deleted.' : 'It can only be imported into with --replace, which deletes that content.'}`
}

/** A sentence about the content that the database has already; null if it has none. */
async function existingContent(project: Project): Promise<string | null> {
  const content = await findExistingContent(project)
  if (content.size === 0) return null
  const list = [...content].map(([name, count]) =>
    name === 'tokens' ? name : `${quantity(count, 'row')} of ${name}`,
  )
  return `The database ${printableUrl(project.config.database.url)} has content: ${list.join(', ')}.`
}
