/**
 * Adds committed records to the chain: numbers them where the engine commits them out of order, and gives each a hash that
 * depends on all records before it. Not part of the transactions that write records, which would wait for each other.
 */
import { compile } from '../../store/compile.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { chainHash } from './audit-record.ts'
import { contentColumns, contentOf } from './rows.ts'
import { AUDIT, audit, chain } from './tables.ts'

/**
 * Records per transaction. Each transaction stores the changed pages of the indexes, so fewer would take longer in all: on
 * SQLite, 200 take 35 microseconds of CPU time each and 1,000 take 20. Requests that write wait meanwhile, about 20 ms.
 */
const STEP = 1_000

/** A position in the chain. */
export interface ChainPosition {
  readonly seq: number
  readonly hash: string
}

/** The last record in the chain, and the last one that retention has deleted. */
export interface ChainState {
  readonly last: ChainPosition
  readonly deleted: ChainPosition
}

const selectState = sql`select last_seq, last_hash, deleted_seq, deleted_hash from ${chain} where id = 1`

export async function readChainState(from: Store | Transaction): Promise<ChainState> {
  const statement = compile(from.dialect, selectState)
  const [row] = await ('read' in from ? from.read(statement) : from.all(statement))
  return {
    last: { seq: Number(row?.last_seq ?? 0), hash: String(row?.last_hash ?? '') },
    deleted: { seq: Number(row?.deleted_seq ?? 0), hash: String(row?.deleted_hash ?? '') },
  }
}

/** Adds every committed record to the chain. One process at a time does so. */
export async function chainRecords(store: Store): Promise<void> {
  const { dialect } = store
  const waiting = dialect.hasSingleWriter
    ? sql`select 1 as one from ${audit} where id > (select last_seq from ${chain} where id = 1) limit 1`
    : sql`select 1 as one from ${audit} where seq is null limit 1`
  while ((await store.read(compile(dialect, waiting))).length > 0) await store.write(chainStep)
}

async function chainStep(transaction: Transaction): Promise<void> {
  const { dialect } = transaction
  const run = (statement: Sql) => transaction.run(compile(dialect, statement))
  // What was chained before is visible to the statements after the lock.
  transaction.lock([AUDIT])
  const { last } = await readChainState(transaction)
  const isWaiting = dialect.hasSingleWriter ? sql`id > ${last.seq}` : sql`seq is null`
  const rows = await transaction.all(
    compile(
      dialect,
      sql`select id, ${contentColumns} from ${audit} where ${isWaiting} order by id limit ${sql.lit(STEP)}`,
    ),
  )
  let { seq, hash } = last
  const chained = rows.map((row) => {
    seq = dialect.hasSingleWriter ? Number(row.id) : seq + 1
    hash = chainHash(hash, contentOf(row, seq))
    return { id: Number(row.id), seq, hash }
  })
  if (chained.length === 0) return
  const items = dialect.rowsFromJson(AUDIT, ['id', 'seq', 'hash'], sql`${JSON.stringify(chained)}`)
  const numbering = dialect.hasSingleWriter ? sql`` : sql`seq = item.seq, `
  run(sql`update ${audit} as a set ${numbering}hash = item.hash from ${items} where a.id = item.id`)
  run(sql`update ${chain} set last_seq = ${seq}, last_hash = ${hash} where id = 1`)
}
