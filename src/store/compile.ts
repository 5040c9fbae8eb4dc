/** Compiles SQL fragments to a statement in the dialect of an engine. */
import type { Dialect } from './dialect.ts'
import { Sql } from './sql.ts'
import type { SqlValue, Statement } from './statement.ts'

/** The statement; values become parameters. */
export function compile(dialect: Dialect, query: Sql): Statement {
  const { sql, parameters } = compileText(dialect, query)
  return { sql, parameters: parameters.map(asParameter) }
}

/** The statement with SQL before it that has parameters of its own. */
export function prefixed(dialect: Dialect, prefix: Sql, { sql, parameters }: Statement): Statement {
  const own = compileText(dialect, prefix, dialect.numbersPlaceholders ? parameters.length : 0)
  const values = own.parameters.map(asParameter)
  return {
    sql: `${own.sql} ${sql}`,
    parameters: dialect.numbersPlaceholders ? [...parameters, ...values] : [...values, ...parameters],
  }
}

/** The text of the statement, and whatever the query holds in place of its parameters. */
export function compileText(
  dialect: Dialect,
  query: Sql,
  /** The number of parameters that the statement has besides. */
  others = 0,
): { readonly sql: string; readonly parameters: readonly unknown[] } {
  const parameters: unknown[] = []
  const textOf = ({ texts, gaps }: Sql): string =>
    texts.reduce((before, text, index) => before + textOrPlaceholder(gaps[index - 1]) + text)
  const textOrPlaceholder = (gap: unknown): string => {
    if (gap instanceof Sql) return textOf(gap)
    parameters.push(gap)
    return dialect.placeholder(others + parameters.length)
  }
  return { sql: textOf(query), parameters }
}

function asParameter(value: unknown): SqlValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value
  throw new Error(`A ${typeof value} cannot be a parameter of a statement`)
}
