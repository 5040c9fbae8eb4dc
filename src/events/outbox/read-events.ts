/** Reads events in order. Numbers committed events first where the engine commits them out of order. */
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Row } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { StoredEvent } from '../event.ts'
import { EVENTS, events, sequence } from './tables.ts'

/** Events per statement. */
const BATCH = 1_000

/**
 * Gives a number to every committed event that has none. One process at a time does so, and a number is never visible
 * before a smaller one: numbers follow the order of commits, and within a transaction that of the changes.
 */
export async function numberEvents(store: Store): Promise<void> {
  const { dialect } = store
  if (dialect.hasSingleWriter) return
  const unnumbered = compile(dialect, sql`select 1 as one from ${events} where seq is null limit 1`)
  while ((await store.read(unnumbered)).length > 0) {
    await store.write(async (transaction) => {
      // Everything that was numbered before is visible to the statement after the lock.
      transaction.lock([EVENTS])
      const numbered = sql`update ${events} as e set seq = n.seq from (
        select id, row_number() over (order by id) + (select coalesce(max(seq), 0) from ${events}) as seq
        from (select id from ${events} where seq is null order by id limit ${sql.lit(BATCH)}) as u) as n
        where e.id = n.id`
      transaction.run(compile(dialect, numbered))
    })
  }
}

/** The smallest and the largest number of the stored events; zero if there are none. */
export interface StoredRange {
  readonly oldest: number
  readonly newest: number
}

export async function readRange(store: Store): Promise<StoredRange> {
  await numberEvents(store)
  const seq = sequence(store.dialect)
  const [row] = await store.read(
    compile(
      store.dialect,
      sql`select (select min(${seq}) from ${events}) as oldest, (select max(${seq}) from ${events}) as newest`,
    ),
  )
  return { oldest: Number(row?.oldest ?? 0), newest: Number(row?.newest ?? 0) }
}

const COLUMNS = sql.raw('event, type, document_id, locale, published, author, request_id, at, removed')

/** Up to `limit` events after a number, in order. */
export async function readEventsAfter(store: Store, after: number, limit = BATCH): Promise<StoredEvent[]> {
  await numberEvents(store)
  const { dialect } = store
  const seq = sequence(dialect)
  const rows = await store.read(
    compile(
      dialect,
      sql`select ${seq} as seq, ${COLUMNS} from ${events} where ${seq} > ${after}
        order by ${seq} limit ${limit}`,
    ),
  )
  return rows.map(eventOf)
}

/** Up to `limit` events, the newest first, whether or not they have a number yet. */
export async function readNewestEvents(store: Store, limit: number): Promise<StoredEvent[]> {
  const { dialect } = store
  const rows = await store.read(
    compile(
      dialect,
      sql`select ${sequence(dialect)} as seq, ${COLUMNS} from ${events} order by id desc limit ${limit}`,
    ),
  )
  return rows.map(eventOf)
}

/** The event that removed the version which an earlier event is about; null if nothing has removed it since. */
export async function readRemovalAfter(store: Store, earlier: StoredEvent): Promise<StoredEvent | null> {
  await numberEvents(store)
  const { dialect } = store
  const seq = sequence(dialect)
  // Unpublishing leaves the draft.
  const names = ['document.delete', 'file.delete', ...(earlier.published ? ['document.unpublish'] : [])]
  const [row] = await store.read(
    compile(
      dialect,
      sql`select ${seq} as seq, ${COLUMNS} from ${events}
        where removed is not null and document_id = ${earlier.documentId} and type = ${earlier.type}
        and locale = ${earlier.locale ?? ''} and ${seq} > ${earlier.seq}
        and event in (${sql.join(names.map((name) => sql`${name}`))}) order by ${seq} limit 1`,
    ),
  )
  return row ? eventOf(row) : null
}

const textOrNull = (value: Row[string] | undefined) =>
  value === null || value === undefined ? null : String(value)

const eventOf = (row: Row): StoredEvent => ({
  seq: Number(row.seq),
  event: String(row.event),
  at: String(row.at),
  type: String(row.type),
  documentId: String(row.document_id),
  locale: textOrNull(row.locale) || null,
  published: row.published === 1,
  author: String(row.author),
  requestId: textOrNull(row.request_id),
  removed: textOrNull(row.removed),
})
