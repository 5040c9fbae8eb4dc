/** Finds the scalar values of content-types that a changed attribute cannot convert or no longer accepts. Reads only. */
import type { ScalarAttribute } from '../../../model/model.ts'
import { columnOf } from '../../tables/layout.ts'
import { convertValue } from '../convert-value.ts'
import { isValid } from '../entries/entry-values.ts'
import type { MatchedType } from '../plan/change.ts'
import type { ReadSql } from '../run-sql.ts'
import { AffectedRowCounter, type AffectedRows, readFilledRows } from './affected-rows.ts'

/** The number of values, and the rows whose value cannot be converted without loss. */
export async function findLossyConversions(
  read: ReadSql,
  { previous }: MatchedType,
  from: ScalarAttribute,
  to: ScalarAttribute,
): Promise<{ readonly values: number; readonly lost: AffectedRows }> {
  let values = 0
  const lost = new AffectedRowCounter()
  for await (const rows of readFilledRows(read, previous.table, columnOf(from.name))) {
    values += rows.length
    for (const { id, documentId, value } of rows) {
      if (value === null) continue
      const conversion = convertValue(value, from, to)
      if (!conversion.ok || !conversion.lossless) lost.add(previous.table, id, documentId)
    }
  }
  return { values, lost: lost.result }
}

/** The rows whose value is kept but would be refused if it were written now. */
export async function findInvalidValues(
  read: ReadSql,
  { previous }: MatchedType,
  from: ScalarAttribute,
  to: ScalarAttribute,
): Promise<AffectedRows> {
  const invalid = new AffectedRowCounter()
  for await (const rows of readFilledRows(read, previous.table, columnOf(from.name))) {
    for (const { id, documentId, value } of rows) {
      if (value === null) continue
      const conversion = convertValue(value, from, to)
      if (conversion.ok && !isValid(conversion.value, to)) invalid.add(previous.table, id, documentId)
    }
  }
  return invalid.result
}
