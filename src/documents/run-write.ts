/**
 * Runs a write in a transaction, and runs it again when another attempt can succeed. The reasons are all here:
 *
 * - The write found out that it needs more locks. The next attempt takes them first.
 * - A uid that the write generated was taken by a concurrent write. The next attempt generates another one.
 * - A value that was sent is taken. The engine names only one; the next attempt finds all of them for the error.
 *
 * Two more reasons belong to other layers: `store` repeats a transaction that the engine aborted for a conflict, because
 * every write needs that, and `live` repeats a request whose model was replaced, because it has the new model.
 */
import type { ContentType, ScalarAttribute } from '../model/model.ts'
import { UniqueViolation } from '../store/errors.ts'
import type { Store, Transaction } from '../store/store.ts'
import { columnOf } from '../store/tables/layout.ts'
import { Locks, MoreLocksNeeded } from './locks.ts'

/** One attempt of a write: its transaction, and what the next attempt must know about it. */
export interface Attempt {
  readonly transaction: Transaction
  readonly locks: Locks
  readonly generated: GeneratedValues
  /** Whether an earlier attempt was refused because a value is taken. */
  readonly wasRefused: boolean
}

/** The unique columns for which an attempt has generated values. */
export class GeneratedValues {
  readonly #columns: { readonly table: string; readonly column: string }[] = []

  add({ table }: ContentType, { name }: ScalarAttribute) {
    this.#columns.push({ table, column: columnOf(name) })
  }

  causedBy({ table, columns }: UniqueViolation): boolean {
    return this.#columns.some((one) => one.table === table && columns.includes(one.column))
  }
}

/** For all reasons together. */
const MAX_ATTEMPTS = 8

export async function runWrite<Result>(
  store: Pick<Store, 'write'>,
  work: (attempt: Attempt) => Promise<Result>,
): Promise<Result> {
  const neededLocks = new Set<string>()
  let wasRefused = false
  for (let count = 1; ; count++) {
    const isLast = count === MAX_ATTEMPTS
    let generated = new GeneratedValues()
    try {
      return await store.write((transaction) => {
        generated = new GeneratedValues()
        // The last attempt waits for locks in any order; should that be a deadlock, the engine resolves it.
        const locks = new Locks(transaction, neededLocks, !isLast)
        return work({ transaction, locks, generated, wasRefused })
      })
    } catch (error) {
      if (isLast) throw error
      if (error instanceof MoreLocksNeeded) for (const key of error.keys) neededLocks.add(key)
      else if (!(error instanceof UniqueViolation)) throw error
      else if (!generated.causedBy(error)) {
        if (wasRefused) throw error
        wasRefused = true
      }
    }
  }
}

/** An attempt inside a transaction that the caller runs, and may have to run again. */
export const attemptWithin = (transaction: Transaction): Attempt => ({
  transaction,
  locks: new Locks(transaction, [], false),
  generated: new GeneratedValues(),
  wasRefused: false,
})
