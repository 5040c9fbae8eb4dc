/** Reads the audit log: a page of the newest records, or all in their order. Records are in the chain when they are read. */
import { compile } from '../../store/compile.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Store } from '../../store/store.ts'
import type { AuditRecord } from './audit-record.ts'
import { chainRecords } from './chain.ts'
import { contentColumns, recordOf } from './rows.ts'
import { audit, sequence } from './tables.ts'

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

function conditionOf(seq: Sql, { by, action, type, documentId, from, to }: AuditFilter): Sql {
  const equal = (column: string, value: string | undefined) =>
    value === undefined ? [] : [sql`${sql.id(column)} = ${value}`]
  return sql.join(
    [
      sql`hash is not null`,
      ...equal('author', by),
      ...equal('action', action),
      ...equal('type', type),
      ...equal('document_id', documentId),
      // The bounds are found in the index of times, so that records outside them are not read one by one. The plus signs
      // keep the engines from searching for them in the order of the numbers.
      ...(from === undefined
        ? []
        : [
            sql`at >= ${from} and ${seq} >= (select min(+${seq}) from ${audit} where hash is not null and at >= ${from})`,
          ]),
      ...(to === undefined
        ? []
        : [
            sql`at < ${to} and ${seq} <= (select max(+${seq}) from ${audit} where hash is not null and at < ${to})`,
          ]),
    ],
    ' and ',
  )
}

/** Up to `limit` records, the newest first; only those with a number below `before`, if it is given. */
export async function readAuditPage(
  store: Store,
  filter: AuditFilter,
  limit: number,
  before: number | null,
): Promise<AuditRecord[]> {
  await chainRecords(store)
  const seq = sequence(store.dialect)
  const isBefore = before === null ? sql`` : sql` and ${seq} < ${before}`
  const rows = await store.read(
    compile(
      store.dialect,
      sql`select ${seq} as seq, ${contentColumns}, hash from ${audit}
        where ${conditionOf(seq, filter)}${isBefore} order by ${seq} desc limit ${limit}`,
    ),
  )
  return rows.map(recordOf)
}

/** Records after a number, the oldest first, in batches. Ends with the newest at the time of the call. */
export async function* readAuditInOrder(
  store: Store,
  filter: AuditFilter = {},
  after = 0,
): AsyncGenerator<readonly AuditRecord[]> {
  await chainRecords(store)
  const seq = sequence(store.dialect)
  const condition = conditionOf(seq, filter)
  for (let last = after; ; ) {
    const rows = await store.read(
      compile(
        store.dialect,
        sql`select ${seq} as seq, ${contentColumns}, hash from ${audit}
          where ${condition} and ${seq} > ${last} order by ${seq} limit ${sql.lit(BATCH)}`,
      ),
    )
    const records = rows.map(recordOf)
    if (records.length > 0) yield records
    last = records.at(-1)?.seq ?? last
    if (records.length < BATCH) return
  }
}
