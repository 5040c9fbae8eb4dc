/** The table of schedules: one row for each action that is planned for a document in a locale. */
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Store } from '../../store/store.ts'

export const SCHEDULES = 'octavo_schedules'

export const schedules = sql.table(SCHEDULES)

/** Safe to run in several processes at the same time. */
export async function createScheduleTables(store: Store): Promise<void> {
  const { dialect } = store
  const statements = [
    sql`create table if not exists ${schedules} (
      id ${sql.raw(dialect.generatedIdType)}, type text not null, document_id text not null, locale text not null,
      action text not null, run_at text not null, author text not null, created_at text not null)`,
    sql`create unique index if not exists octavo_schedules_document
      on ${schedules} (document_id, type, locale, action)`,
    sql`create index if not exists octavo_schedules_time on ${schedules} (run_at)`,
  ]
  await store.write(async (transaction) => {
    transaction.lock([SCHEDULES])
    for (const statement of statements) transaction.run(compile(dialect, statement))
  })
}
