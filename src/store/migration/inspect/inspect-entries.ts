/** Finds what the changes do to component entries. Every entry is read once for all changes. Reads only. */
import { holdsEntries } from '../../../model/model.ts'
import { columnOf } from '../../tables/layout.ts'
import { createEntryRewriter, type EntryEffect, type RewriteObserver } from '../entries/entry-rewriter.ts'
import type { Change } from '../plan/change.ts'
import { matchAttributes } from '../plan/match-models.ts'
import {
  AffectedRowCounter,
  type AffectedRows,
  NO_ROWS,
  parseEntries,
  readFilledRows,
} from './affected-rows.ts'
import type { InspectionContext } from './inspection-context.ts'

export interface EntryImpacts {
  /** The rows whose entries a change affects in this way. */
  of(change: Change, effect: EntryEffect): AffectedRows
  /** Whether entries in the column of a previous attribute lose content. */
  isLossy(table: string, attribute: string): boolean
}

export async function inspectEntries(
  context: InspectionContext,
  changes: readonly Change[],
): Promise<EntryImpacts> {
  const rewriter = createEntryRewriter(context.transition, changes)
  const counters = new Map<Change, Record<EntryEffect, AffectedRowCounter>>()
  const lossyColumns = new Set<string>()
  const countersOf = (change: Change) => {
    const existing = counters.get(change)
    if (existing) return existing
    const created = {
      affected: new AffectedRowCounter(),
      lost: new AffectedRowCounter(),
      invalid: new AffectedRowCounter(),
    }
    counters.set(change, created)
    return created
  }
  const uniqueValuesOf = trackUniqueValues(changes)
  for (const on of context.transition.types) {
    for (const { previous, next } of matchAttributes(on).matched) {
      if (!holdsEntries(previous) || !holdsEntries(next) || !rewriter.mayChange(previous, next)) continue
      const { table } = on.previous
      for await (const rows of readFilledRows(context.read, table, columnOf(previous.name))) {
        for (const { id, documentId, value } of rows) {
          const report: RewriteObserver['report'] = (change, effect) => {
            countersOf(change)[effect].add(table, id, documentId)
            if (effect === 'lost') lossyColumns.add(`${table} ${previous.name}`)
          }
          const uniqueValues = uniqueValuesOf(table, id)
          rewriter.rewrite(parseEntries(value), previous, next, { report, uniqueValues })
        }
      }
    }
  }
  return {
    of: (change, effect) => counters.get(change)?.[effect].result ?? NO_ROWS,
    isLossy: (table, attribute) => lossyColumns.has(`${table} ${attribute}`),
  }
}

/** The unique values of each row, whose entries may be in several columns; remembered only if a change needs them. */
function trackUniqueValues(changes: readonly Change[]): (table: string, id: number) => Set<string> {
  const isNeeded = changes.some((change) => change.kind === 'makeUnique' && change.on.kind === 'component')
  const byRow = new Map<string, Set<string>>()
  return (table, id) => {
    const row = `${table} ${id}`
    const values = byRow.get(row) ?? new Set()
    if (isNeeded) byRow.set(row, values)
    return values
  }
}
