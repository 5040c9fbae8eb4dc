/** Imports an archive: checks it completely, stores its files, and writes everything else in one transaction. */
import { parseChunk, storeFiles } from '../../media/transfer.ts'
import type { Project } from '../../model/load-project.ts'
import { UniqueViolation } from '../../store/errors.ts'
import { UsageError } from '../error-message.ts'
import type { ProjectOptions } from '../options.ts'
import { projectOf } from '../project.ts'
import { discardingFiles } from './added-files.ts'
import { readArchive } from './archive-file.ts'
import { interruptible } from './interruptible.ts'
import { loadArchive } from './load.ts'
import { modelToImportInto, type withProject } from './open-project.ts'
import { createProgress, quantity } from './progress.ts'
import { type ArchiveSummary, verifyArchive } from './verify.ts'

export interface ArchiveImportOptions extends ProjectOptions {
  readonly skipUnknown?: boolean
  readonly history?: boolean
  readonly dryRun?: boolean
}

/** What the command does around an import. */
export interface ImportSteps {
  /** Throws unless the database is empty or may be replaced. */
  readonly refuseExistingContent: (project: Project) => Promise<void>
  /** A sentence about the content that the import would replace; null for an empty database. Changes nothing. */
  readonly wouldReplace: (project: Project) => Promise<string | null>
  /** Runs the work and deletes stored files that are unused afterwards. */
  readonly replacingFiles: typeof withProject
}

export async function importArchive(
  file: string,
  options: ArchiveImportOptions,
  steps: ImportSteps,
): Promise<void> {
  const project = await projectOf(options)
  using progress = interruptible(createProgress(), 'nothing was imported')
  // Everything is checked before the database is created or migrated.
  const summary = await verifyArchive(file, await modelToImportInto(project), progress)
  progress.end()
  refuseUnknown(summary, options)
  if (options.dryRun) return describeArchive(summary, await steps.wouldReplace(project))
  await steps.refuseExistingContent(project)
  await steps.replacingFiles(project, 'schema files', async (opened) => {
    const written = await discardingFiles(opened.storage, async (adding) => {
      if (summary.header.media) {
        progress.part('Files', summary.files)
        await storeFiles(opened.storage, opened.staging, chunksIn(file), async (key) => {
          progress.step()
          await adding(key)
        })
      }
      progress.part('Rows, relations and permissions', summary.records)
      const lines = () => readArchive(file, (kind) => !['octavo', 'bytes', 'end'].includes(kind))
      return loadArchive(opened, summary, lines, () => progress.step(), options.history === true)
    }).catch(explainUniqueViolation)
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

function describeArchive({ header, files }: ArchiveSummary, wouldReplace: string | null): void {
  for (const [uid, rows] of Object.entries(header.rows)) console.log(`${uid}: ${quantity(rows, 'row')}`)
  console.log(`${quantity(header.edges, 'relation')}, ${quantity(files, 'file')}`)
  if (wouldReplace !== null) console.log(wouldReplace)
  console.log('Nothing was changed (--dry-run).')
}

async function* chunksIn(file: string) {
  for await (const line of readArchive(file, (kind) => kind === 'bytes')) yield parseChunk(line)
}

const MAX_SHOWN = 20

function refuseUnknown({ unknown }: ArchiveSummary, { skipUnknown }: ArchiveImportOptions): void {
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

/** An archive from another schema may contain duplicates of a unique attribute. */
function explainUniqueViolation(failure: unknown): never {
  if (failure instanceof UniqueViolation)
    throw new UsageError(
      `Nothing was imported, because the archive violates a unique attribute: ${failure.message}`,
    )
  throw failure
}
