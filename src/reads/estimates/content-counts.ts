/**
 * Counts the rows of content-types and the edges of relations, for estimates. They are counted when an estimate first needs
 * them, and again in the background once their tables have changed, but so rarely that it costs next to nothing.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { typeOf } from '../../model/model.ts'
import type { ContentCounts } from '../../plan/estimate.ts'
import { compile } from '../../store/compile.ts'
import type { MaybePromise } from '../../store/maybe-promise.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Store } from '../../store/store.ts'
import { EDGES, type Layout, type RelationKey } from '../../store/tables/layout.ts'

/** The content-types and relations whose counts an estimate needs. */
export interface CountedContent {
  readonly types: ReadonlySet<string>
  /** By their numbers. */
  readonly relations: ReadonlySet<number>
}

export interface CountReader {
  readonly counts: ContentCounts
  /** Makes the counts of this content available. A promise only if some of it has never been counted. */
  provide(content: CountedContent): MaybePromise<void>
}

/** Milliseconds between two counts of the same content. */
const MIN_INTERVAL = 5_000
/** The interval is at least this many times as long as counting takes. */
const MIN_PAUSE = 200
/** SQLite combines at most 500 queries in one statement. */
const MAX_COMBINED = 200

interface Count {
  readonly byStatus: readonly [drafts: number, published: number]
  /** The version of the table that was counted. */
  readonly version: number
  /** When it may be counted again. */
  readonly due: number
}

/** What to count: the rows of a query, which has the column `published`. */
interface Countable {
  readonly key: string
  readonly table: string
  readonly rows: Sql
}

/** Runs work that belongs to no request, so that it is not traced as a part of the one that started it. */
const outsideRequests = AsyncLocalStorage.snapshot()

const NOTHING: Count['byStatus'] = [0, 0]

export function createCountReader(store: Store, layout: Layout): CountReader {
  const known = new Map<string, Count>()
  /** Keys that are being counted, with the promise of their counts. */
  const counting = new Map<string, Promise<void>>()

  const ofType = (uid: string): Countable => {
    const { table } = typeOf(layout.model, uid)
    return { key: `type ${uid}`, table, rows: sql`${sql.table(table)}` }
  }
  const ofRelation = (id: number): Countable => ({
    key: `relation ${id}`,
    table: EDGES,
    rows: sql`${sql.table(EDGES)} where relation = ${sql.lit(id)}`,
  })

  /** Failures are ignored: the content then counts as empty, or keeps its old counts, until the next attempt. */
  async function count(wanted: readonly Countable[]): Promise<void> {
    const start = performance.now()
    const versions = new Map(wanted.map(({ table }) => [table, store.tableVersion(table)]))
    const found = new Map<string, [number, number]>()
    try {
      for (let at = 0; at < wanted.length; at += MAX_COMBINED) {
        const some = wanted.slice(at, at + MAX_COMBINED)
        const queries = some.map(
          ({ key, rows }) =>
            sql`select ${sql.lit(key)} as key, published, count(*) as count from ${rows} group by published`,
        )
        const statement = compile(store.dialect, sql.join(queries, ' union all '))
        for (const row of await store.read(statement, [...versions.keys()])) {
          const byStatus = found.get(String(row.key)) ?? [0, 0]
          byStatus[row.published === 1 ? 1 : 0] = Number(row.count)
          found.set(String(row.key), byStatus)
        }
      }
    } catch {
      for (const { key } of wanted) found.set(key, [...(known.get(key)?.byStatus ?? NOTHING)])
    }
    const now = performance.now()
    const due = now + Math.max(MIN_INTERVAL, (now - start) * MIN_PAUSE)
    for (const { key, table } of wanted) {
      known.set(key, { byStatus: found.get(key) ?? NOTHING, version: versions.get(table) ?? 0, due })
      counting.delete(key)
    }
  }

  function startCounting(wanted: readonly Countable[]): Promise<unknown> {
    const others = wanted.flatMap(({ key }) => counting.get(key) ?? [])
    const mine = wanted.filter(({ key }) => !counting.has(key))
    const started = mine.length > 0 ? [count(mine)] : []
    for (const { key } of mine) for (const promise of started) counting.set(key, promise)
    return Promise.all([...others, ...started])
  }

  const isOutdated = (table: string, { version, due }: Count) =>
    performance.now() >= due && store.tableVersion(table) !== version

  return {
    counts: {
      rows: (type, published) => (known.get(ofType(type).key)?.byStatus ?? NOTHING)[published],
      edges: (relation: RelationKey, published) =>
        (known.get(ofRelation(layout.relationId(relation)).key)?.byStatus ?? NOTHING)[published],
    },
    provide({ types, relations }) {
      const wanted = [...[...types].map(ofType), ...[...relations].map(ofRelation)]
      const missing = wanted.filter(({ key }) => !known.has(key))
      if (missing.length > 0) return startCounting(missing).then(() => {})
      const outdated = wanted.filter(({ key, table }) => {
        const count = known.get(key)
        return count !== undefined && isOutdated(table, count)
      })
      if (outdated.length > 0) void outsideRequests(() => startCounting(outdated))
    },
  }
}
