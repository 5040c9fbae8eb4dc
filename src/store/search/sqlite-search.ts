/**
 * Search indexes on SQLite: an FTS5 table of trigrams, and a table of the rows that it does not have yet.
 *
 * A single row that is added to an FTS5 table costs a whole segment: in a trial with 270 characters per row, an INSERT with
 * its commit took 1,100 instead of 31 microseconds of processor time. So triggers only note which rows have changed, and add
 * them together once they have enough text: 122 microseconds. A search reads the noted rows in addition.
 */
import { type Sql, sql } from '../sql.ts'
import type { SearchDialect, SearchIndex } from './search-dialect.ts'
import { searchedText } from './search-index.ts'

/**
 * The characters of changed rows that are added together. With more, a write takes less time on average, but the one that adds
 * them takes longer (about 30 milliseconds with this number), and so does a search.
 */
const MAX_PENDING = 128_000
/** Stands for what a row costs besides its text. */
const ROW_LENGTH = 50

/** The table of the rows whose current text is not in the index. */
export const pendingTable = ({ name }: SearchIndex): Sql => sql.table(`${name}_pending`)

const trigger = ({ name }: SearchIndex, event: string) => sql.id(`${name}_${event}`)
const EVENTS = ['insert', 'update', 'delete', 'flush']

const of = (row: 'new' | 'old') => (name: string) => sql.ref(`${row}.${name}`)

export const sqliteSearch: SearchDialect = {
  isAvailable: null,
  prepare: [],

  create(table, index) {
    const rows = sql.table(table)
    const fts = sql.table(index.name)
    const pending = pendingTable(index)
    const columns = index.columns.map((name) => sql.id(name))
    const isChanged = sql.join(
      index.columns.map((name) => sql`${of('new')(name)} is not ${of('old')(name)}`),
      ' or ',
    )
    const length = sql.join(
      index.columns.map((name) => sql`coalesce(length(${of('new')(name)}), 0)`),
      ' + ',
    )
    const total = (added: Sql) =>
      sql`coalesce((select total from ${pending} order by seq desc limit 1), 0) + ${sql.lit(ROW_LENGTH)} + ${added}`
    // The index has the text of a row only if the row is not pending.
    const indexedText = sql`case when exists (select 1 from ${pending} where id = old.id) then null
      else ${searchedText(index, of('old'))} end`
    return [
      // Without the text itself and without its length, which only ranking needs.
      sql`create virtual table ${fts} using fts5(text, content='', columnsize=0, detail=none, tokenize='trigram case_sensitive 1')`,
      sql`insert into ${fts} (rowid, text) select id, ${searchedText(index, (name) => sql.id(name))} from ${rows}`,
      sql`create table ${pending} (seq integer primary key, id integer not null, indexed text, total integer not null) strict`,
      sql`create index ${sql.id(`${index.name}_pending_id`)} on ${pending} (id)`,
      sql`create trigger ${trigger(index, 'insert')} after insert on ${rows} begin
        insert into ${pending} (id, indexed, total) values (new.id, null, ${total(length)}); end`,
      sql`create trigger ${trigger(index, 'update')} after update of ${sql.join(columns)} on ${rows} when ${isChanged} begin
        insert into ${pending} (id, indexed, total) values (new.id, ${indexedText}, ${total(length)}); end`,
      sql`create trigger ${trigger(index, 'delete')} after delete on ${rows} begin
        insert into ${pending} (id, indexed, total) values (old.id, ${indexedText}, ${total(sql.lit(0))}); end`,
      // FTS5 forgets the former text of a row when it gets exactly that text.
      sql`create trigger ${trigger(index, 'flush')} after insert on ${pending} when new.total > ${sql.lit(MAX_PENDING)} begin
        insert into ${fts} (${fts}, rowid, text) select 'delete', id, indexed from ${pending} where indexed is not null;
        insert into ${fts} (rowid, text) select id, ${searchedText(index, (name) => sql.id(name))} from ${rows}
          where id in (select id from ${pending});
        delete from ${pending}; end`,
    ]
  },

  drop: (_table, index) => [
    ...EVENTS.map((event) => sql`drop trigger if exists ${trigger(index, event)}`),
    sql`drop table if exists ${sql.table(index.name)}`,
    sql`drop table if exists ${pendingTable(index)}`,
  ],
}
