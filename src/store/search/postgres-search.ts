/**
 * Search indexes on PostgreSQL: a table of the words of each row with a GIN index, a list of all words with a GIN index of their
 * trigrams, from the extension `pg_trgm`, and a table of the rows that the index does not have yet.
 *
 * A part of a word is first looked up in the list of words, which hardly grows with the number of rows. In a trial with
 * 1,000,000 rows of 290 characters, finding the rows that contain six given characters took 5 to 1,900 milliseconds with an index
 * of the trigrams of the rows, as each trigram is in many of them.
 *
 * Looking up the words of each row on its own would take a create half its time. So triggers only note which rows have changed,
 * and some of them add the noted rows together. A search reads the noted rows in addition.
 */
import { foldExpression } from '../fold/fold-expression.ts'
import { type Sql, sql } from '../sql.ts'
import { identifier } from '../tables/identifier.ts'
import type { SearchDialect, SearchIndex } from './search-dialect.ts'
import { unfoldedText } from './search-index.ts'
import { MARK, SEPARATOR, SIZE, SPLIT_WORD } from './words.ts'

/** The bytes of changed rows that are added together, on average. With more, a write takes less time, and a search longer. */
const MAX_PENDING = 192_000
/** Stands for what a row costs besides its text. */
const ROW_LENGTH = 50
/** The rows that one transaction adds at most, so that it does not take long. */
const MAX_ROWS = 1_024
/** The changes after which rows are added however short they are, on average: fewer than are added, so that none pile up. */
const MAX_CHANGES = 768

/**
 * The GIN index first puts its entries on a list, which every search reads, and merges them together when the list has this length,
 * or when the server has been idle for longer. In a trial, a search took 1.3 milliseconds longer for 1,000 rows on the list. The
 * more rows are merged together, the less time each takes.
 */
const LIST_KILOBYTES = 2_048
/** The milliseconds without a write after which lists are merged. */
export const MERGE_DELAY = 30_000

/** The first key of the locks that transactions hold which add rows to an index. */
const LOCK = 6_228

const named = ({ name }: SearchIndex, part: string) => identifier(`${name}_${part}`)

/** The table of the rows whose current text may not be in the index. */
export const pendingTable = (index: SearchIndex): Sql => sql.table(named(index, 'pending'))
/**
 * The table of the words of each row. Two rows with the same text share them, as a draft and its published version often do: `id`
 * is one of them, `twin` the other.
 */
export const rowTable = (index: SearchIndex): Sql => sql.table(named(index, 'rows'))
/** The table of all words that rows have or had, except those that are indexed by their trigrams. */
export const wordTable = (index: SearchIndex): Sql => sql.table(named(index, 'words'))

const noteName = (index: SearchIndex) => sql.id(named(index, 'note'))
const noteUpdateName = (index: SearchIndex) => sql.id(named(index, 'note_update'))
const addName = (index: SearchIndex) => sql.id(named(index, 'add'))

const INDEXED_WORDS = sql.raw('octavo_indexed_words')

// `translate` would compare each character with every separator, which takes forty times as long as the regular expression.
// A word can be as long as a file in base64: no step that reads all of it is repeated for each of its characters.
const createIndexedWords = sql`CREATE OR REPLACE FUNCTION ${INDEXED_WORDS}(folded text) RETURNS text[]
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $words$
  DECLARE
    spaced text := regexp_replace(folded, ${sql.lit(SEPARATOR)}, ' ', 'g');
    words text[] := string_to_array(spaced, ' ');
  BEGIN
    IF spaced !~ ${sql.lit(SPLIT_WORD)} THEN RETURN words; END IF;
    RETURN array(SELECT word FROM unnest(words) AS word WHERE word !~ ${sql.lit(SPLIT_WORD)}
      UNION ALL SELECT DISTINCT ${sql.lit(MARK)} || trigram
        FROM (SELECT word, greatest(length(word) - ${sql.lit(SIZE - 1)}, 1) AS size FROM unnest(words) AS word
          WHERE word ~ ${sql.lit(SPLIT_WORD)} OFFSET 0) AS split
        CROSS JOIN LATERAL (SELECT number,
            character || lead(character, 1, '') OVER following || lead(character, 2, '') OVER following AS trigram
          FROM unnest(string_to_array(word, NULL)) WITH ORDINALITY AS item (character, number)
          WINDOW following AS (ORDER BY number)) AS trigrams
        WHERE number <= size);
  END $words$`

const ROW_WORDS = sql.raw('octavo_row_words')

/**
 * Returns the words as they are. The planner takes comparing two lists of words for as cheap as comparing two numbers, and would
 * read up to tens of thousands of rows without the index; the cost of this function keeps it from that.
 */
const createRowWords = sql`CREATE OR REPLACE FUNCTION ${ROW_WORDS}(words text[]) RETURNS text[]
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $words$ BEGIN RETURN words; END $words$`

/** The words of a row of the table of words, as they are indexed. */
export const rowWords = sql`${ROW_WORDS}(words)`

/** Adds rows of the table to the table of words, in pairs with the same text where there are any. */
const addRows = (table: string, index: SearchIndex, which: Sql) =>
  sql`INSERT INTO ${rowTable(index)} (id, twin, words)
    SELECT ids[place], ids[place + 1], ${INDEXED_WORDS}(${foldExpression(sql`text`)})
    FROM (SELECT text, array_agg(id) AS ids FROM (SELECT id, ${unfoldedText(index, (name) => sql.id(name))} AS text
        FROM ${sql.table(table)} WHERE ${which}) AS item GROUP BY text) AS item
    CROSS JOIN generate_series(1, cardinality(ids), 2) AS place`

/** This many words with the lowest numbers make up most of a text. They are compared in memory instead of being looked up. */
const FREQUENT_WORDS = 8_000

/**
 * Adds the words of some rows to the list of words, the most frequent ones first: a search takes words with low numbers to be
 * frequent. `OFFSET 0` keeps the planner from testing every word before it is known to be new. With `=` instead of `BETWEEN`, it
 * may look up each word by its trigrams, which takes milliseconds.
 */
const addWords = (index: SearchIndex, rows: Sql) =>
  sql`INSERT INTO ${wordTable(index)} (word) SELECT word FROM (
      SELECT word, count(*) AS count FROM (SELECT unnest(words) AS word FROM ${rows} AS item) AS item
      GROUP BY word
      HAVING word NOT IN (SELECT word FROM ${wordTable(index)} WHERE id <= ${sql.lit(FREQUENT_WORDS)} LIMIT ${sql.lit(FREQUENT_WORDS)})
      OFFSET 0) AS fresh
    WHERE length(word) >= ${sql.lit(SIZE)} AND left(word, 1) <> ${sql.lit(MARK)} AND
      NOT EXISTS (SELECT FROM ${wordTable(index)} AS known WHERE known.word BETWEEN fresh.word AND fresh.word)
    ORDER BY count DESC`

/**
 * A function that adds rows which wait, and returns their number. One transaction does so at a time: another one could add an
 * earlier text of a row after it. A row that changes meanwhile is noted again. The plans of its statements may be as old as the
 * connection, from a time when the tables were empty, so indexes are preferred. With too little memory, frequent words would be
 * compared one by one.
 */
const createAdd = (
  table: string,
  index: SearchIndex,
) => sql`CREATE FUNCTION ${addName(index)}(is_idle boolean)
  RETURNS integer LANGUAGE plpgsql SET enable_seqscan = off SET work_mem = '4MB' AS $add$
  DECLARE
    added bigint[];
  BEGIN
    -- Each statement must see what was committed before it.
    IF current_setting('transaction_isolation') <> 'read committed'
      OR NOT pg_try_advisory_xact_lock(${sql.lit(LOCK)}, hashtext(${sql.lit(index.name)}))
      THEN RETURN 0; END IF;
    WITH taken AS (DELETE FROM ${pendingTable(index)}
      WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${pendingTable(index)} LIMIT ${sql.lit(MAX_ROWS)})) RETURNING id)
      SELECT array_agg(id) INTO added FROM taken;
    IF added IS NOT NULL THEN
      WITH removed AS (DELETE FROM ${rowTable(index)} WHERE id = ANY (added) OR twin = ANY (added) RETURNING id, twin)
        SELECT added || array_agg(id) || array_agg(twin) INTO added FROM removed;
      WITH fresh AS (${addRows(table, index, sql`id = ANY (added)`)} RETURNING words) ${addWords(index, sql`fresh`)};
    END IF;
    IF is_idle AND added IS NULL THEN PERFORM gin_clean_pending_list(format('%I', ${sql.lit(index.name)})::regclass); END IF;
    RETURN coalesce(cardinality(added), 0);
  END $add$`

/**
 * The longer a row is, the more often its change adds those that wait. New rows are chosen by their ids, which are consecutive,
 * and other changes at random: a sequence that counts them would cost a create 15 microseconds.
 */
const createNote = (index: SearchIndex) => {
  const length = sql.join(
    index.columns.map((name) => sql`coalesce(octet_length(NEW.${sql.id(name)}), 0)`),
    ' + ',
  )
  return sql`CREATE FUNCTION ${noteName(index)}() RETURNS trigger LANGUAGE plpgsql AS $note$
    BEGIN
      INSERT INTO ${pendingTable(index)} (id) VALUES (coalesce(NEW.id, OLD.id));
      IF (CASE TG_OP WHEN 'INSERT' THEN NEW.id ELSE (random() * 1000000000)::bigint END)
        % greatest(least(${sql.lit(MAX_PENDING)} / (${sql.lit(ROW_LENGTH)} + ${length}), ${sql.lit(MAX_CHANGES)}), 1) = 0
        THEN PERFORM ${addName(index)}(false); END IF;
      RETURN NULL;
    END $note$`
}

/** The functions that add the rows which wait for an index. */
export const addFunctions = sql`SELECT proname::text AS name FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
  AND proname LIKE 'octavo\\_search\\_%' AND prorettype = 'integer'::regtype`

/** Calls these functions. With `merges`, one that has nothing to add merges the list of its index. */
export const addPending = (names: readonly string[], merges: boolean): Sql => {
  const calls = names.map((name) => sql`${sql.id(name)}(${merges ? sql`true` : sql`false`})`)
  return sql`SELECT ${sql.join(calls, ' + ')} AS added`
}

export const postgresSearch: SearchDialect = {
  isAvailable: sql`SELECT 1 AS one WHERE EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm')
    OR (EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm')
      AND has_database_privilege(current_database(), 'CREATE') AND has_schema_privilege(current_schema(), 'CREATE'))`,
  prepare: [sql`CREATE EXTENSION IF NOT EXISTS pg_trgm`, createIndexedWords, createRowWords],

  create(table, index) {
    const changed = sql.join(
      index.columns.map((name) => sql`NEW.${sql.id(name)} IS DISTINCT FROM OLD.${sql.id(name)}`),
      ' OR ',
    )
    const columns = sql.join(index.columns.map((name) => sql.id(name)))
    return [
      sql`CREATE TABLE ${wordTable(index)} (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, word text COLLATE "C" NOT NULL)`,
      sql`CREATE TABLE ${rowTable(index)} (id bigint NOT NULL, twin bigint, words text[] COLLATE "C" NOT NULL)`,
      sql`CREATE TABLE ${pendingTable(index)} (id bigint NOT NULL)`,
      addRows(table, index, sql`true`),
      addWords(index, rowTable(index)),
      // Not unique: a word may be listed twice.
      sql`CREATE INDEX ON ${wordTable(index)} (word)`,
      // The extension may be in a schema of its own, which only the catalog knows.
      sql`DO $create$ BEGIN EXECUTE format('CREATE INDEX ON %I USING gin (word %I.gin_trgm_ops)',
        ${sql.lit(named(index, 'words'))},
        (SELECT nspname FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'pg_trgm'));
        END $create$`,
      sql`CREATE INDEX ON ${rowTable(index)} (id)`,
      sql`CREATE INDEX ON ${rowTable(index)} (twin) WHERE twin IS NOT NULL`,
      sql`CREATE INDEX ${sql.id(index.name)} ON ${rowTable(index)} USING gin (${rowWords})
        WITH (gin_pending_list_limit = ${sql.lit(LIST_KILOBYTES)})`,
      // No plan depends on which words are frequent, and counting them takes long.
      sql`ALTER TABLE ${rowTable(index)} ALTER COLUMN words SET STATISTICS 0`,
      sql`ALTER INDEX ${sql.id(index.name)} ALTER COLUMN 1 SET STATISTICS 0`,
      createAdd(table, index),
      createNote(index),
      sql`CREATE TRIGGER ${noteName(index)} AFTER INSERT OR DELETE ON ${sql.table(table)}
        FOR EACH ROW EXECUTE FUNCTION ${noteName(index)}()`,
      sql`CREATE TRIGGER ${noteUpdateName(index)} AFTER UPDATE OF ${columns} ON ${sql.table(table)}
        FOR EACH ROW WHEN (${changed}) EXECUTE FUNCTION ${noteName(index)}()`,
      sql`ANALYZE ${wordTable(index)}`,
      sql`ANALYZE ${rowTable(index)}`,
    ]
  },

  drop: (table, index) => [
    // Before format 3, it is an index of the table itself.
    sql`DROP INDEX IF EXISTS ${sql.id(index.name)}`,
    sql`DROP TRIGGER IF EXISTS ${noteName(index)} ON ${sql.table(table)}`,
    sql`DROP TRIGGER IF EXISTS ${noteUpdateName(index)} ON ${sql.table(table)}`,
    sql`DROP FUNCTION IF EXISTS ${noteName(index)}()`,
    sql`DROP FUNCTION IF EXISTS ${addName(index)}(boolean)`,
    sql`DROP TABLE IF EXISTS ${wordTable(index)}`,
    sql`DROP TABLE IF EXISTS ${rowTable(index)}`,
    sql`DROP TABLE IF EXISTS ${pendingTable(index)}`,
  ],
}
