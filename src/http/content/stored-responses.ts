/** The table of responses to requests with an `Idempotency-Key`, which are kept for a day. */
import type { DocumentAction, Written } from '../../documents/contract.ts'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'
import type { OwnTables } from '../../store/tables/own-tables.ts'
import type { ContentResponse } from '../response/content-response.ts'

const RESPONSES = 'octavo_idempotent_responses'
const RETENTION_MS = 24 * 60 * 60 * 1000

/** A version that the request wrote. */
export interface RecordedWrite extends Pick<Written, 'documentId' | 'locale' | 'status'> {
  /** uid of the content-type. */
  readonly type: string
  readonly action: DocumentAction
  /** Whether the caller could read it, apart from this response. */
  readonly wasReadable: boolean
}

/** The writes of a request in their order; null for a document that a later operation of the batch deleted. */
export type RecordedWrites = readonly (RecordedWrite | null)[]

/** Whose key it is. */
export interface KeyOfCaller {
  readonly caller: string
  readonly key: string
}

export interface StoredResponse {
  /** Identifies the content of the request. */
  readonly request: string
  /** The key of the caller's scope at that time. */
  readonly scope: string
  readonly writes: RecordedWrites
  readonly response: ContentResponse
}

export const storedResponseTables: OwnTables = () => [
  sql`create table if not exists ${sql.table(RESPONSES)} (
    caller text not null, key text not null, request text not null, scope text not null, writes text not null,
    status integer not null, headers text not null, body text, created_at text not null,
    primary key (caller, key))`,
  sql`create index if not exists octavo_idempotent_responses_age on ${sql.table(RESPONSES)} (created_at)`,
]

/** Serializes the requests of a caller with the same key. */
export const lockKey = (transaction: Transaction, { caller, key }: KeyOfCaller) =>
  transaction.lock([`${RESPONSES} ${caller} ${key}`])

export async function findStored(
  transaction: Transaction,
  { caller, key }: KeyOfCaller,
): Promise<StoredResponse | null> {
  const [row] = await transaction.all(
    compile(
      transaction.dialect,
      sql`select request, scope, writes, status, headers, body from ${sql.table(RESPONSES)}
        where caller = ${caller} and key = ${key} and created_at > ${oldest()}`,
    ),
  )
  if (!row) return null
  const headers: Record<string, string> = JSON.parse(String(row.headers))
  const writes: RecordedWrites = JSON.parse(String(row.writes))
  const body = row.body === null ? null : String(row.body)
  return {
    request: String(row.request),
    scope: String(row.scope),
    writes,
    response: { status: Number(row.status), headers, body },
  }
}

export function storeResponse(
  transaction: Transaction,
  { caller, key }: KeyOfCaller,
  { request, scope, writes, response }: StoredResponse,
) {
  const { dialect } = transaction
  const body = response.body === null ? null : String(response.body)
  transaction.run(compile(dialect, sql`delete from ${sql.table(RESPONSES)} where created_at <= ${oldest()}`))
  transaction.run(
    compile(
      dialect,
      sql`insert into ${sql.table(RESPONSES)} (caller, key, request, scope, writes, status, headers, body, created_at)
        values (${caller}, ${key}, ${request}, ${scope}, ${JSON.stringify(writes)}, ${response.status},
          ${JSON.stringify(response.headers)}, ${body}, ${new Date().toISOString()})`,
    ),
  )
}

const oldest = () => new Date(Date.now() - RETENTION_MS).toISOString()
