/** Turns SQL written with Kysely's template into a statement of an engine. */
import { createQueryId, PostgresQueryCompiler, type RawBuilder, SqliteQueryCompiler } from 'kysely'
import type { EngineName, SqlValue, Statement } from './store.ts'

const compilers = { sqlite: new SqliteQueryCompiler(), postgres: new PostgresQueryCompiler() }

/** The statement for an engine; identifiers are quoted, values become parameters. */
export function compile(engine: EngineName, query: RawBuilder<unknown>): Statement {
  const { sql, parameters } = compilers[engine].compileQuery(query.toOperationNode(), createQueryId())
  return { sql, parameters: parameters.map(asParameter) }
}

function asParameter(value: unknown): SqlValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value
  throw new Error(`A ${typeof value} cannot be a parameter of a statement`)
}
