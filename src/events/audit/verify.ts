/** Verifies the chain of the audit log: that no record was changed, removed or inserted behind the server's back. */
import type { Store } from '../../store/store.ts'
import { type AuditRecord, chainHash } from './audit-record.ts'
import { type ChainPosition, chainRecords, readChainState } from './chain.ts'
import { readAuditInOrder } from './read.ts'

export interface Verification {
  /** The number of records that were verified. */
  readonly records: number
  /** Where the verified records start: the last record that retention has deleted. */
  readonly from: ChainPosition
  /** The last record. Kept elsewhere, it proves later that records up to here are unchanged. */
  readonly last: ChainPosition
  /** Sentences, in the order of the records. Empty if everything is as it was written. */
  readonly problems: readonly string[]
}

const MAX_PROBLEMS = 20

/** Checks that records follow each other without a gap and that their hashes fit. */
class ChainCheck {
  readonly problems: string[] = []
  records = 0
  last: ChainPosition
  readonly #checkpoint: ChainPosition | null
  readonly #start: ChainPosition

  constructor(start: ChainPosition, checkpoint: ChainPosition | null) {
    this.#start = start
    this.last = start
    this.#checkpoint = checkpoint
  }

  add({ hash, ...content }: AuditRecord): void {
    const { seq } = content
    const expected = this.last.seq + 1
    this.records++
    // Possible only before the first record; the chain continues after it.
    if (seq < expected) {
      this.#report(`Record ${seq} was inserted`)
      return
    }
    if (seq === expected + 1) this.#report(`Record ${expected} is missing`)
    else if (seq > expected) this.#report(`Records ${expected} to ${seq - 1} are missing`)
    // After a gap, the hash of the record before is unknown: so the check continues from the stored hash.
    if (seq === expected && chainHash(this.last.hash, content) !== hash)
      this.#report(`Record ${seq} was changed, or the record before it was replaced`)
    this.last = { seq, hash }
    if (this.#checkpoint?.seq === seq && this.#checkpoint.hash !== hash)
      this.#report(`Record ${seq} does not have the hash of the checkpoint`)
  }

  end(last: ChainPosition | null): void {
    const checkpoint = this.#checkpoint
    if (checkpoint !== null && checkpoint.seq <= this.#start.seq)
      this.#report(
        `Record ${checkpoint.seq} of the checkpoint was deleted by retention; use a later checkpoint`,
      )
    const end = Math.max(last?.seq ?? 0, checkpoint?.seq ?? 0)
    if (this.last.seq < end) this.#report(`Records ${this.last.seq + 1} to ${end} at the end are missing`)
    else if (last !== null && (last.seq !== this.last.seq || last.hash !== this.last.hash))
      this.#report('The last record is not the one that was added to the chain last')
  }

  #report(problem: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(problem)
    else if (this.problems.length === MAX_PROBLEMS) this.problems.push('There are more problems')
  }
}

/** Verifies all stored records. A checkpoint is the last position of an earlier verification. */
export async function verifyAudit(
  store: Store,
  checkpoint: ChainPosition | null = null,
  progress: (records: number) => void = () => {},
): Promise<Verification> {
  await chainRecords(store)
  const { last, deleted } = await readChainState(store)
  const check = new ChainCheck(deleted, checkpoint)
  for await (const records of readAuditInOrder(store)) {
    for (const record of records) {
      // Written, and added to the chain, since the verification began.
      if (record.seq > last.seq && check.last.seq >= last.seq) break
      check.add(record)
    }
    progress(check.records)
  }
  check.end(last)
  return { records: check.records, from: deleted, last: check.last, problems: check.problems }
}
