/** Reads the audit log: a page of the newest records, or all in their order. Records are in the chain when they are read. */
import { compile } from '../../store/compile.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Store } from '../../store/store.ts'
import type { AuditRecord } from './audit-record.ts'
import { chainRecords } from './chain.ts'
import { contentColumns, recordOf } from './rows.ts'
import { audit } from './tables.ts'

/** Only records that match all given members. */
export interface AuditFilter {
  /** `user:<documentId>`, `token:<id>`, `public` or `system`. */
  readonly by?: string
  readonly action?: string
  readonly type?: string
  readonly documentId?: string
  /** Instants: from the first, before the second. */
  readonly from?: string
  readonly to?: string
}

/** Records per statement of a stream. */
const BATCH = 500

function conditionsOf({ by, action, type, documentId, from, to }: AuditFilter): Sql[] {
  const equal = (column: string, value: string | undefined) =>
    value === undefined ? [] : [sql`${sql.id(column)} = ${value}`]
  return [
    ...equal('author', by),
    ...equal('action', action),
    ...equal('type', type),
    ...equal('document_id', documentId),
    // The bounds are found in the index of times, so that records outside them are not read one by one. The plus signs
    // keep the engines from searching for them in the order of the numbers.
    ...(from === undefined
      ? []
      : [sql`at >= ${from} and id >= (select min(+id) from ${audit} where at >= ${from})`]),
    ...(to === undefined ? [] : [sql`at < ${to} and id <= (select max(+id) from ${audit} where at < ${to})`]),
  ]
}

const selectWhere = (conditions: readonly Sql[]) => sql`select id, ${contentColumns}, hash from ${audit}
  ${conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, ' and ')}`}`

/** Up to `limit` records, the newest first; only those with a number below `before`, if it is given. */
export async function readAuditPage(
  store: Store,
  filter: AuditFilter,
  limit: number,
  before: number | null,
): Promise<AuditRecord[]> {
  await chainRecords(store)
  const isBefore = before === null ? [] : [sql`id < ${before}`]
  const selected = selectWhere([...conditionsOf(filter), ...isBefore])
  const rows = await store.read(compile(store.dialect, sql`${selected} order by id desc limit ${limit}`))
  return rows.map(recordOf)
}

/**
 * Records after a number, or all of them, including numbers that the server never assigns; the oldest first, in batches.
 * Ends with the newest at the time of the call.
 */
export async function* readAuditInOrder(
  store: Store,
  filter: AuditFilter = {},
  after: number | null = null,
): AsyncGenerator<readonly AuditRecord[]> {
  await chainRecords(store)
  const conditions = conditionsOf(filter)
  for (let last = after; ; ) {
    const selected = selectWhere([...conditions, ...(last === null ? [] : [sql`id > ${last}`])])
    const rows = await store.read(
      compile(store.dialect, sql`${selected} order by id limit ${sql.lit(BATCH)}`),
    )
    const records = rows.map(recordOf)
    if (records.length > 0) yield records
    last = records.at(-1)?.seq ?? last
    if (records.length < BATCH) return
  }
}
