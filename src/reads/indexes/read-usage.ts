/**
 * Counts how often lists are read, by the compiled plan of their query. This is all that a request pays for learning which
 * indexes would help: the plans are examined in the background.
 */
import type { Plan } from '../../plan/plan.ts'
import type { ParamObject } from '../../query/params.ts'
import type { CheckedQuery } from '../../query/parse-query.ts'
import type { Layout } from '../../store/tables/layout.ts'

/** The reads with one plan since they were last taken. */
export interface ReadUsage {
  readonly plan: Plan
  readonly layout: Layout
  reads: number
  milliseconds: number
  /** The last of them. Its values never leave the memory of the process. */
  last: LastRead
}

export interface LastRead {
  readonly checked: CheckedQuery
  readonly params: ParamObject
}

/** Counts the reads of one model. */
export interface UsageCounter {
  /** Counts a read of a list that has filters or is sorted. */
  count(plan: Plan, checked: CheckedQuery, params: ParamObject, milliseconds: number): void
}

export interface UsageCollector {
  counterFor(layout: Layout): UsageCounter
  /** The plans that were read since the last call. */
  take(): readonly ReadUsage[]
}

/** Reads with more or longer plans than this at a time are not counted, so that clients cannot fill the memory. */
const MAX_PLANS = 1_000
const MAX_SQL_LENGTH = 4_000_000

const sqlLengthOf = ({ read, readAndCount }: Plan) => read.sql.length + (readAndCount?.sql.length ?? 0)

export function createUsageCollector(): UsageCollector {
  const used = new Set<ReadUsage>()
  let sqlLength = 0
  return {
    counterFor(layout) {
      const usages = new WeakMap<Plan, ReadUsage>()
      return {
        count(plan, checked, params, milliseconds) {
          if (checked.query.where === null && checked.query.sort.length === 0) return
          let usage = usages.get(plan)
          if (!usage) {
            usage = {
              plan,
              layout,
              reads: 0,
              milliseconds: 0,
              last: { checked, params },
            }
            usages.set(plan, usage)
          }
          if (usage.reads === 0) {
            if (used.size >= MAX_PLANS || sqlLength >= MAX_SQL_LENGTH) return
            used.add(usage)
            sqlLength += sqlLengthOf(plan)
            usage.last = { checked, params }
          }
          usage.reads++
          usage.milliseconds += milliseconds
        },
      }
    },
    take() {
      const taken = [...used]
      used.clear()
      sqlLength = 0
      return taken
    },
  }
}
