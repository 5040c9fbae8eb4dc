/** Reports writes that took long: what they did, how long they took, and how much of that they spent waiting. */
import type { DocumentAction } from './contract.ts'

/** One change of a document. */
export interface WriteRecord {
  readonly action: DocumentAction
  /** uid of the content-type. */
  readonly type: string
  /** Null until a new document has its documentId. */
  documentId: string | null
}

export interface SlowWrite {
  /** One change, or those of a batch in order. */
  readonly writes: readonly WriteRecord[]
  readonly milliseconds: number
  /** How many of these milliseconds passed before its transaction began; null if it never did. */
  readonly waited: number | null
  readonly failed: boolean
}

export interface SlowWriteReport {
  /** Milliseconds from which a write is slow. */
  readonly slowAfter: number
  readonly slow: (write: SlowWrite) => void
}

/** Times one write, which may take several attempts. */
export class WriteTimer {
  readonly #started = performance.now()
  #writes: WriteRecord[] = []
  #waited: number | null = null

  record(write: WriteRecord) {
    this.#writes.push(write)
  }

  /** Forgets what was recorded, because all of it runs again. */
  clear() {
    this.#writes = []
  }

  attemptStarted() {
    this.#waited ??= performance.now() - this.#started
  }

  /** Waits for the write, and reports it if it was slow. */
  async watch<Result>(write: Promise<Result>, { slowAfter, slow }: SlowWriteReport): Promise<Result> {
    let failed = true
    try {
      const result = await write
      failed = false
      return result
    } finally {
      const milliseconds = performance.now() - this.#started
      if (milliseconds >= slowAfter && this.#writes.length > 0)
        slow({ writes: this.#writes, milliseconds, waited: this.#waited, failed })
    }
  }
}
