/** Creates an index in short steps, between which other writes have their turn, and drops it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { compile } from '../../compile.ts'
import { type Sql, sql } from '../../sql.ts'
import type { IndexDefinition, Transaction } from '../../store.ts'
import { sqliteDialect } from '../dialect.ts'
import { copyName, dropBuild, isBuilding } from './drop-build.ts'
import { columnTypes, copyRows, endOfStep, startBuild } from './index-build.ts'

export interface IndexWrites {
  /** Runs work in a transaction that does not block reads. */
  write<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
  /** Makes the finished index of the copy that of the original. */
  handOver(index: IndexDefinition): Promise<void>
}

/** The rows of a step. Waiting for other threads counts as part of a step, so a busy server would take ever smaller ones. */
const STEP = { min: 500, max: 20_000 }
/**
 * The milliseconds that a step should take. Longer steps change each page of the index less often: in a trial with a million
 * rows, all of them took 58 s with 10 milliseconds, 33 s with 30, and 15 s with 100, and writes waited longer.
 */
const STEP_MS = 30

const all = (transaction: Transaction, query: Sql) => transaction.all(compile(sqliteDialect, query))
const run = (transaction: Transaction, query: Sql) => transaction.run(compile(sqliteDialect, query))

/**
 * Creates an index unless it exists. Continues what an interrupted attempt has left. If another process creates the same
 * index, both fill one copy, and the first to have seen all rows hands it over. Rejects when `signal` aborts.
 */
export async function createIndex(
  { write, handOver }: IndexWrites,
  index: IndexDefinition,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted()
  const exists = await write(async (transaction) => {
    if (await hasRelation(transaction, index.name)) return true
    const [state] = await all(transaction, isBuilding(index.name))
    if (state?.building === 1) return false
    const types = new Map(
      (await all(transaction, columnTypes(index.table))).map(({ name, type }) => [name, String(type)]),
    )
    for (const statement of dropBuild(index.name)) run(transaction, statement)
    for (const statement of startBuild(index, (column) => types.get(column) ?? ''))
      run(transaction, statement)
    return false
  })
  if (exists) return
  let step: Step | null = { after: 0, rows: STEP.min }
  while (step) step = await takeStep(write, index, step, signal)
  await handOver(index)
}

/** Drops an index, or ends its creation: the next step then fails. */
export const dropIndex = ({ write }: IndexWrites, name: string): Promise<void> =>
  write(async (transaction) => {
    run(transaction, sql`DROP INDEX IF EXISTS ${sql.id(name)}`)
    for (const statement of dropBuild(name)) run(transaction, statement)
  })

interface Step {
  /** The last id that has been copied. */
  readonly after: number
  readonly rows: number
}

/** Copies some rows and returns the next step; null if all rows are copied, or another process has handed the index over. */
async function takeStep(
  write: IndexWrites['write'],
  index: IndexDefinition,
  { after, rows }: Step,
  signal?: AbortSignal,
): Promise<Step | null> {
  const { end, ms } = await write((transaction) => copy(transaction, index, after, rows))
  // Other writes get at least half of the time.
  await sleep(ms, undefined, { signal })
  if (end === null) return null
  const suitable = Math.round((rows * STEP_MS) / ms)
  return { after: end, rows: Math.min(STEP.max, Math.max(STEP.min, suitable)) }
}

async function copy(transaction: Transaction, index: IndexDefinition, after: number, rows: number) {
  const start = performance.now()
  if (!(await hasRelation(transaction, copyName(index.name)))) {
    const wasHandedOver = await hasRelation(transaction, index.name)
    if (wasHandedOver) return { end: null, ms: performance.now() - start }
    throw new Error(`The index ${index.name} was dropped while it was created`)
  }
  const [last] = await all(transaction, endOfStep(index, after, rows))
  const end = last ? Number(last.id) : null
  // Unlike `run`, `all` waits for the statement, so that its time is known.
  await all(transaction, copyRows(index, after, end))
  return { end, ms: performance.now() - start }
}

async function hasRelation(transaction: Transaction, name: string): Promise<boolean> {
  return (await all(transaction, sqliteDialect.hasTable(name))).length > 0
}
