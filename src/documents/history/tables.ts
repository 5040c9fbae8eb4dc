/** The tables of history: one row for each saved state of a document, and the models that earlier states were saved with. */
import { sql } from '../../store/sql.ts'
import type { OwnTables } from '../../store/tables/own-tables.ts'

export const HISTORY = 'octavo_history'

/** The models that migrations have replaced, by schema version. */
const HISTORY_MODELS = 'octavo_history_models'

export const history = sql.table(HISTORY)
export const historyModels = sql.table(HISTORY_MODELS)

export const historyTables: OwnTables = (dialect) => {
  return [
    sql`create table if not exists ${history} (
      id ${sql.raw(dialect.generatedIdType)}, type text not null, document_id text not null,
      locale text not null, published ${sql.raw(dialect.smallIntegerType)} not null, action text not null,
      author text not null, request_id text, at text not null, model integer not null,
      row_id bigint, state text not null)`,
    sql`create index if not exists octavo_history_document on ${history} (document_id, locale, id)`,
    sql`create index if not exists octavo_history_deleted on ${history} (type, id) where action = 'delete'`,
    sql`create table if not exists ${historyModels} (version integer primary key, model text not null)`,
  ]
}
