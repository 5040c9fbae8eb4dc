/** Scalars of content-types under a changed attribute: which would not convert, and which would not be accepted. */
import type { ScalarAttribute } from '../../../model/model.ts'
import type { Stored } from '../../../model/scalar.ts'
import { columnOf } from '../../tables/layout.ts'
import { convert } from '../convert-value.ts'
import { fits } from '../entries/entry-rewriter.ts'
import type { KeptType } from '../plan/change.ts'
import { type Found, filledRows, type Ground, Tallied } from './inspection-context.ts'

/** How many values there are, and those that would be lost or changed for good by a conversion. */
export async function findUnconverted(
  ground: Ground,
  { former }: KeptType,
  from: ScalarAttribute,
  to: ScalarAttribute,
): Promise<{ readonly all: number; readonly lost: Found }> {
  let all = 0
  const lost = new Tallied()
  for await (const rows of filledRows(ground, former.table, columnOf(from.name))) {
    all += rows.length
    for (const { id, documentId, value } of rows) {
      if (value === null) continue
      const result = convert(value, from, to)
      if (!result.ok || !result.lossless) lost.add(former.table, id, documentId)
    }
  }
  return { all, lost: lost.found }
}

/** Values that stay although they would not be accepted any more. */
export async function findUnfit(
  ground: Ground,
  { former }: KeptType,
  from: ScalarAttribute,
  to: ScalarAttribute,
): Promise<Found> {
  const unfit = new Tallied()
  const after = (value: Stored) => {
    const result = convert(value, from, to)
    return result.ok ? result.value : null
  }
  for await (const rows of filledRows(ground, former.table, columnOf(from.name))) {
    for (const { id, documentId, value } of rows) {
      const kept = value === null ? null : after(value)
      if (kept !== null && !fits(kept, to)) unfit.add(former.table, id, documentId)
    }
  }
  return unfit.found
}
