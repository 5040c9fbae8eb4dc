/** Statements whose values are filled in when they run. */
import { compileText } from '../store/compile.ts'
import type { Dialect } from '../store/dialect.ts'
import { type Sql, sql } from '../store/sql.ts'
import type { SqlValue, Statement } from '../store/statement.ts'
import type { Slot } from './query-tree.ts'

export interface PreparedStatement {
  readonly sql: string
  readonly parameters: readonly (SqlValue | Slot | DerivedSlot)[]
}

/** A value that is computed from the text in a slot. */
interface DerivedSlot extends Slot {
  readonly derive: (text: string) => string
}

/** A parameter that is computed from the text in a slot when the statement runs. */
export const derived = ({ slot }: Slot, derive: (text: string) => string): Sql =>
  sql`${{ slot, derive } satisfies DerivedSlot}`

/** Fills the values of a query into a prepared statement. */
export function bind(prepared: PreparedStatement, values: readonly SqlValue[]): Statement {
  return {
    sql: prepared.sql,
    parameters: prepared.parameters.map((p) => {
      if (p === null || typeof p !== 'object') return p
      const filled = values[p.slot]
      if (filled === undefined) throw new Error(`No value for slot ${p.slot}`)
      return 'derive' in p ? p.derive(String(filled)) : filled
    }),
  }
}

/** The statement in the dialect of an engine; its parameters are scalars and slots. */
export function prepared(dialect: Dialect, statement: Sql): PreparedStatement {
  const { sql: text, parameters } = compileText(dialect, statement)
  flatten(text)
  return { sql: text, parameters: parameters.map(parameterOf) }
}

/**
 * A string that was put together takes several times the memory of its characters, until V8 reads one of them.
 * Plans are cached, and not every statement of a plan is ever sent.
 */
const flatten = (text: string) => text.charCodeAt(0)

function parameterOf(value: unknown): SqlValue | Slot | DerivedSlot {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value
  if (isSlot(value)) return value
  throw new Error('A plan can only contain scalars and slots')
}

const isSlot = (value: unknown): value is Slot =>
  typeof value === 'object' && value !== null && 'slot' in value && typeof value.slot === 'number'
