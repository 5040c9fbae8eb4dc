/** Component entries under a changed model: one look at each serves all changes that are about them. */
import { columnOf } from '../../tables/layout.ts'
import { createEntryRewriter, type ReportEffect } from '../entries/entry-rewriter.ts'
import { type Change, holdsEntries } from '../plan/change.ts'
import { matchAttributes } from '../plan/match-models.ts'
import {
  AffectedRowCounter,
  type AffectedRows,
  type InspectionContext,
  NO_ROWS,
  parseEntries,
  readFilledRows,
} from './inspection-context.ts'

type Effect = Parameters<ReportEffect>[1]

/** What was found in entries about each change. */
export interface EntryImpacts {
  of(change: Change, effect: Effect): AffectedRows
  /** Whether entries in the list of a previous attribute lose content. */
  isLossy(table: string, attribute: string): boolean
}

export const NO_ENTRY_IMPACTS: EntryImpacts = { of: () => NO_ROWS, isLossy: () => false }

/** Looks at every entry that the changes are about. */
export async function inspectEntries(
  context: InspectionContext,
  changes: readonly Change[],
): Promise<EntryImpacts> {
  const rewriter = createEntryRewriter(context.transition, changes)
  const entryImpacts = new Map<Change, Record<Effect, AffectedRowCounter>>()
  const lossy = new Set<string>()
  const tallyOf = (change: Change) => {
    const known = entryImpacts.get(change)
    if (known) return known
    const made = {
      touched: new AffectedRowCounter(),
      lost: new AffectedRowCounter(),
      inTheWay: new AffectedRowCounter(),
    }
    entryImpacts.set(change, made)
    return made
  }
  const takenBy = rememberTaken(changes)
  for (const on of context.transition.types) {
    for (const { previous, next } of matchAttributes(on).matched) {
      if (!holdsEntries(previous) || !holdsEntries(next) || !rewriter.mayChange(previous, next)) continue
      const { table } = on.previous
      for await (const rows of readFilledRows(context, table, columnOf(previous.name))) {
        for (const { id, documentId, value } of rows) {
          const tally: ReportEffect = (change, effect) => {
            tallyOf(change)[effect].add(table, id, documentId)
            if (effect === 'lost') lossy.add(`${table} ${previous.name}`)
          }
          rewriter.rewrite(parseEntries(value), previous, next, {
            report: tally,
            seenValues: takenBy(table, id),
          })
        }
      }
    }
  }
  return {
    of: (change, effect) => entryImpacts.get(change)?.[effect].result ?? NO_ROWS,
    isLossy: (table, attribute) => lossy.has(`${table} ${attribute}`),
  }
}

/** The unique values of each version, whose entries stand in several lists; kept only where a change asks for them. */
function rememberTaken(changes: readonly Change[]): (table: string, id: number) => Set<string> {
  const isAsked = changes.some((change) => change.kind === 'makeUnique' && change.on.kind === 'component')
  const all = new Map<string, Set<string>>()
  return (table, id) => {
    const key = `${table} ${id}`
    const taken = all.get(key) ?? new Set()
    if (isAsked) all.set(key, taken)
    return taken
  }
}
