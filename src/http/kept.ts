/** Outcomes of reads, kept while they are right: what was answered before is sent again without a statement. */
import { hash } from 'node:crypto'
import { type Answers, createAnswers, type Stamp } from '../query/answers.ts'
import type { Reads } from '../query/reads.ts'
import type { Outcome } from './outcome.ts'
import type { Server } from './server.ts'

/** What a read comes to, and what it was read from. */
export interface Read {
  readonly outcome: Outcome
  readonly stamp: Stamp
}

/** One store of answers for each state of the model: with the state go its answers. */
const answersOf = new WeakMap<Reads, Answers<Outcome>>()

/** The outcome under a key, read when none is kept. The key names everything beside the content that decides it. */
export async function kept(
  server: Server,
  key: string,
  read: (reads: Reads) => Promise<Read>,
): Promise<Outcome> {
  const { enabled, maxBytes, control } = server.project.config.cache
  const reads = server.reads()
  if (!enabled) return withHeaders((await read(reads)).outcome, control, {})
  let answers = answersOf.get(reads)
  if (!answers) {
    answers = createAnswers(server.store, maxBytes)
    answersOf.set(reads, answers)
  }
  const known = answers.get(key)
  reads.watch.answers[known ? 'hits' : 'misses']++
  if (known) return told(server, known, 'hit')
  const { outcome, stamp } = await read(reads)
  const body = Buffer.from(outcome.body ?? '')
  const tagged = withHeaders({ ...outcome, body }, control, {
    etag: outcome.headers.etag ?? `"${hash('sha1', body, 'base64url')}"`,
  })
  answers.put(key, tagged, body.length, stamp)
  return told(server, tagged, 'miss')
}

const withHeaders = (outcome: Outcome, control: string, more: Readonly<Record<string, string>>): Outcome => ({
  ...outcome,
  headers: { ...outcome.headers, 'cache-control': control, ...more },
})

/** In development an answer tells whether it was kept. */
const told = (server: Server, outcome: Outcome, cache: 'hit' | 'miss'): Outcome =>
  server.production ? outcome : { ...outcome, headers: { ...outcome.headers, 'octavo-cache': cache } }
