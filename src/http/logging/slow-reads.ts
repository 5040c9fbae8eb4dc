/**
 * Reads that took long, told in the log with their statement and the engine's plan. Values stay out of it: they may be
 * anybody's. The text and the plan of a statement are told once a minute, however often it is slow.
 */
import { hash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import { FILE, ROLE } from '../../model/model.ts'
import type { SlowRead } from '../../reads/read-stats.ts'
import type { Store } from '../../store/store.ts'
import { redactValues } from './redact.ts'

const ONCE_IN_MS = 60_000
const REMEMBERED_STATEMENTS = 500

/** Content-types whose routes are not named after them. */
const PATHS: ReadonlyMap<string, string> = new Map([
  [FILE, 'upload/files'],
  [ROLE, 'users-permissions/roles'],
])

export interface SlowReadLog {
  /** How many there were. */
  readonly count: number
  readonly report: (read: SlowRead) => void
}

/** Tells of slow reads in the log. */
export function createSlowReadLog(
  store: Store,
  log: () => Pick<FastifyBaseLogger, 'warn'> | null,
): SlowReadLog {
  const told = new LRUCache<string, true>({ max: REMEMBERED_STATEMENTS, ttl: ONCE_IN_MS })
  let count = 0
  let explaining = false

  function tell({ type, id, rawQuery, statement, milliseconds }: SlowRead): void {
    count++
    const text = hash('sha1', statement.sql, 'hex').slice(0, 12)
    const name = PATHS.get(type.uid) ?? (type.kind === 'single' ? type.singular : type.plural)
    const path = id === null ? `/api/${name}` : `/api/${name}/${encodeURIComponent(id)}`
    const line = {
      url: redactValues(rawQuery === '' ? path : `${path}?${rawQuery}`),
      contentType: type.uid,
      ms: Math.round(milliseconds * 10) / 10,
      statement: text,
    }
    if (explaining || told.has(text)) {
      log()?.warn(line, 'A read was slow')
      return
    }
    told.set(text, true)
    explaining = true
    store
      .explain(statement)
      .then(
        ({ outline, scans }) =>
          log()?.warn({ ...line, sql: statement.sql, plan: outline, scans }, 'A read was slow'),
        () => log()?.warn({ ...line, sql: statement.sql }, 'A read was slow'),
      )
      .finally(() => {
        explaining = false
      })
  }

  return {
    get count() {
      return count
    },
    report: tell,
  }
}
