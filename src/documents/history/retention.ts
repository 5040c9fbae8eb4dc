/** Deletes saved states that are too old or too many, in small steps that no write waits for. */
import type { JobKind } from '../../jobs/job.ts'
import { cutoffTime } from '../../jobs/retention.ts'
import type { Config } from '../../project/config/config.ts'
import { compile } from '../../store/compile.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Store } from '../../store/store.ts'
import { history } from './tables.ts'

/** States that one statement considers. */
const STEP = 1_000
const EVERY_MS = 60_000

type Retention = Pick<Config['history'], 'keepDays' | 'maxVersions'>

export const historyRetention = (store: Store, retention: Retention): JobKind => {
  const remove = createHistoryRemover(store, retention)
  return { kind: 'history.retention', every: EVERY_MS, run: async () => void (await remove(Date.now())) }
}

/**
 * Returns a function that deletes what is not kept, and returns the number of deleted states. It considers every document
 * once, and then those that were saved since. The age of a state counts from when another has replaced it, so that a
 * change of an old document can be undone; the newest state stays, unless the document was deleted. What is published is
 * replaced by the next publication, not by drafts.
 */
export function createHistoryRemover(store: Store, { keepDays, maxVersions }: Retention) {
  const { dialect } = store
  /** The states up to these were considered: as those of a saved document, and for their age. */
  let [lastSaved, lastOld] = [0, 0]

  const remove = async (condition: Sql): Promise<number> => {
    const statement = compile(dialect, sql`delete from ${history} where id in (${condition}) returning id`)
    return (await store.write((transaction) => transaction.all(statement))).length
  }

  const isOf = (one: string, other: string) =>
    sql.join(
      ['document_id', 'locale', 'type'].map((name) => sql`${sql.id(one, name)} = ${sql.id(other, name)}`),
      ' and ',
    )

  /** Whether a state takes the place of what was published. */
  const endsPublication = (one: string) =>
    sql`(${sql.id(one, 'published')} = 1 or ${sql.id(one, 'action')} in ('unpublish', 'delete'))`

  /** Deletes surplus and old states of the documents that were saved since the last time. */
  async function removeReplaced(before: string): Promise<number> {
    for (let deleted = 0; ; ) {
      const range = sql`select id, type, document_id, locale from ${history}
        where id > ${lastSaved} order by id limit ${sql.lit(STEP)}`
      const [last] = await store.read(compile(dialect, sql`select max(id) as id from (${range}) as r`))
      if (!last || last.id === null) return deleted
      const states = sql`from ${history} as n where ${isOf('n', 'r')}`
      const surplus = (those: Sql) =>
        sql`(select n.id ${those} order by n.id desc limit 1 offset ${sql.lit(maxVersions)})`
      // A state has been replaced long ago if it comes before the newest of the old ones.
      const old = (those: Sql) => sql`(select max(n.id) ${those} and n.at < ${before})`
      const publications = sql`${states} and ${endsPublication('n')}`
      // With its newest state, each document comes once.
      const documents = sql`select r.*, ${surplus(states)} as surplus, ${old(states)} as old,
          ${surplus(publications)} as published_surplus, ${old(publications)} as published_old
        from (${range}) as r where r.id = (select max(n.id) ${states})`
      // Materialized, so that SQLite finds these numbers once for each document and not for each of its states.
      deleted += await remove(sql`with s as materialized (${documents})
        select h.id from s join ${history} as h on ${isOf('h', 's')} and h.id < s.id
        where (s.surplus is not null or s.old is not null)
          and (h.published = 0 and (h.id <= s.surplus or h.id < s.old)
            or h.published = 1 and (h.id <= s.published_surplus or h.id < s.published_old))`)
      lastSaved = Number(last.id)
    }
  }

  /** Deletes what was replaced or deleted too long ago since the last time. States are in the order they were saved in. */
  async function removeOld(before: string): Promise<number> {
    for (let deleted = 0; ; ) {
      const range = sql`select id, type, document_id, locale, action, published from (
          select * from ${history} where id > ${lastOld} order by id limit ${sql.lit(STEP)}) as r
        where at < ${before}`
      const [last] = await store.read(compile(dialect, sql`select max(id) as id from (${range}) as o`))
      if (!last || last.id === null) return deleted
      deleted += await remove(sql`select h.id from (${range}) as o
        join ${history} as h on ${isOf('h', 'o')}
          and (h.id < o.id and (h.published = 0 or ${endsPublication('o')})
            or h.id = o.id and o.action = 'delete')`)
      lastOld = Number(last.id)
    }
  }

  return async (now: number): Promise<number> => {
    const before = cutoffTime(keepDays, now)
    return (await removeReplaced(before)) + (await removeOld(before))
  }
}
