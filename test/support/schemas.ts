/** Small models for tests, from schemas by uid instead of from files. */
import type { Model } from '../../src/model/model.ts'
import { parseModel } from '../../src/model/parse-model.ts'
import { formatProblem } from '../../src/project/problems.ts'
import { type SchemaSource, schemaFile } from '../../src/project/source.ts'

/** Schemas by uid: content-types (`api::…`), components (`category.name`) and extensions of built-in types (`plugin::…`). */
export type Schemas = Readonly<Record<string, unknown>>

const LOCALES = { default: 'en', codes: ['en', 'fr'] }

const sourcesOf = (schemas: Schemas): SchemaSource[] =>
  Object.entries(schemas).map(([uid, schema]) => {
    if (uid.startsWith('plugin::')) return { kind: 'extension', uid, file: `extension of ${uid}`, schema }
    const kind = uid.startsWith('api::') ? 'type' : 'component'
    return { kind, uid, file: schemaFile(kind, uid), schema }
  })

/** Throws when the schemas have problems. */
export function modelOfSchemas(schemas: Schemas): Model {
  const parsed = parseModel(sourcesOf(schemas), LOCALES)
  if (parsed.ok) return parsed.model
  throw new Error(parsed.problems.map(formatProblem).join('\n'))
}

/** The problems in schemas, one line each. */
export function problemsOf(schemas: Schemas): string[] {
  const parsed = parseModel(sourcesOf(schemas), LOCALES)
  return parsed.ok ? [] : parsed.problems.map(formatProblem)
}
