/** The table of schedules: one row for each action that is planned for a document in a locale. */
import { sql } from '../../store/sql.ts'
import type { OwnTables } from '../../store/tables/own-tables.ts'

export const SCHEDULES = 'octavo_schedules'

export const schedules = sql.table(SCHEDULES)

export const scheduleTables: OwnTables = (dialect) => {
  return [
    sql`create table if not exists ${schedules} (
      id ${sql.raw(dialect.generatedIdType)}, type text not null, document_id text not null, locale text not null,
      action text not null, run_at text not null, author text not null, created_at text not null)`,
    sql`create unique index if not exists octavo_schedules_document
      on ${schedules} (document_id, type, locale, action)`,
    sql`create index if not exists octavo_schedules_time on ${schedules} (run_at)`,
  ]
}
