/** Writes that tell about themselves: of those that took long it is told what they were for and how long they waited. */
import type { Store, Transaction } from '../../store/store.ts'
import type { Answer, Documents } from '../contract.ts'
import { type Call, type DocumentAction, documentsAround } from './wrap-documents.ts'

/** What was done with a document. */
export interface Write {
  readonly action: DocumentAction
  /** uid of the content-type. */
  readonly type: string
  /** Null as long as it has no name. */
  documentId: string | null
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

  const ownTransactions = (inner: Documents): Documents =>
    documentsAround(
      (call, answer, make) => {
        const began = performance.now()
        const write: Write = writeOf(call)
        let last: Transaction | null = null
        const seen = seeing(answer, (transaction, documentId) => {
          last = transaction
          write.documentId = documentId
        })
        return ended(began, make(inner, call, seen), () => ({ transaction: last, writes: [write] }))
      },
      (transaction, later) => inside(inner.within(transaction, later), transaction),
    )

  /** Inside a transaction it is only noted what is done; who began the transaction tells of it. */
  const inside = (inner: Documents, transaction: Transaction): Documents =>
    documentsAround(
      (call, answer, make) => {
        const write = writeOf(call)
        const noted = done.get(transaction)
        if (noted) noted.push(write)
        else done.set(transaction, [write])
        const seen = seeing(answer, (_transaction, documentId) => {
          write.documentId = documentId
        })
        return make(inner, call, seen)
      },
      (within, later) => inside(inner.within(within, later), within),
    )

  return {
    begins: (transaction, waited) => void waits.set(transaction, waited),
    documents: ownTransactions,
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

const writeOf = ({ action, target, documentId }: Call): Write => ({
  action,
  type: target.type.uid,
  documentId,
})
