/** The SQL of this room: written once with Kysely's template, compiled for the engine at hand. */
import { createQueryId, PostgresQueryCompiler, type RawBuilder, SqliteQueryCompiler } from 'kysely'
import type { EngineName, SqlValue, Statement } from '../store/store.ts'

const compilers = { sqlite: new SqliteQueryCompiler(), postgres: new PostgresQueryCompiler() }

/** The statement for an engine; values become parameters. */
export function compile(engine: EngineName, query: RawBuilder<unknown>): Statement {
  const { sql, parameters } = compilers[engine].compileQuery(query.toOperationNode(), createQueryId())
  return { sql, parameters: parameters.map(parameter) }
}

function parameter(value: unknown): SqlValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value
  throw new Error(`A ${typeof value} cannot be a parameter of a statement`)
}
