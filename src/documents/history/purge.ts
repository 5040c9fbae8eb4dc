/** Deletes history permanently, in small steps: that of one document, of a content-type, or all of it. */
import { compile } from '../../store/compile.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Store } from '../../store/store.ts'
import { history } from './tables.ts'

/** What to delete; everything that is given must apply. */
export interface PurgeFilter {
  readonly documentId?: string
  /** uid of a content-type, which may no longer exist. */
  readonly type?: string
  /** States that were saved before this time. */
  readonly before?: string
}

const STEP = 1_000

const matches = ({ documentId, type, before }: PurgeFilter): Sql =>
  sql.join(
    [
      sql`1 = 1`,
      ...(documentId === undefined ? [] : [sql`document_id = ${documentId}`]),
      ...(type === undefined ? [] : [sql`type = ${type}`]),
      ...(before === undefined ? [] : [sql`at < ${before}`]),
    ],
    ' and ',
  )

/** The number of saved states by content-type. */
export async function countHistory(store: Store, filter: PurgeFilter): Promise<ReadonlyMap<string, number>> {
  const rows = await store.read(
    compile(
      store.dialect,
      sql`select type, count(*) as number from ${history} where ${matches(filter)} group by type order by type`,
    ),
  )
  return new Map(rows.map(({ type, number }) => [String(type), Number(number)]))
}

/** Returns the number of deleted states. */
export async function purgeHistory(store: Store, filter: PurgeFilter): Promise<number> {
  const statement = compile(
    store.dialect,
    sql`delete from ${history} where id in (
      select id from ${history} where ${matches(filter)} order by id limit ${sql.lit(STEP)}) returning id`,
  )
  for (let deleted = 0; ; ) {
    const rows = await store.write((transaction) => transaction.all(statement))
    deleted += rows.length
    if (rows.length < STEP) return deleted
  }
}
