/**
 * Writes that are done again because a value was taken that must be unique.
 *
 * A uid that a write has made up can be taken by another write before it is stored, when both write at once, as they do
 * on PostgreSQL. Nobody has asked for that uid, so the next try makes up another one. Of values that were sent, the
 * engine tells of one: the second try looks for all that are taken.
 */
import type { ContentType, ScalarAttribute } from '../model/model.ts'
import { UniqueViolation } from '../store/errors.ts'
import type { Store, Transaction } from '../store/store.ts'
import { columnOf } from '../store/tables/layout.ts'

/** Tables and columns for which a transaction has made up uids. */
const madeUp = new WeakMap<Transaction, UniqueColumn[]>()

interface UniqueColumn {
  readonly table: string
  readonly column: string
}

/** Notes that the transaction is about to store a uid that nobody sent. */
export function noteMadeUp(transaction: Transaction, { table }: ContentType, { name }: ScalarAttribute) {
  madeUp.set(transaction, [...(madeUp.get(transaction) ?? []), { table, column: columnOf(name) }])
}

/** Transactions of a write that was refused before. */
const refusedBefore = new WeakSet<Transaction>()

/** Whether the database has refused this write already for a value that is taken. */
export const isRefusedAnyway = (transaction: Transaction) => refusedBefore.has(transaction)

const MOST_TRIES = 5

/** A write of the store, done again when a value of it is taken. */
export async function writeAgain<Result>(
  store: Pick<Store, 'write'>,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  let isRefused = false
  for (let tries = 1; ; tries++) {
    let last: Transaction | null = null
    try {
      return await store.write((transaction) => {
        last = transaction
        if (isRefused) refusedBefore.add(transaction)
        return work(transaction)
      })
    } catch (error) {
      if (!(error instanceof UniqueViolation) || tries === MOST_TRIES) throw error
      if (isAmong(last ? madeUp.get(last) : undefined, error)) continue
      if (isRefused) throw error
      isRefused = true
    }
  }
}

const isAmong = (made: readonly UniqueColumn[] = [], { table, columns }: UniqueViolation) =>
  made.some((one) => one.table === table && columns.includes(one.column))
