/** Reads lists: a page of documents and their total. */
import { bind } from '../plan/prepared-statement.ts'
import { createSizedCache } from '../sized-cache.ts'
import { andThen, type MaybePromise, unlessOutdated } from '../store/maybe-promise.ts'
import type { ReadLimits } from '../store/reads/read-limits.ts'
import type { Statement } from '../store/statement.ts'
import type { Store } from '../store/store.ts'
import { cursorPageOf } from './cursor-page.ts'
import type { PreparedQuery } from './prepared-queries.ts'
import type { ReadStats } from './read-stats.ts'
import { stampOf } from './response-cache.ts'
import { jsonOf, type ListResult } from './results.ts'

/** Reads a list; `onRead` is called with the statement once it has run. */
export type ReadList = (
  prepared: PreparedQuery,
  limits: ReadLimits,
  onRead: (statement: Statement) => void,
) => MaybePromise<ListResult>

const MAX_BYTES = 4_194_304

/**
 * The lists of one model. With `cachesCounts`, documents are not counted again until a table that the count depends on
 * has changed: counting 5,000 documents makes a list take 2.8 to 4.7 times the processor time.
 */
export function createLists(store: Store, cachesCounts: boolean, stats: ReadStats): ReadList {
  const counts = createSizedCache<{ readonly versions: string; readonly total: number }>({
    maxBytes: MAX_BYTES,
    bytesOf: ({ versions }) => versions.length,
  })

  return ({ checked, plan, countKey }, limits, onRead) => {
    const { page, values, omitted, cursorPage } = checked
    if (!page) throw new Error('A list must have a page')
    const stamp = stampOf(store, plan.tables)
    const { versions } = stampOf(store, plan.countTables)
    const cached = page.withCount && countKey !== null ? counts.get(countKey) : undefined
    let cachedTotal = cached?.versions === versions ? cached.total : null
    if (page.withCount) stats.counts[cachedTotal === null ? 'misses' : 'hits']++
    const readAndCount = page.withCount ? plan.readAndCount : null
    const statement = bind(cachedTotal === null && readAndCount ? readAndCount : plan.read, values)
    const isOutdated = () => cachedTotal !== null && stampOf(store, plan.countTables).versions !== versions
    const bindWithCount = () => {
      cachedTotal = null
      return bind(readAndCount ?? plan.read, values)
    }
    const totalOf = (counted: unknown) => {
      onRead(statement)
      if (!page.withCount || cachedTotal !== null) return cachedTotal
      const total = Number(counted)
      if (cachesCounts && countKey !== null) counts.set(countKey, { versions, total })
      return total
    }
    if (cursorPage) {
      const read = (one: Statement) => store.read(one, plan.tables, limits)
      return andThen(
        unlessOutdated(read(statement), isOutdated, () => read(bindWithCount())),
        (rows) => {
          const total = totalOf(rows[0]?.total)
          return { ...cursorPageOf(cursorPage, rows, page.limit), page, total, omitted, stamp }
        },
      )
    }
    const { open, close } = plan.wrapper
    const read = (one: Statement) => store.readFirstRow(one, plan.tables, limits)
    return andThen(
      unlessOutdated(read(statement), isOutdated, () => read(bindWithCount())),
      (row) => {
        const total = totalOf(row?.[1])
        const result = { page, total, cursors: null, omitted, stamp }
        if (row?.[0] === null) return { data: '[]', ...result }
        const json = jsonOf(row?.[0])
        return { data: open + json + close, parts: [open, json, close], ...result }
      },
    )
  }
}
