/**
 * The documents that a write keeps others from writing until it is done. All are taken at once and in one order, so
 * that two writes never wait for each other; a write that finds out late about another one begins again with it.
 */
import type { Transaction } from '../store/store.ts'

/** The write must begin again and take these documents too. */
class MoreNeeded extends Error {
  readonly keys: readonly string[]

  constructor(keys: readonly string[]) {
    super(`Also needed: ${keys.join(', ')}`)
    this.keys = keys
  }
}

export class Locks {
  readonly #transaction: Transaction
  readonly #held: Set<string>
  readonly #mayRestart: boolean

  private constructor(transaction: Transaction, needed: Iterable<string>, mayRestart: boolean) {
    this.#transaction = transaction
    this.#held = new Set(needed)
    this.#mayRestart = mayRestart
  }

  /** Locks for a transaction that somebody else began. */
  static within(transaction: Transaction) {
    return new Locks(transaction, [], false)
  }

  /** Runs `work` in transactions until it has had all its locks from the beginning. */
  static async through<Result>(
    write: (work: (transaction: Transaction) => Promise<Result>) => Promise<Result>,
    work: (transaction: Transaction, locks: Locks) => Promise<Result>,
  ): Promise<Result> {
    const needed = new Set<string>()
    for (let tries = 1; ; tries++) {
      try {
        // The last try waits where it stands; should two wait for each other then, the engine tells them apart.
        return await write((transaction) =>
          work(transaction, new Locks(transaction, needed, tries < MOST_TRIES)),
        )
      } catch (error) {
        if (!(error instanceof MoreNeeded)) throw error
        for (const key of error.keys) needed.add(key)
      }
    }
  }

  /** Takes the locks that are known when a write begins, with those that an earlier try found out about. */
  begin(keys: Iterable<string>) {
    for (const key of keys) this.#held.add(key)
    this.#transaction.lock([...this.#held])
  }

  /** Takes locks that the write has found out about after it began. */
  add(keys: Iterable<string>) {
    const missing = [...new Set(keys)].filter((key) => !this.#held.has(key))
    if (missing.length === 0) return
    if (this.#mayRestart && !this.#transaction.dialect.hasSingleWriter) throw new MoreNeeded(missing)
    for (const key of missing) this.#held.add(key)
    this.#transaction.lock(missing)
  }
}

const MOST_TRIES = 5
