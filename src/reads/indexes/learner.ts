/**
 * Learns which indexes would help from the reads that a server makes: examines the plans in use now and then, and stores
 * how often which kind of read scanned too many rows. Processes on one database add to the same counts.
 */
import { enqueueUnlessRunning } from '../../jobs/enqueue.ts'
import type { Store } from '../../store/store.ts'
import { AUTOMATIC_INDEXES, type AutomaticIndex } from '../../store/tables/automatic-indexes.ts'
import { type Examination, examine } from './examine.ts'
import type { ReadUsage, UsageCollector } from './read-usage.ts'
import { addReads, type CountedShape, deleteShapes, noteUse, readAutomaticIndexes } from './tables.ts'

export interface LearnerOptions {
  readonly store: Store
  readonly collector: UsageCollector
  /** Whether a job creates the indexes. */
  readonly creates: boolean
  /** The number of days without a read of a kind after which the kind is forgotten. */
  readonly keepDays: number
  /** Called when a kind of read has been made often enough for an index to be worth it. */
  readonly onSuggested: (shape: CountedShape) => void
}

export interface Learner {
  /** Examines and stores the reads since the last time. */
  learn(): Promise<void>
  /** Stores the reads of known kinds. */
  close(): Promise<void>
}

/** The kind of the job that creates and drops indexes. */
export const INDEX_JOB = 'indexes.update'

/** An index is worth it when a kind of read has been made so often. */
export const MIN_READS = 20

const INTERVAL_MS = 60_000
/** A plan is examined again after this time, because the content and the engine's plan change. */
const EXAMINED_MS = 3_600_000
/** Examining takes statements that count rows, so at most this many plans are examined at a time; others follow later. */
const MAX_EXAMINED = 50
const DAY_MS = 86_400_000

export function createLearner({ store, collector, creates, keepDays, onSuggested }: LearnerOptions): Learner {
  const examinations = new WeakMap<
    ReadUsage['plan'],
    Examination & { readonly until: number; readonly version: number }
  >()
  let learning: Promise<void> = Promise.resolve()

  const known = ({ plan }: ReadUsage): Examination | null => {
    const found = examinations.get(plan)
    const isCurrent =
      found && performance.now() < found.until && found.version === store.tableVersion(AUTOMATIC_INDEXES)
    return isCurrent ? found : null
  }

  /** A plan that cannot be examined, such as one of an earlier model, is taken to need nothing. */
  async function examineNow(
    usage: ReadUsage,
    automatic: readonly AutomaticIndex[],
    version: number,
  ): Promise<Examination> {
    const found = await examine(store, usage, automatic).catch(() => ({ used: [], shape: null }))
    examinations.set(usage.plan, { ...found, until: performance.now() + EXAMINED_MS, version })
    return found
  }

  async function learnFrom(usages: readonly ReadUsage[], examines: boolean) {
    const at = new Date().toISOString()
    const version = store.tableVersion(AUTOMATIC_INDEXES)
    const needsExamination = usages.some((usage) => known(usage) === null)
    const automatic = examines && needsExamination ? await readAutomaticIndexes(store) : []
    const shapes: CountedShape[] = []
    const used = new Set<string>()
    let examined = 0
    for (const usage of usages) {
      const { reads, milliseconds } = usage
      // A server that closes has no time to examine: to count the reads, what was found last is good enough.
      let found = examines ? known(usage) : (examinations.get(usage.plan) ?? null)
      if (!found && examines && examined++ < MAX_EXAMINED) found = await examineNow(usage, automatic, version)
      // Reads that were made meanwhile are counted the next time.
      usage.reads -= reads
      usage.milliseconds -= milliseconds
      if (!found) continue
      for (const name of found.used) used.add(name)
      if (found.shape) shapes.push({ ...found.shape, reads, milliseconds, lastAt: at })
    }
    if (shapes.length > 0 || used.size > 0) await save(shapes, used, at)
  }

  async function save(shapes: readonly CountedShape[], used: ReadonlySet<string>, at: string) {
    const suggested = await store.write(async (transaction) => {
      for (const name of [...used].sort()) noteUse(transaction, name, at)
      const worthwhile: CountedShape[] = []
      let isEnough = false
      for (const shape of shapes) {
        const reads = await addReads(transaction, shape)
        isEnough ||= reads >= MIN_READS
        if (reads >= MIN_READS && reads - shape.reads < MIN_READS) worthwhile.push({ ...shape, reads })
      }
      if (shapes.length > 0) deleteShapes(transaction, new Date(Date.now() - keepDays * DAY_MS).toISOString())
      if (creates && isEnough) enqueueUnlessRunning(transaction, INDEX_JOB, '', new Date())
      return worthwhile
    })
    for (const shape of suggested) onSuggested(shape)
  }

  /** One at a time; a failure of the database shows in requests, and the next time more is learned. */
  function learn(examines: boolean): Promise<void> {
    learning = learning.then(() => learnFrom(collector.take(), examines)).catch(() => {})
    return learning
  }

  const timer = setInterval(() => void learn(true), INTERVAL_MS)
  timer.unref()

  return {
    learn: () => learn(true),
    async close() {
      clearInterval(timer)
      await learn(false)
    },
  }
}
