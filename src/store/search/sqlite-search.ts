/**
 * Search indexes on SQLite: an FTS5 table of the words of each row, a list of all words with an FTS5 table of their trigrams, and
 * a table of the rows that the index does not have yet.
 *
 * A part of a word is first looked up in the list of words, which hardly grows with the number of rows. In a trial with
 * 1,000,000 rows of 290 characters, finding the rows that contain six given characters took 0.5 milliseconds of processor time,
 * and 20 to 50 with an index of the trigrams of the rows, as each trigram is in many of them. Adding a row to an index of trigrams
 * took 3.5 times as long, and the index was four times as large.
 *
 * A single row that is added to an FTS5 table costs a whole segment. So triggers only note which rows have changed, and the
 * server adds them together once they have enough text. A search reads the noted rows in addition.
 */
import { type Sql, sql } from '../sql.ts'
import {
  FOLDED_AND_INDEXED_TEXT,
  INDEXED_TEXT,
  UNFOLDED_WORDS,
  UNLISTED_WORDS,
  WORDS,
} from './full-text-query.ts'
import type { SearchDialect, SearchIndex } from './search-dialect.ts'
import { searchedText, unfoldedText } from './search-index.ts'

/** The number of segments of one size that are merged. With twice SQLite's default, a row is added in 7 % less CPU time. */
const SEGMENTS = 8
/** Stands for what a row costs besides its text. */
const ROW_LENGTH = 50

/** The number of statements that fill a new index: what functions return is in memory until their statement ends. */
const PARTS = 32

/** The text in which the frequency of words is counted when an index is created. */
const SAMPLE = { rows: 2_000, characters: 1_000 }

/** The table of the rows whose current text is not in the index. */
export const pendingTable = ({ name }: SearchIndex): Sql => sql.table(`${name}_pending`)

/**
 * The view of these rows with their lengths. Inserting a `seq` into it adds the rows up to this one to the index.
 *
 * The trigger for inserted rows must neither do that nor call a function. Otherwise SQLite copies the pages that each insert
 * changes, to be able to undo that statement alone, which takes a tenth of the CPU time of a create.
 */
const waitingView = ({ name }: SearchIndex): Sql => sql.table(`${name}_waiting`)

/**
 * The pairs of rows that were added with the same text, as a draft and its published version often are. It is in the index only
 * once, as the text of `id`.
 */
export const pairTable = ({ name }: SearchIndex): Sql => sql.table(`${name}_pairs`)

/** The table of all words that rows have or had, except those that are indexed by their trigrams. */
export const wordTable = ({ name }: SearchIndex): Sql => sql.table(`${name}_words`)
/** The full-text table of the trigrams of the words. */
export const trigramTable = ({ name }: SearchIndex): Sql => sql.table(`${name}_trigrams`)

const trigger = ({ name }: SearchIndex, event: string) => sql.id(`${name}_${event}`)
const EVENTS = ['insert', 'update', 'delete', 'flush', 'word']

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
      index.columns.map((name) => sql`coalesce(length(${sql.ref(`r.${name}`)}), 0)`),
      ' + ',
    )
    // The index has the text of a row only if the row is not pending.
    const indexedText = sql`case when exists (select 1 from ${pending} where id = old.id) then null
      else ${searchedText(index, of('old'))} end`
    const pairs = pairTable(index)
    const words = wordTable(index)
    const trigrams = trigramTable(index)
    const unfolded = unfoldedText(index, (name) => sql.id(name))
    const text = searchedText(index, (name) => sql.id(name))
    // In a trigger, OR IGNORE would be replaced by what the statement says that fires it.
    const addWords = (lists: Sql) => sql`insert into ${words} (word) select item.value from ${lists} as item
      where item.value not in (select word from ${words}) on conflict do nothing`
    const isTwin = sql`id in (select twin from ${pairs})`
    // A row that was changed several times may be added again.
    const addPairs = (which: Sql) =>
      sql`insert into ${pairs} (id, twin) select min(id), max(id) from ${rows}
        where ${which} and id not in (select id from ${pairs}) and not ${isTwin} group by ${unfolded} having count(*) = 2`
    const addRows = (which: Sql) =>
      sql`insert into ${fts} (rowid, text) select id, ${sql.raw(FOLDED_AND_INDEXED_TEXT)}(${unfolded}) from ${rows} where ${which} and not ${isTwin}`
    const inParts = (fill: (which: Sql) => Sql) => {
      const end = (part: number) => sql`(select max(id) from ${rows}) * ${sql.lit(part)} / ${sql.lit(PARTS)}`
      return Array.from({ length: PARTS }, (_, part) =>
        fill(sql`id > ${end(part)} and id <= ${end(part + 1)}`),
      )
    }
    const isAdded = sql`id in (select id from ${pending} where seq <= new.seq)`
    const isReplaced = sql`indexed is not null and seq <= new.seq`
    const replaced = sql`(select id from ${pending} where ${isReplaced})`
    const waiting = waitingView(index)
    const allTexts = (text: Sql, some: Sql) =>
      sql`coalesce((select group_concat(${text}, ' ') from ${some}), '')`
    const sample = sql`(select * from ${rows} order by id desc limit ${sql.lit(SAMPLE.rows)})`
    return [
      // Without the text itself, its length and the positions in it.
      sql`create virtual table ${fts} using fts5(text, content='', columnsize=0, detail=none, tokenize='ascii')`,
      sql`create virtual table ${trigrams} using fts5(word, content='', columnsize=0, detail=none, tokenize='trigram case_sensitive 1')`,
      sql`create table ${words} (id integer primary key, word text not null unique) strict`,
      sql`create trigger ${trigger(index, 'word')} after insert on ${words} begin
        insert into ${trigrams} (rowid, word) values (new.id, new.word); end`,
      // A search takes words with low numbers to be frequent.
      addWords(
        sql`json_each(${sql.raw(WORDS)}(${allTexts(sql`substr(${text}, 1, ${sql.lit(SAMPLE.characters)})`, sample)}))`,
      ),
      ...inParts((which) =>
        addWords(
          sql`(select ${unfolded} as text from ${rows} where ${which}) as part, json_each(${sql.raw(UNFOLDED_WORDS)}(part.text))`,
        ),
      ),
      sql`create table ${pairs} (id integer primary key, twin integer not null unique) strict`,
      addPairs(sql`true`),
      ...inParts(addRows),
      sql`insert into ${fts} (${fts}, rank) values ('automerge', ${sql.lit(SEGMENTS)})`,
      sql`create table ${pending} (seq integer primary key, id integer not null, indexed text) strict`,
      sql`create index ${sql.id(`${index.name}_pending_id`)} on ${pending} (id)`,
      sql`create trigger ${trigger(index, 'insert')} after insert on ${rows} begin
        insert into ${pending} (id) values (new.id); end`,
      sql`create trigger ${trigger(index, 'update')} after update of ${sql.join(columns)} on ${rows} when ${isChanged} begin
        insert into ${pending} (id, indexed) values (new.id, ${indexedText}); end`,
      sql`create trigger ${trigger(index, 'delete')} after delete on ${rows} begin
        insert into ${pending} (id, indexed) values (old.id, ${indexedText}); end`,
      sql`create view ${waiting} (seq, length) as
        select p.seq, ${sql.lit(ROW_LENGTH)} + ${length} from ${pending} as p left join ${rows} as r on r.id = p.id`,
      // FTS5 forgets the former text of a row when it gets exactly that text.
      sql`create trigger ${trigger(index, 'flush')} instead of insert on ${waiting} begin
        insert into ${fts} (${fts}, rowid, text) select 'delete', id, ${sql.raw(INDEXED_TEXT)}(indexed) from ${pending} where ${isReplaced} and not ${isTwin};
        insert into ${fts} (rowid, text) select twin, ${sql.raw(INDEXED_TEXT)}(indexed) from ${pending} cross join ${pairs} using (id)
          where ${isReplaced} and twin not in ${replaced};
        delete from ${pairs} where id in ${replaced} or twin in ${replaced};
        ${addPairs(isAdded)};
        ${addWords(sql`json_each(${sql.raw(UNLISTED_WORDS)}(${sql.lit(index.name)}, ${allTexts(unfolded, sql`${rows} where ${isAdded} and not ${isTwin}`)}))`)};
        ${addRows(isAdded)};
        delete from ${pending} where ${isAdded}; end`,
    ]
  },

  drop: (_table, index) => [
    ...EVENTS.map((event) => sql`drop trigger if exists ${trigger(index, event)}`),
    sql`drop view if exists ${waitingView(index)}`,
    sql`drop table if exists ${sql.table(index.name)}`,
    sql`drop table if exists ${trigramTable(index)}`,
    sql`drop table if exists ${wordTable(index)}`,
    sql`drop table if exists ${pendingTable(index)}`,
    sql`drop table if exists ${pairTable(index)}`,
  ],
}
