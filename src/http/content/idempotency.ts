/**
 * `Idempotency-Key` on POST: a request that is repeated after a broken connection gets the first response again instead
 * of creating a second document. The response is stored in the transaction of the write, so neither exists without the
 * other.
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

const RESPONSES = 'octavo_idempotency'
const RETENTION_MS = 24 * 60 * 60 * 1000
const MAX_KEY_LENGTH = 255

/** Creates the table of stored responses if necessary. */
export async function prepareIdempotency(store: Store): Promise<void> {
  await store.write(async (transaction) => {
    transaction.lock([RESPONSES])
    transaction.run(
      compile(
        store.dialect,
        sql`create table if not exists ${sql.table(RESPONSES)} (
          caller text not null, key text not null, request text not null, status integer not null,
          headers text not null, body text, created_at text not null, primary key (caller, key))`,
      ),
    )
    transaction.run(
      compile(
        store.dialect,
        sql`create index if not exists octavo_idempotency_age on ${sql.table(RESPONSES)} (created_at)`,
      ),
    )
  })
}

/** Performs an operation once for each key of a caller; a repetition gets the stored response. */
export async function performOnce(
  server: Server,
  operation: Operation,
  key: string | string[],
): Promise<ContentResponse> {
  return runOnce(server, operation, key, (_transaction, documents) => perform(server, operation, documents))
}

/** Runs `work` once for each key of a caller. A key that was used with another request is refused. */
export async function runOnce(
  server: Server,
  operation: Operation,
  key: string | string[],
  work: (transaction: Transaction, documents: Documents) => Promise<ContentResponse> | ContentResponse,
): Promise<ContentResponse> {
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_LENGTH) {
    throw errors.invalid(`Idempotency-Key must be a single string of at most ${MAX_KEY_LENGTH} characters`)
  }
  const caller = (await server.access.scopeOf(operation.authorization)).principal
  const callerName = 'id' in caller ? `${caller.kind}:${caller.id}` : caller.kind
  const request = fingerprint(operation)
  return server.documents.transaction(async (transaction, documents) => {
    transaction.lock([`${RESPONSES} ${callerName} ${key}`])
    const stored = await findStored(transaction, callerName, key)
    if (stored && stored.request !== request) {
      throw errors.invalid(
        'This Idempotency-Key was used for another request; use a new key for each request',
      )
    }
    if (stored)
      return { ...stored.response, headers: { ...stored.response.headers, 'idempotency-replayed': 'true' } }
    const response = await work(transaction, documents)
    storeResponse(transaction, callerName, key, request, response)
    return response
  })
}

const fingerprint = ({ method, path, rawQuery, body }: Operation) =>
  hash('sha256', JSON.stringify([method, path, rawQuery, body ?? null]), 'base64url')

async function findStored(transaction: Transaction, caller: string, key: string) {
  const since = new Date(Date.now() - RETENTION_MS).toISOString()
  const [row] = await transaction.all(
    compile(
      transaction.dialect,
      sql`select request, status, headers, body from ${sql.table(RESPONSES)}
        where caller = ${caller} and key = ${key} and created_at > ${since}`,
    ),
  )
  if (!row) return null
  const headers: Record<string, string> = JSON.parse(String(row.headers))
  const response: ContentResponse = {
    status: Number(row.status),
    headers,
    body: row.body === null ? null : String(row.body),
  }
  return { request: String(row.request), response }
}

function storeResponse(
  transaction: Transaction,
  caller: string,
  key: string,
  request: string,
  response: ContentResponse,
) {
  const now = new Date()
  const since = new Date(now.getTime() - RETENTION_MS).toISOString()
  const { dialect } = transaction
  transaction.run(compile(dialect, sql`delete from ${sql.table(RESPONSES)} where created_at <= ${since}`))
  transaction.run(
    compile(
      dialect,
      sql`insert into ${sql.table(RESPONSES)} (caller, key, request, status, headers, body, created_at)
        values (${caller}, ${key}, ${request}, ${response.status}, ${JSON.stringify(response.headers)}, ${response.body === null ? null : String(response.body)}, ${now.toISOString()})`,
    ),
  )
}
