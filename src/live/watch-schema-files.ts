/** Applies edits of schema files while the server runs. An invalid edit changes nothing and is logged. */
import type { FastifyBaseLogger } from 'fastify'
import { ApiError, messageOf } from '../errors.ts'
import type { Project } from '../model/load-project.ts'
import type { Model } from '../model/model.ts'
import { adaptSchemas } from '../model/strapi/adapt-schemas.ts'
import { readSchemas } from '../project/files.ts'
import { formatProblem, ProjectError, type ProjectProblem } from '../project/problems.ts'
import { watchSchemas } from '../project/watch.ts'
import type { SchemaChanges } from './schema-changes.ts'

/** Watches the schema files of a loaded project. Returns a function that stops watching. */
export function watchSchemaFiles(
  { dir, sources: loaded, strapi }: Pick<Project, 'dir' | 'sources' | 'strapi'>,
  changes: SchemaChanges,
  log: FastifyBaseLogger,
): () => void {
  const logNotApplied = (problem: string) => log.error(`Schema change not applied: ${problem}`)

  async function readFiles(locales: Model['locales']) {
    const problems: ProjectProblem[] = []
    const sources = await readSchemas(dir, problems)
    if (problems.length > 0) throw new ProjectError(dir, problems)
    return strapi ? adaptSchemas(sources, locales).sources : sources
  }

  async function apply() {
    for (const { description, effect } of await changes.applyFiles(readFiles))
      log[effect === 'notice' ? 'warn' : 'info'](description)
  }

  const watch = watchSchemas(dir, loaded, () => {
    apply().catch((error: unknown) => problemsIn(error).forEach(logNotApplied))
  })
  return watch.close
}

function problemsIn(error: unknown): string[] {
  if (error instanceof ProjectError) return error.problems.map(formatProblem)
  if (!(error instanceof ApiError)) return [messageOf(error)]
  const problems: unknown = error.details.errors
  if (!Array.isArray(problems)) return [error.message]
  return problems.map((problem: { readonly message: string }) => problem.message)
}
