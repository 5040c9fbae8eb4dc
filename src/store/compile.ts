/** Turns SQL written with Kysely's template into a statement of an engine. */
import { createQueryId, PostgresQueryCompiler, type RawBuilder, SqliteQueryCompiler } from 'kysely'
import type { EngineName, SqlValue, Statement } from './store.ts'

const compilers = { sqlite: new SqliteQueryCompiler(), postgres: new PostgresQueryCompiler() }

/** The statement for an engine; identifiers are quoted, values become parameters. */
export function compile(engine: EngineName, query: RawBuilder<unknown>): Statement {
  const { sql, parameters } = compileText(engine, query)
  return { sql, parameters: parameters.map(asParameter) }
}

/** The text for an engine, and whatever the query holds in the places of its parameters. */
export function compileText(
  engine: EngineName,
  query: RawBuilder<unknown>,
): { readonly sql: string; readonly parameters: readonly unknown[] } {
  return compilers[engine].compileQuery(query.toOperationNode(), createQueryId())
}

function asParameter(value: unknown): SqlValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value
  throw new Error(`A ${typeof value} cannot be a parameter of a statement`)
}
