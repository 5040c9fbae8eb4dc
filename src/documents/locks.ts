/**
 * The documents that a write locks until its transaction ends. A write takes all its locks together and in one order, so
 * that two writes never wait for each other. A write that learns later of another document starts again with its lock.
 */
import type { Transaction } from '../store/store.ts'

/** The write must start again and lock these documents too. */
export class MoreLocksNeeded extends Error {
  override readonly name = 'MoreLocksNeeded'
  readonly keys: readonly string[]

  constructor(keys: readonly string[]) {
    super(`The write also needs locks on ${keys.join(', ')}`)
    this.keys = keys
  }
}

export class Locks {
  readonly #transaction: Transaction
  readonly #keys: Set<string>
  readonly #canRestart: boolean
  #hasStarted = false

  /** `keys` are those that an earlier attempt found to be needed. */
  constructor(transaction: Transaction, keys: Iterable<string>, canRestart: boolean) {
    this.#transaction = transaction
    this.#keys = new Set(keys)
    this.#canRestart = canRestart
  }

  /** Takes the locks that are known at the start of a write, and those that an earlier attempt found. */
  acquire(keys: Iterable<string>) {
    const missing = this.#hasStarted ? [...keys].filter((key) => !this.#keys.has(key)) : null
    this.#hasStarted = true
    for (const key of keys) this.#keys.add(key)
    // In a transaction with many writes, those before have taken the others.
    this.#transaction.lock(missing ?? [...this.#keys])
  }

  /** Takes locks that the write has found to be needed after its start. */
  acquireMore(keys: Iterable<string>) {
    const missing = [...new Set(keys)].filter((key) => !this.#keys.has(key))
    if (missing.length === 0) return
    if (this.#canRestart && !this.#transaction.dialect.hasSingleWriter) throw new MoreLocksNeeded(missing)
    for (const key of missing) this.#keys.add(key)
    this.#transaction.lock(missing)
  }
}
