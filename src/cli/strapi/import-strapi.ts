/** Imports an export of Strapi: reads it, checks it, and writes it, or reports what it would write. */
import { UnknownOutcome } from '../../store/errors.ts'
import type { ImportSteps } from '../archive/import-archive.ts'
import { interruptible } from '../archive/interruptible.ts'
import { createProgress, quantity } from '../archive/progress.ts'
import { printableUrl } from '../database.ts'
import type { ProjectOptions } from '../options.ts'
import { writeOut } from '../output.ts'
import type { ReadParts } from './archive/parts.ts'
import { readOverview } from './overview.ts'
import { prepareImport } from './prepare.ts'
import { Scratch } from './scratch.ts'
import { addFiles, targetProject } from './target-project.ts'
import { importedWebhooks } from './webhooks.ts'
import { writeImport } from './write.ts'

export interface StrapiImportOptions extends ProjectOptions {
  readonly dryRun?: boolean
  /** File for the report as JSON. */
  readonly report?: string
}

/** Imports the parts of an export. `source` is its name for messages. */
export async function importStrapi(
  parts: ReadParts,
  source: string,
  options: StrapiImportOptions,
  steps: ImportSteps,
): Promise<void> {
  using progress = interruptible(createProgress(), 'nothing was imported')
  using scratch = new Scratch()
  const overview = await readOverview(parts, scratch, source, progress)
  const { project, newFiles, notes } = await targetProject(options, overview)
  const prepared = await prepareImport(parts, overview, project.model, scratch, progress)
  const { report } = prepared
  const webhooks = importedWebhooks(overview, project, report)
  for (const note of notes) report.note(note)
  if (newFiles.size > 0)
    report.note(
      `${options.dryRun ? 'Would add' : 'Added'} ${quantity(newFiles.size, 'file')} to ${project.dir}: ${listOf(newFiles.keys())}`,
    )
  if (options.dryRun) {
    const wouldReplace = await steps.wouldReplace(project)
    if (wouldReplace !== null) report.note(wouldReplace)
  } else {
    await steps.refuseExistingContent(project)
    const added = await addFiles(project.dir, newFiles)
    try {
      await steps.replacingFiles(project, 'schema files', (opened) =>
        writeImport(opened, parts, { ...prepared, webhooks }, scratch, progress),
      )
    } catch (failure) {
      // The content may have been written, with these schemas.
      if (!(failure instanceof UnknownOutcome)) await added.remove()
      throw failure
    }
  }
  console.log(report.toText())
  console.log(
    options.dryRun
      ? 'Nothing was changed (--dry-run).'
      : `Imported ${source} into ${printableUrl(project.config.database.url)}`,
  )
  if (options.report !== undefined)
    await writeOut(`${JSON.stringify(report.toJson(), null, 2)}\n`, { out: options.report })
}

const MAX_LISTED = 5

function listOf(names: Iterable<string>): string {
  const all = [...names]
  const shown = all.slice(0, MAX_LISTED).join(', ')
  return all.length > MAX_LISTED ? `${shown} and ${all.length - MAX_LISTED} more` : shown
}
