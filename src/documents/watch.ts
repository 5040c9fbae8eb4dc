/** Writes that tell about themselves: of those that took long it is told what they were for and how long they waited. */
import type { Store, Transaction } from '../store/store.ts'
import type { Answer, Documents, WriteTarget } from './contract.ts'
import type { DocumentAction } from './hooks.ts'

/** What was done with a document. */
export interface Write {
  readonly action: DocumentAction
  /** uid of the content-type. */
  readonly type: string
  /** Null when it had no name yet. */
  readonly documentId: string | null
}

/** A transaction that took long. */
export interface SlowWrite {
  /** One, or those of a batch in order. */
  readonly writes: readonly Write[]
  readonly milliseconds: number
  /** Of these, how many it waited until it could begin; null where that is not known. */
  readonly waited: number | null
  readonly failed: boolean
}

export interface WriteWatch {
  /** Milliseconds from which a write is slow. */
  readonly slowAfter: number
  readonly slow: (write: SlowWrite) => void
}

export interface WatchedWrites {
  /** To be called when a transaction begins its work, with how long that took. */
  begins(transaction: Transaction, waited: number): void
  /** The same documents, watched. */
  documents(inner: Documents): Documents
  /** The same store, for transactions in which several documents are written. */
  store(inner: Store): Store
}

/** A write under way. */
interface Call {
  readonly began: number
  readonly action: DocumentAction
  readonly type: string
  documentId: string | null
  transaction: Transaction | null
}

export function watchWrites({ slowAfter, slow }: WriteWatch): WatchedWrites {
  const waits = new WeakMap<Transaction, number>()
  const done = new WeakMap<Transaction, Write[]>()

  /** Tells of a write when it has ended, if it was slow. */
  async function ended<Result>(
    began: number,
    under: Promise<Result>,
    what: () => { readonly transaction: Transaction | null; readonly writes: readonly Write[] },
  ): Promise<Result> {
    let failed = true
    try {
      const result = await under
      failed = false
      return result
    } finally {
      const milliseconds = performance.now() - began
      if (milliseconds >= slowAfter) {
        const { transaction, writes } = what()
        const waited = (transaction && waits.get(transaction)) ?? null
        if (writes.length > 0) slow({ writes, milliseconds, waited, failed })
      }
    }
  }

  /** Calls back with what an answer is made of: the only sight of a transaction from outside. */
  const seeing =
    <Result>(answer: Answer<Result>, see: (transaction: Transaction, id: string) => void): Answer<Result> =>
    (transaction, written) => {
      see(transaction, written.documentId)
      return answer(transaction, written)
    }

  const ownTransactions: Watcher = {
    answering(action, { type }, documentId, answer, write) {
      const call: Call = {
        ...{ action, type: type.uid, documentId, transaction: null },
        began: performance.now(),
      }
      const seen = seeing(answer, (transaction, id) => {
        call.transaction = transaction
        call.documentId = id
      })
      return ended(call.began, write(seen), () => writeOf(call))
    },
    removing(action, { type }, documentId, write) {
      const call: Call = {
        ...{ action, type: type.uid, documentId, transaction: null },
        began: performance.now(),
      }
      return ended(call.began, write(), () => writeOf(call))
    },
  }

  /** Inside a transaction it is only noted what is done; who began the transaction tells of it. */
  function inside(transaction: Transaction): Watcher {
    const note = (write: Write) => {
      const noted = done.get(transaction)
      if (noted) noted.push(write)
      else done.set(transaction, [write])
    }
    return {
      answering: (action, { type }, _id, answer, write) =>
        write(seeing(answer, (_transaction, documentId) => note({ action, type: type.uid, documentId }))),
      removing(action, { type }, documentId, write) {
        note({ action, type: type.uid, documentId })
        return write()
      },
    }
  }

  const watched = (inner: Documents, watcher: Watcher): Documents => ({
    create: (target, data, answer) =>
      watcher.answering('create', target, null, answer, (seen) => inner.create(target, data, seen)),
    update: (target, id, data, options, answer) =>
      watcher.answering('update', target, id, answer, (seen) =>
        inner.update(target, id, data, options, seen),
      ),
    remove: (target, id, options) =>
      watcher.removing('delete', target, id, () => inner.remove(target, id, options)),
    publish: (target, id, answer, options) =>
      watcher.answering('publish', target, id, answer, (seen) => inner.publish(target, id, seen, options)),
    unpublish: (target, id, answer, options) =>
      watcher.answering('unpublish', target, id, answer, (seen) =>
        inner.unpublish(target, id, seen, options),
      ),
    discard: (target, id, answer, options) =>
      watcher.answering('discard', target, id, answer, (seen) => inner.discard(target, id, seen, options)),
    upsertSingle: (target, data, answer, options) =>
      watcher.answering('update', target, null, answer, (seen) =>
        inner.upsertSingle(target, data, seen, options),
      ),
    removeSingle: (target, options) =>
      watcher.removing('delete', target, null, () => inner.removeSingle(target, options)),
    within: (transaction, later) => watched(inner.within(transaction, later), inside(transaction)),
  })

  return {
    begins: (transaction, waited) => void waits.set(transaction, waited),
    documents: (inner) => watched(inner, ownTransactions),
    store: (inner) => ({
      ...inner,
      write(work, options) {
        const began = performance.now()
        let last: Transaction | null = null
        const under = inner.write((transaction) => {
          last = transaction
          return work(transaction)
        }, options)
        return ended(began, under, () => ({
          transaction: last,
          writes: (last && done.get(last)) ?? [],
        }))
      },
    }),
  }
}

/** How the writes of some documents are watched. */
interface Watcher {
  answering<Result>(
    action: DocumentAction,
    target: WriteTarget,
    documentId: string | null,
    answer: Answer<Result>,
    write: (answer: Answer<Result>) => Promise<Result>,
  ): Promise<Result>
  removing(
    action: DocumentAction,
    target: WriteTarget,
    documentId: string | null,
    write: () => Promise<void>,
  ): Promise<void>
}

const writeOf = ({ action, type, documentId, transaction }: Call) => ({
  transaction,
  writes: [{ action, type, documentId }],
})
