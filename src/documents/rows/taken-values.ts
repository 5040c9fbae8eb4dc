/**
 * Values that another document has, although they must be unique. The indexes refuse them, each for itself and one after
 * the other: all of them are looked for only when a write is refused anyway, so that one answer names everything.
 */
import type { ScalarAttribute } from '../../model/model.ts'
import type { Dialect } from '../../store/dialect.ts'
import { sql } from '../../store/sql.ts'
import type { SqlValue } from '../../store/statement.ts'
import type { Transaction } from '../../store/store.ts'
import { isLong } from '../../store/tables/indexed.ts'
import { columnOf } from '../../store/tables/layout.ts'
import type { Problems } from '../input/problems.ts'
import { isRefusedAnyway } from '../retry-unique.ts'
import { TAKEN } from '../unique-conflict.ts'
import type { Version } from '../versions/version.ts'
import type { Blueprint } from './blueprint.ts'
import { place, statement } from './statement.ts'

/** Notes the unique values of a version about to be published that others have, if the write is refused in any case. */
export async function noteTaken(
  transaction: Transaction,
  { type, scalars }: Blueprint,
  documentId: string,
  version: Version,
  problems: Problems,
): Promise<void> {
  if (problems.none && !isRefusedAnyway(transaction)) return
  const { dialect } = transaction
  const given = scalars.flatMap((attribute) => {
    const value = version.values.get(attribute.name) ?? null
    return value !== null && (attribute.unique || attribute.type === 'uid') ? [{ attribute, value }] : []
  })
  if (given.length === 0) return
  const looked = given.map(({ attribute }) => {
    const same = isSame(dialect, attribute)
    return sql`select ${sql.lit(attribute.name)} as name where exists (select 1 from ${sql.table(type.table)}
      where published = 1 and locale = ${place} and ${same} and document_id <> ${place})`
  })
  const build = () => sql.join(looked, ' union all ')
  const values = given.flatMap(({ attribute, value }): SqlValue[] => [
    version.locale,
    ...(hasDigest(dialect, attribute) ? [value, value] : [value]),
    documentId,
  ])
  const shape = `taken|${type.table}|${given.map(({ attribute }) => attribute.name).join()}`
  for (const { name } of await transaction.all(statement(dialect, shape, build, values)))
    problems.add([String(name)], TAKEN)
}

/** Long values of PostgreSQL are found by the digest that their index holds. */
const hasDigest = (dialect: Dialect, attribute: ScalarAttribute) =>
  dialect.limitsIndexedLength && isLong(attribute)

function isSame(dialect: Dialect, attribute: ScalarAttribute) {
  const column = sql.id(columnOf(attribute.name))
  const same = sql`${column} = ${place}`
  return hasDigest(dialect, attribute) ? sql`md5(${column}) = md5(cast(${place} as text)) and ${same}` : same
}
