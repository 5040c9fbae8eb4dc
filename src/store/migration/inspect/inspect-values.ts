/** Scalars of content-types under a changed attribute: which would not convert, and which would not be accepted. */
import type { ScalarAttribute } from '../../../model/model.ts'
import type { Stored } from '../../../model/scalar-type.ts'
import { columnOf } from '../../tables/layout.ts'
import { convertValue } from '../convert-value.ts'
import { isValid } from '../entries/entry-rewriter.ts'
import type { MatchedType } from '../plan/change.ts'
import {
  AffectedRowCounter,
  type AffectedRows,
  type InspectionContext,
  readFilledRows,
} from './inspection-context.ts'

/** How many values there are, and those that would be lost or changed for good by a conversion. */
export async function findLossyConversions(
  context: InspectionContext,
  { previous }: MatchedType,
  from: ScalarAttribute,
  to: ScalarAttribute,
): Promise<{ readonly all: number; readonly lost: AffectedRows }> {
  let all = 0
  const lost = new AffectedRowCounter()
  for await (const rows of readFilledRows(context, previous.table, columnOf(from.name))) {
    all += rows.length
    for (const { id, documentId, value } of rows) {
      if (value === null) continue
      const result = convertValue(value, from, to)
      if (!result.ok || !result.lossless) lost.add(previous.table, id, documentId)
    }
  }
  return { all, lost: lost.result }
}

/** Values that stay although they would not be accepted any more. */
export async function findInvalidValues(
  context: InspectionContext,
  { previous }: MatchedType,
  from: ScalarAttribute,
  to: ScalarAttribute,
): Promise<AffectedRows> {
  const unfit = new AffectedRowCounter()
  const after = (value: Stored) => {
    const result = convertValue(value, from, to)
    return result.ok ? result.value : null
  }
  for await (const rows of readFilledRows(context, previous.table, columnOf(from.name))) {
    for (const { id, documentId, value } of rows) {
      const kept = value === null ? null : after(value)
      if (kept !== null && !isValid(kept, to)) unfit.add(previous.table, id, documentId)
    }
  }
  return unfit.result
}
