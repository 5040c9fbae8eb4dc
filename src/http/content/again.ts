/**
 * Reads that are asked for again in the same words. While nothing at all has changed in the database, a URL that nobody
 * in particular asks for leads to the same outcome, so the way to it need not be gone again: neither the query, nor the
 * permissions, nor the model are looked at.
 */
import type { Store } from '../../store/store.ts'
import type { Outcome } from '../response/outcome.ts'
import type { Server } from '../server.ts'
import { keptUnder } from './cached-read.ts'

export interface Again {
  /** What a URL has led to, while it would lead there still. */
  find(url: string): Outcome | null
  /** Notes that at this moment of the store a URL led to an outcome without having to wait for anything. */
  note(url: string, outcome: Outcome, moment: number): void
}

/** Only names are remembered, not the outcomes: those stay as long as there is room for them where they are kept. */
const MOST = 10_000
/** Longer ones are not remembered, so that nobody fills the memory with them. */
const LONGEST = 1_000

/** None that was noted when the store cannot tell: why it cannot, who goes the whole way finds out. */
function momentOf(store: Store): number | undefined {
  try {
    return store.globalVersion()
  } catch {
    return
  }
}

export function createAgain(server: Pick<Server, 'store' | 'reads'>): Again {
  /** What outcomes are kept under, by URL. */
  const keys = new Map<string, string>()
  let seenAt: number | null = null
  return {
    find(url) {
      const key = keys.get(url)
      return key === undefined || momentOf(server.store) !== seenAt ? null : keptUnder(server.reads(), key)
    },
    note(url, { kept }, moment) {
      if (!kept || url.length > LONGEST) return
      if (moment !== seenAt || keys.size >= MOST) keys.clear()
      seenAt = moment
      keys.set(url, kept.key)
    },
  }
}
