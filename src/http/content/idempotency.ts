/**
 * `Idempotency-Key` on POST: who repeats a request after a broken connection gets the first answer again instead of a
 * second document. The answer is kept in the transaction that makes the document, so the two cannot part.
 */
import { hash } from 'node:crypto'
import type { Documents } from '../../documents/documents.ts'
import { errors } from '../../errors.ts'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { ContentResponse } from '../response/content-response.ts'
import type { Server } from '../server.ts'
import { type Operation, perform } from './operation.ts'

const ANSWERS = 'octavo_idempotency'
const KEPT_MS = 24 * 60 * 60 * 1000
const LONGEST_KEY = 255

/** Makes the table of kept answers exist. */
export async function prepareIdempotency(store: Store): Promise<void> {
  await store.write(async (transaction) => {
    transaction.lock([ANSWERS])
    transaction.run(
      compile(
        store.dialect,
        sql`create table if not exists ${sql.table(ANSWERS)} (
          caller text not null, key text not null, request text not null, status integer not null,
          headers text not null, body text, created_at text not null, primary key (caller, key))`,
      ),
    )
    transaction.run(
      compile(
        store.dialect,
        sql`create index if not exists octavo_idempotency_age on ${sql.table(ANSWERS)} (created_at)`,
      ),
    )
  })
}

/** Performs an operation once for each key of a caller; a repetition gets the first answer. */
export async function performOnce(
  server: Server,
  operation: Operation,
  key: string | string[],
): Promise<ContentResponse> {
  return runOnce(server, operation, key, (_transaction, documents) => perform(server, operation, documents))
}

/** Does `work` once for each key of a caller. A key that comes with another request is refused. */
export async function runOnce(
  server: Server,
  operation: Operation,
  key: string | string[],
  work: (transaction: Transaction, documents: Documents) => Promise<ContentResponse> | ContentResponse,
): Promise<ContentResponse> {
  if (typeof key !== 'string' || key === '' || key.length > LONGEST_KEY) {
    throw errors.invalid(`Idempotency-Key must be one text of at most ${LONGEST_KEY} characters`)
  }
  const caller = (await server.access.scopeOf(operation.authorization)).principal
  const callerName = 'id' in caller ? `${caller.kind}:${caller.id}` : caller.kind
  const request = fingerprint(operation)
  return server.documents.transaction(async (transaction, documents) => {
    transaction.lock([`${ANSWERS} ${callerName} ${key}`])
    const kept = await recall(transaction, callerName, key)
    if (kept && kept.request !== request) {
      throw errors.invalid(
        'This Idempotency-Key was used for another request; use a new key for each request',
      )
    }
    if (kept) return { ...kept.outcome, headers: { ...kept.outcome.headers, 'idempotency-replayed': 'true' } }
    const outcome = await work(transaction, documents)
    keep(transaction, callerName, key, request, outcome)
    return outcome
  })
}

const fingerprint = ({ method, path, rawQuery, body }: Operation) =>
  hash('sha256', JSON.stringify([method, path, rawQuery, body ?? null]), 'base64url')

async function recall(transaction: Transaction, caller: string, key: string) {
  const since = new Date(Date.now() - KEPT_MS).toISOString()
  const [row] = await transaction.all(
    compile(
      transaction.dialect,
      sql`select request, status, headers, body from ${sql.table(ANSWERS)}
        where caller = ${caller} and key = ${key} and created_at > ${since}`,
    ),
  )
  if (!row) return null
  const headers: Record<string, string> = JSON.parse(String(row.headers))
  const outcome: ContentResponse = {
    status: Number(row.status),
    headers,
    body: row.body === null ? null : String(row.body),
  }
  return { request: String(row.request), outcome }
}

function keep(
  transaction: Transaction,
  caller: string,
  key: string,
  request: string,
  outcome: ContentResponse,
) {
  const now = new Date()
  const since = new Date(now.getTime() - KEPT_MS).toISOString()
  const { dialect } = transaction
  transaction.run(compile(dialect, sql`delete from ${sql.table(ANSWERS)} where created_at <= ${since}`))
  transaction.run(
    compile(
      dialect,
      sql`insert into ${sql.table(ANSWERS)} (caller, key, request, status, headers, body, created_at)
        values (${caller}, ${key}, ${request}, ${outcome.status}, ${JSON.stringify(outcome.headers)}, ${outcome.body === null ? null : String(outcome.body)}, ${now.toISOString()})`,
    ),
  )
}
