/**
 * A uid that a write has made up can be taken by another write before it is stored, when both write at once, as they do
 * on PostgreSQL. Nobody has asked for that uid, so the write is done again and makes up the next one.
 */
import type { ContentType, ScalarAttribute } from '../model/model.ts'
import { UniqueViolation } from '../store/failure.ts'
import { columnOf } from '../store/layout.ts'
import type { Store, Transaction } from '../store/store.ts'

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

const MOST_TRIES = 5

/** A write of the store, done again when another has taken what this one made up. */
export async function writeAgain<Result>(
  store: Pick<Store, 'engine' | 'write'>,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  // On SQLite writes run one at a time: nobody comes between.
  if (store.engine === 'sqlite') return store.write(work)
  for (let tries = 1; ; tries++) {
    let made: readonly UniqueColumn[] = []
    try {
      return await store.write(async (transaction) => {
        try {
          return await work(transaction)
        } finally {
          made = madeUp.get(transaction) ?? []
        }
      })
    } catch (error) {
      if (tries === MOST_TRIES || !isAmong(made, error)) throw error
    }
  }
}

const isAmong = (made: readonly UniqueColumn[], error: unknown) =>
  error instanceof UniqueViolation &&
  made.some(({ table, column }) => table === error.table && error.columns.includes(column))
