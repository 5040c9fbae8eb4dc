/** Where pages begin: while what is listed stands, a page is read from its first row on, and its offset not walked again. */
import { bind, type Plan } from '../plan/plan.ts'
import type { CheckedQuery } from '../query/parse-query.ts'
import type { Statement } from '../store/statement.ts'

/** The id of the first row of a page, and the versions of the tables that decide which rows are listed. */
export interface Beginning {
  readonly versions: string
  readonly id: number
}

/** The statement of a page. */
export function bindPage(
  { read, readFrom }: Plan,
  { query: { target: want }, values }: CheckedQuery,
  versions: string,
  begins: Beginning | null,
): Statement {
  if (begins?.versions !== versions || !readFrom || want.kind !== 'page') return bind(read, values)
  return bind(readFrom, values.with(want.start.slot, begins.id))
}

/** Where a page begins, as its own data tells: the id of a row is the first thing in it. */
export const beginningOf = ({ readFrom }: Plan, versions: string, data: unknown): Beginning | null =>
  readFrom && typeof data === 'string' ? { versions, id: Number.parseInt(data, 10) } : null
