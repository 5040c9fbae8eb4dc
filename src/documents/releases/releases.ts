/** Releases: named sets of documents that are published or unpublished together, now or at a set time. */
import { cancel, enqueue } from '../../jobs/enqueue.ts'
import { compile } from '../../store/compile.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Row } from '../../store/statement.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { releaseEntries, releases } from './tables.ts'

/** A release that failed at its time can be changed and published like an open one. */
export const RELEASE_STATES = ['open', 'scheduled', 'failed', 'published', 'reverted'] as const

export type ReleaseState = (typeof RELEASE_STATES)[number]

/** The kind of the jobs that publish releases. Their key is the id of the release. */
export const RELEASE_JOB = 'releases'

export interface Release {
  readonly id: number
  readonly name: string
  readonly state: ReleaseState
  /** When it is published, if it is scheduled. */
  readonly publishAt: string | null
  /** Who scheduled it, and on whose behalf it is published. */
  readonly author: string | null
  /** Why it could not be published at its time. */
  readonly error: string | null
  readonly createdAt: string
  readonly createdBy: string
  readonly publishedAt: string | null
  readonly publishedBy: string | null
  readonly entryCount: number
}

const run = (transaction: Transaction, statement: Sql) =>
  transaction.run(compile(transaction.dialect, statement))

export async function createRelease(
  transaction: Transaction,
  name: string,
  createdBy: string,
): Promise<number> {
  const now = new Date().toISOString()
  const insert = sql`insert into ${releases} (name, state, created_at, created_by)
    values (${name}, 'open', ${now}, ${createdBy}) returning id`
  const [row] = await transaction.all(compile(transaction.dialect, insert))
  return Number(row?.id)
}

export const renameRelease = (transaction: Transaction, id: number, name: string): void =>
  run(transaction, sql`update ${releases} set name = ${name} where id = ${id}`)

/** Deletes a release with its entries. Documents stay as they are. */
export function deleteRelease(transaction: Transaction, id: number): void {
  cancel(transaction, RELEASE_JOB, String(id))
  run(transaction, sql`delete from ${releaseEntries} where release = ${id}`)
  run(transaction, sql`delete from ${releases} where id = ${id}`)
}

/** Publishes the release at a time, on behalf of the author, in place of the time before. */
export function scheduleRelease(
  transaction: Transaction,
  id: number,
  publishAt: string,
  author: string,
): void {
  run(
    transaction,
    sql`update ${releases} set state = 'scheduled', publish_at = ${publishAt}, author = ${author}, error = null
      where id = ${id}`,
  )
  enqueue(transaction, { kind: RELEASE_JOB, key: String(id), runAt: new Date(publishAt) })
}

/** Makes a scheduled release an open one. */
export function cancelRelease(transaction: Transaction, id: number): void {
  cancel(transaction, RELEASE_JOB, String(id))
  run(
    transaction,
    sql`update ${releases} set state = 'open', publish_at = null, author = null where id = ${id}`,
  )
}

/** In the transaction that publishes its documents. */
export function setPublished(transaction: Transaction, id: number, publishedBy: string): void {
  cancel(transaction, RELEASE_JOB, String(id))
  run(
    transaction,
    sql`update ${releases} set state = 'published', published_at = ${new Date().toISOString()},
      published_by = ${publishedBy}, publish_at = null, error = null where id = ${id}`,
  )
}

export const setFailed = (transaction: Transaction, id: number, error: string): void =>
  run(
    transaction,
    sql`update ${releases} set state = 'failed', error = ${error}, publish_at = null where id = ${id}`,
  )

export const setReverted = (transaction: Transaction, id: number): void =>
  run(transaction, sql`update ${releases} set state = 'reverted' where id = ${id}`)

const SELECT = sql`select r.*, (select count(*) from ${releaseEntries} as e where e.release = r.id) as entry_count
  from ${releases} as r`

/** Locks the release until the transaction ends: changes of one release happen one after the other. */
export async function lockRelease(transaction: Transaction, id: number): Promise<Release | null> {
  transaction.lock([`release ${id}`])
  const [row] = await transaction.all(compile(transaction.dialect, sql`${SELECT} where r.id = ${id}`))
  return row ? releaseFrom(row) : null
}

export async function readRelease(store: Store, id: number): Promise<Release | null> {
  const [row] = await store.read(compile(store.dialect, sql`${SELECT} where r.id = ${id}`))
  return row ? releaseFrom(row) : null
}

/** Which releases to list; `from` (included) and `to` (excluded) are compared with the time of publication. */
export interface ReleaseFilter {
  readonly state?: ReleaseState | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Up to `limit` releases: the newest first, or, of a period, in the order of their publication. */
export async function listReleases(
  store: Store,
  { state, from, to }: ReleaseFilter,
  limit: number,
): Promise<readonly Release[]> {
  const time = sql`coalesce(r.publish_at, r.published_at)`
  const conditions: Sql[] = [
    ...(state === undefined ? [] : [sql`r.state = ${state}`]),
    ...(from === undefined ? [] : [sql`${time} >= ${from}`]),
    ...(to === undefined ? [] : [sql`${time} < ${to}`]),
  ]
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, ' and ')}`
  const order = from === undefined && to === undefined ? sql`r.id desc` : sql`${time}, r.id`
  const statement = sql`${SELECT} ${where} order by ${order} limit ${limit}`
  return (await store.read(compile(store.dialect, statement))).map(releaseFrom)
}

const textOrNull = (value: Row[string] | undefined) =>
  value === null || value === undefined ? null : String(value)

const releaseFrom = (row: Row): Release => ({
  id: Number(row.id),
  name: String(row.name),
  state: RELEASE_STATES.find((state) => state === row.state) ?? 'open',
  publishAt: textOrNull(row.publish_at),
  author: textOrNull(row.author),
  error: textOrNull(row.error),
  createdAt: String(row.created_at),
  createdBy: String(row.created_by),
  publishedAt: textOrNull(row.published_at),
  publishedBy: textOrNull(row.published_by),
  entryCount: Number(row.entry_count),
})
