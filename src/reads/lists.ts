/** Lists: a page of documents, and how many there are. A count is not taken again while its tables stand. */
import { LRUCache } from 'lru-cache'
import { bind } from '../plan/plan.ts'
import { andThen, type MaybePromise, unlessOutdated } from '../store/maybe-promise.ts'
import type { Statement } from '../store/statement.ts'
import type { Store } from '../store/store.ts'
import { partOf } from './cursor-page.ts'
import { beginningOf, bindPage } from './page-start.ts'
import type { Ready } from './prepared-queries.ts'
import type { ReadStats } from './read-stats.ts'
import type { ListResult } from './reads.ts'
import { stampOf } from './response-cache.ts'
import { listOf } from './rows.ts'

/** Reads the list that is ready; `noteDuration` is told the statement once it was made. */
export type ReadList = (
  ready: Ready,
  noteDuration: (statement: Statement) => void,
) => MaybePromise<ListResult>

const MOST_COUNTS = 5_000

/** The lists of one state of the model; `remembers` whether counts and beginnings of pages are kept at all. */
export function createLists(store: Store, remembers: boolean, watch: ReadStats): ReadList {
  const counts = new LRUCache<string, { readonly versions: string; readonly total: number }>({
    max: MOST_COUNTS,
  })

  return (ready, noteDuration) => {
    const { checked, plan, countKey } = ready
    const { page, values, omitted, cursorPage: walk } = checked
    if (!page) throw new Error('A list has a page')
    const stamp = stampOf(store, plan.tables)
    const { versions } = stampOf(store, plan.countTables)
    const known = page.withCount && countKey !== null ? counts.get(countKey) : undefined
    let remembered = known?.versions === versions ? known.total : null
    if (page.withCount) watch.counts[remembered === null ? 'misses' : 'hits']++
    const readAndCount = page.withCount ? plan.readAndCount : null
    const bound =
      remembered === null && readAndCount
        ? bind(readAndCount, values)
        : bindPage(plan, checked, versions, ready.begins)
    const relies = remembered !== null || ready.begins?.versions === versions
    const hasMoved = () => relies && stampOf(store, plan.countTables).versions !== versions
    const anew = () => {
      remembered = null
      return bind(readAndCount ?? plan.read, values)
    }
    const totalOf = (counted: unknown) => {
      noteDuration(bound)
      if (!page.withCount || remembered !== null) return remembered
      const total = Number(counted)
      if (remembers && countKey !== null) counts.set(countKey, { versions, total })
      return total
    }
    if (walk) {
      const read = (statement: Statement) => store.read(statement, plan.tables)
      return andThen(
        unlessOutdated(read(bound), hasMoved, () => read(anew())),
        (rows) => {
          const total = totalOf(rows[0]?.total)
          return { ...partOf(walk, rows, page.limit), page, total, omitted, stamp }
        },
      )
    }
    const read = (statement: Statement) => store.readFirstRow(statement, plan.tables)
    return andThen(
      unlessOutdated(read(bound), hasMoved, () => read(anew())),
      (row) => {
        const total = totalOf(row?.[1])
        if (remembers && page.start > 0 && ready.begins?.versions !== versions)
          ready.begins = beginningOf(plan, versions, row?.[0])
        return { data: listOf(plan, row?.[0]), page, total, cursors: null, omitted, stamp }
      },
    )
  }
}
