/** The tables of releases: one row for each release, and one for each of its entries. */
import { sql } from '../../store/sql.ts'
import type { OwnTables } from '../../store/tables/own-tables.ts'

export const RELEASES = 'octavo_releases'
export const RELEASE_ENTRIES = 'octavo_release_entries'

export const releases = sql.table(RELEASES)
export const releaseEntries = sql.table(RELEASE_ENTRIES)

export const releaseTables: OwnTables = (dialect) => {
  const id = sql.raw(dialect.generatedIdType)
  return [
    sql`create table if not exists ${releases} (
      id ${id}, name text not null, state text not null, publish_at text, author text, error text,
      created_at text not null, created_by text not null, published_at text, published_by text)`,
    sql`create index if not exists octavo_releases_published on ${releases} (published_at)`,
    sql`create table if not exists ${releaseEntries} (
      id ${id}, release bigint not null, type text not null, document_id text not null, locale text not null,
      action text not null, was_published ${sql.raw(dialect.smallIntegerType)}, former_state bigint)`,
    sql`create unique index if not exists octavo_release_entries_document
      on ${releaseEntries} (release, document_id, type, locale)`,
  ]
}
