/** Edits of schema files while the server runs: taken up, or told in the log why not. A broken edit changes nothing. */
import type { FastifyBaseLogger } from 'fastify'
import { ApiError, messageOf } from '../errors.ts'
import type { Project } from '../model/load-project.ts'
import { formatProblem } from '../project/problems.ts'
import { type SchemaFiles, watchSchemas } from '../project/watch.ts'
import type { SchemaChanges } from './schema-changes.ts'

/** Follows the schema files of a project from what it was loaded with. Answers with what stops it. */
export function watchSchemaFiles(
  { dir, sources: loaded }: Pick<Project, 'dir' | 'sources'>,
  changes: SchemaChanges,
  log: FastifyBaseLogger,
): () => void {
  async function takeUp({ sources, problems }: SchemaFiles) {
    if (problems.length > 0) {
      for (const problem of problems) log.error(`Schema files were edited, but ${formatProblem(problem)}`)
      return
    }
    for (const { description: words, effect } of await changes.applyFiles(sources))
      log[effect === 'notice' ? 'warn' : 'info'](words)
  }
  return watchSchemas(dir, loaded, (files) => {
    takeUp(files).catch((error: unknown) => {
      for (const line of linesOf(error))
        log.error(`Schema files were edited, but nothing was changed: ${line}`)
    })
  })
}

function linesOf(error: unknown): string[] {
  if (!(error instanceof ApiError)) return [messageOf(error)]
  const problems: unknown = error.details.errors
  if (!Array.isArray(problems)) return [error.message]
  return problems.map((problem: { readonly message: string }) => problem.message)
}
