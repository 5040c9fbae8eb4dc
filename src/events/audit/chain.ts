/**
 * Adds committed records to the chain: numbers them, and gives each a hash that depends on all records before it. Not part
 * of the transactions that write records, which would wait for each other.
 */
import { compile } from '../../store/compile.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Row } from '../../store/statement.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { numberEvents } from '../outbox/read-events.ts'
import { EVENTS, events, sequence } from '../outbox/tables.ts'
import { chainHash } from './audit-record.ts'
import { contentColumns, contentColumnsOfEvent, contentOf } from './rows.ts'
import { AUDIT, audit, chain, incoming } from './tables.ts'

/**
 * Records per transaction, of each place where they wait. Each transaction stores the changed pages of the indexes, so fewer
 * would take longer in all. Requests that write wait meanwhile, about 20 ms on SQLite.
 */
const STEP = 1_000

/** A position in the chain. */
export interface ChainPosition {
  readonly seq: number
  readonly hash: string
}

export interface ChainState {
  /** The last record in the chain. */
  readonly last: ChainPosition
  /** The last one that retention has deleted. */
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

/** Where records wait to be added to the chain. */
interface Source {
  readonly table: Sql
  /** The column with the place of a record in the table. */
  readonly place: Sql
  /** The columns of the log. */
  readonly content: Sql
  readonly isWaiting: Sql
}

const incomingRecords: Source = {
  table: incoming,
  place: sql`id`,
  content: contentColumns,
  isWaiting: sql`id > 0`,
}

/** Events that were written while the audit log was off have no names of changed fields. */
const eventsAfterLast = (seq: Sql): Source => ({
  ...{ table: events, place: seq, content: contentColumnsOfEvent },
  isWaiting: sql`${seq} > (select last_event from ${chain} where id = 1) and fields is not null`,
})

/** Adds every committed record to the chain. One process at a time does so. */
export async function chainRecords(store: Store): Promise<void> {
  const { dialect } = store
  const read = (statement: Sql) => store.read(compile(dialect, statement))
  const hasEvents = (await read(dialect.hasTable(EVENTS))).length > 0
  if (hasEvents) await numberEvents(store)
  const fromEvents = hasEvents ? eventsAfterLast(sequence(dialect)) : null
  const hasWaiting = async ({ table, isWaiting }: Source) =>
    (await read(sql`select 1 as one from ${table} where ${isWaiting} limit 1`)).length > 0
  while ((await hasWaiting(incomingRecords)) || (fromEvents && (await hasWaiting(fromEvents))))
    await store.write((transaction) => chainStep(transaction, fromEvents))
}

async function chainStep(transaction: Transaction, fromEvents: Source | null): Promise<void> {
  const { dialect } = transaction
  const run = (statement: Sql) => transaction.run(compile(dialect, statement))
  const readOldest = ({ table, place, content, isWaiting }: Source) =>
    transaction.all(
      compile(
        dialect,
        sql`select ${place} as place, ${content} from ${table} where ${isWaiting}
          order by ${place} limit ${sql.lit(STEP)}`,
      ),
    )
  // What was chained before is visible to the statements after the lock.
  transaction.lock([AUDIT])
  let { last } = await readChainState(transaction)
  const changes = fromEvents ? await readOldest(fromEvents) : []
  const others = await readOldest(incomingRecords)
  const chained = new Map<Row, ChainPosition>()
  for (const row of mergeByTime(changes, others)) {
    const seq = last.seq + 1
    last = { seq, hash: chainHash(last.hash, contentOf(row, seq)) }
    chained.set(row, last)
  }
  if (chained.size === 0) return
  const insert = ({ table, place, content }: Source, rows: readonly Row[]) => {
    const positions = rows.map((row) => ({ ...chained.get(row), place: Number(row.place) }))
    const items = dialect.recordsFromJson(POSITION, sql`${JSON.stringify(positions)}`)
    run(sql`insert into ${audit} (id, ${contentColumns}, hash) select item.seq, ${content}, item.hash
      from ${items} ${dialect.joinInOrder} ${table} as waiting on waiting.${place} = item.place`)
    return positions
  }
  if (others.length > 0) {
    const places = insert(incomingRecords, others).map(({ place }) => place)
    run(sql`delete from ${incoming} where ${dialect.inIntegers(sql`id`, sql`${JSON.stringify(places)}`)}`)
  }
  if (fromEvents && changes.length > 0) {
    const lastEvent = insert(fromEvents, changes).at(-1)?.place ?? 0
    run(sql`update ${chain} set last_event = ${lastEvent} where id = 1`)
  }
  run(sql`update ${chain} set last_seq = ${last.seq}, last_hash = ${last.hash} where id = 1`)
}

const POSITION = { place: 'bigint', seq: 'bigint', hash: 'text' } as const

/** Each list keeps its order, which is that of the commits. */
function mergeByTime(one: readonly Row[], other: readonly Row[]): Row[] {
  const merged: Row[] = []
  let next = 0
  for (const row of other) {
    for (let before = one[next]; before && String(before.at) <= String(row.at); before = one[++next])
      merged.push(before)
    merged.push(row)
  }
  return [...merged, ...one.slice(next)]
}
