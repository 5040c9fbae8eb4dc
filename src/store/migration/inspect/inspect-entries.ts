/** Component entries under a changed model: one look at each serves all changes that are about them. */
import { columnOf } from '../../tables/layout.ts'
import { createRewriter, type Tally } from '../entries/entry-rewriter.ts'
import { type Change, isList } from '../plan/change.ts'
import { attributesOf } from '../plan/match-models.ts'
import { entriesIn, type Found, filledRows, type Ground, NOTHING, Tallied } from './inspection-context.ts'

type Effect = Parameters<Tally>[1]

/** What was found in entries about each change. */
export interface EntryTallies {
  of(change: Change, effect: Effect): Found
  /** Whether entries in the list of a former attribute lose content. */
  isLossy(table: string, attribute: string): boolean
}

export const noTallies: EntryTallies = { of: () => NOTHING, isLossy: () => false }

/** Looks at every entry that the changes are about. */
export async function tallyEntries(ground: Ground, changes: readonly Change[]): Promise<EntryTallies> {
  const rewriter = createRewriter(ground.transition, changes)
  const tallies = new Map<Change, Record<Effect, Tallied>>()
  const lossy = new Set<string>()
  const tallyOf = (change: Change) => {
    const known = tallies.get(change)
    if (known) return known
    const made = { touched: new Tallied(), lost: new Tallied(), inTheWay: new Tallied() }
    tallies.set(change, made)
    return made
  }
  const takenBy = rememberTaken(changes)
  for (const on of ground.transition.types) {
    for (const { former, next } of attributesOf(on).kept) {
      if (!isList(former) || !isList(next) || !rewriter.touches(former, next)) continue
      const { table } = on.former
      for await (const rows of filledRows(ground, table, columnOf(former.name))) {
        for (const { id, documentId, value } of rows) {
          const tally: Tally = (change, effect) => {
            tallyOf(change)[effect].add(table, id, documentId)
            if (effect === 'lost') lossy.add(`${table} ${former.name}`)
          }
          rewriter.rewrite(entriesIn(value), former, next, { tally, taken: takenBy(table, id) })
        }
      }
    }
  }
  return {
    of: (change, effect) => tallies.get(change)?.[effect].found ?? NOTHING,
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
