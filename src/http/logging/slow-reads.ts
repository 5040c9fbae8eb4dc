/**
 * Logs slow reads with their statement and the query plan, without values, which may be personal data. The SQL and the
 * plan of a statement are logged at most once a minute.
 */
import { hash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import { pathOf } from '../../reads/indexes/report.ts'
import type { SlowRead } from '../../reads/read-stats.ts'
import type { Store } from '../../store/store.ts'
import { stringifyQuery } from '../request/query-string.ts'
import { redactValues } from './redact.ts'

const PLAN_INTERVAL_MS = 60_000
const REMEMBERED_STATEMENTS = 500

export interface SlowReadLog {
  readonly count: number
  readonly report: (read: SlowRead) => void
}

export function createSlowReadLog(
  store: Store,
  log: () => Pick<FastifyBaseLogger, 'warn'> | null,
): SlowReadLog {
  const explained = new LRUCache<string, true>({ max: REMEMBERED_STATEMENTS, ttl: PLAN_INTERVAL_MS })
  let count = 0
  let isExplaining = false

  function report({ type, id, query, statement, milliseconds }: SlowRead): void {
    count++
    const fingerprint = hash('sha1', statement.sql, 'hex').slice(0, 12)
    const path = id === null ? pathOf(type) : `${pathOf(type)}/${encodeURIComponent(id)}`
    const rawQuery = stringifyQuery(query)
    const line = {
      url: redactValues(rawQuery === '' ? path : `${path}?${rawQuery}`),
      contentType: type.uid,
      ms: Math.round(milliseconds * 10) / 10,
      statement: fingerprint,
    }
    if (isExplaining || explained.has(fingerprint)) {
      log()?.warn(line, 'Slow read')
      return
    }
    explained.set(fingerprint, true)
    isExplaining = true
    store
      .explain(statement)
      .then(
        ({ outline, scans }) =>
          log()?.warn({ ...line, sql: statement.sql, plan: outline, scans }, 'Slow read'),
        () => log()?.warn({ ...line, sql: statement.sql }, 'Slow read'),
      )
      .finally(() => {
        isExplaining = false
      })
  }

  return {
    get count() {
      return count
    },
    report,
  }
}
