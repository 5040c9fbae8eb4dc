/** Outcomes of reads, kept while they are right: what was answered before is sent again without a statement. */
import { hash } from 'node:crypto'
import type { Reads } from '../../reads/reads.ts'
import { type Answers, createAnswers, type Stamp } from '../../reads/response-cache.ts'
import { andThen, type MaybePromise } from '../../store/maybe-promise.ts'
import { JSON_TYPE, type Outcome } from '../response/outcome.ts'
import type { Server } from '../server.ts'

/** What was read, from what, and what it comes to: with the data as it is, or with what a project has made of it. */
export interface Read {
  readonly data: string
  readonly stamp: Stamp
  readonly outcome: (data: string) => Outcome
}

/** One store of answers for each state of the model: with the state go its answers. */
const answersOf = new WeakMap<Reads, Answers<Outcome>>()

/** The outcome under a key, read when none is kept. The key names everything beside the content that decides it. */
export function kept(
  server: Server,
  key: string,
  read: (reads: Reads) => MaybePromise<Read>,
): MaybePromise<Outcome> {
  const { enabled, maxBytes, control } = server.project.config.cache
  const reads = server.reads()
  if (!enabled)
    return andThen(read(reads), ({ data, outcome }) =>
      withHeaders(outcome(data), { 'cache-control': control }),
    )
  const known = keptUnder(reads, key)
  if (known) return known
  reads.watch.answers.misses++
  let answers = answersOf.get(reads)
  if (!answers) {
    answers = createAnswers(server.store, maxBytes)
    answersOf.set(reads, answers)
  }
  const into = answers
  return andThen(read(reads), ({ data, stamp, outcome: outcomeOf }) => {
    const outcome = outcomeOf(data)
    const body = Buffer.from(outcome.body ?? '')
    const etag = outcome.headers.etag ?? `"${hash('sha1', body, 'base64url')}"`
    const tagged = withHeaders({ ...outcome, body }, { 'cache-control': control, etag })
    into.put(key, asKept(key, told(server, tagged, 'hit'), body), body.length, stamp)
    return told(server, tagged, 'miss')
  })
}

/** The outcome that is kept under a key, if there is one and it is still right. */
export function keptUnder(reads: Reads, key: string): Outcome | null {
  const known = answersOf.get(reads)?.get(key) ?? null
  if (known) reads.watch.answers.hits++
  return known
}

const withHeaders = (outcome: Outcome, more: Readonly<Record<string, string>>): Outcome => ({
  ...outcome,
  headers: { ...outcome.headers, ...more },
})

/** In development an answer tells whether it was kept. */
const told = (server: Server, outcome: Outcome, cache: 'hit' | 'miss'): Outcome =>
  server.production ? outcome : withHeaders(outcome, { 'octavo-cache': cache })

/** Up to so many bytes a body is cheaper to send as text, in one piece with the headers. */
const SHORT_BODY = 8_192

function asKept(key: string, outcome: Outcome, body: Buffer): Outcome {
  const headers = { ...outcome.headers, 'content-type': JSON_TYPE, 'content-length': String(body.length) }
  // A character for each byte, whatever the bytes mean: written as Latin-1 they are the same bytes again.
  const sent = body.length > SHORT_BODY ? body : body.toString('latin1')
  return { ...outcome, kept: { key, headers: Object.entries(headers).flat(), body: sent } }
}
