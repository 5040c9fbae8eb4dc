/**
 * Search indexes on PostgreSQL: a GIN index of the words of each row, and a list of all words with a GIN index of their trigrams,
 * from the extension `pg_trgm`.
 *
 * A part of a word is first looked up in the list of words, which hardly grows with the number of rows. In a trial with
 * 1,000,000 rows of 290 characters, finding the rows that contain six given characters took 5 to 1,900 milliseconds with an index
 * of the trigrams of the rows, as each trigram is in many of them.
 */
import { type Sql, sql } from '../sql.ts'
import { identifier } from '../tables/identifier.ts'
import type { SearchDialect, SearchIndex } from './search-dialect.ts'
import { searchedText } from './search-index.ts'
import { MARK, SEPARATOR, SIZE, SPLIT_WORD } from './words.ts'

/**
 * New rows are first put on a list, which every search reads, and added to the index together. With the 4 MB that PostgreSQL
 * takes by default, a search of 36,000 rows took up to six times as long.
 */
const PENDING_KILOBYTES = 1_024

/** The table of all words that rows have or had, except those that are indexed by their trigrams. */
export const wordTable = ({ name }: SearchIndex): Sql => sql.table(identifier(`${name}_words`))
const triggerName = ({ name }: SearchIndex): Sql => sql.id(identifier(`${name}_note`))

const INDEXED_WORDS = sql.raw('octavo_indexed_words')

/** The words and trigrams of a row that are indexed. */
export const indexedWords = (index: SearchIndex, column: (name: string) => Sql): Sql =>
  sql`${INDEXED_WORDS}(${searchedText(index, column)})`

// `translate` would compare each character with every separator, which takes forty times as long as the regular expression.
const createIndexedWords = sql`CREATE OR REPLACE FUNCTION ${INDEXED_WORDS}(folded text) RETURNS text[]
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $words$
  DECLARE
    spaced text := regexp_replace(folded, ${sql.lit(SEPARATOR)}, ' ', 'g');
    words text[] := string_to_array(spaced, ' ');
  BEGIN
    IF spaced !~ ${sql.lit(SPLIT_WORD)} THEN RETURN words; END IF;
    RETURN array(SELECT word FROM unnest(words) AS word WHERE word !~ ${sql.lit(SPLIT_WORD)}
      UNION ALL SELECT ${sql.lit(MARK)} || trigram FROM unnest(words) AS word CROSS JOIN LATERAL (
        SELECT number, character || lead(character, 1, '') OVER following || lead(character, 2, '') OVER following AS trigram
        FROM unnest(string_to_array(word, NULL)) WITH ORDINALITY AS item (character, number)
        WINDOW following AS (ORDER BY number)) AS trigrams
      WHERE word ~ ${sql.lit(SPLIT_WORD)} AND number <= greatest(length(word) - ${sql.lit(SIZE - 1)}, 1));
  END $words$`

/** Those of some words that are in the list of words. */
const isListed = (word: Sql) =>
  sql`length(${word}) >= ${sql.lit(SIZE)} AND left(${word}, 1) <> ${sql.lit(MARK)}`

export const postgresSearch: SearchDialect = {
  isAvailable: sql`SELECT 1 AS one WHERE EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm')
    OR (EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm')
      AND has_database_privilege(current_database(), 'CREATE') AND has_schema_privilege(current_schema(), 'CREATE'))`,
  prepare: [sql`CREATE EXTENSION IF NOT EXISTS pg_trgm`, createIndexedWords],

  create(table, index) {
    const rows = sql.table(table)
    const words = wordTable(index)
    const columns = index.columns.map((name) => sql.id(name))
    const ofNew = (name: string) => sql`NEW.${sql.id(name)}`
    const withLimit = sql`WITH (gin_pending_list_limit = ${sql.lit(PENDING_KILOBYTES)})`
    return [
      sql`CREATE TABLE ${words} (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, word text COLLATE "C" NOT NULL)`,
      // A search takes words with low numbers to be frequent.
      sql`INSERT INTO ${words} (word) SELECT word FROM ${rows}, unnest(${indexedWords(index, (name) => sql.id(name))}) AS word
        WHERE ${isListed(sql`word`)} GROUP BY word ORDER BY count(*) DESC`,
      // Not unique, so that no transaction waits for another one with the same word. A word may be listed twice.
      sql`CREATE INDEX ON ${words} (word)`,
      // The extension may be in a schema of its own, which only the catalog knows.
      sql`DO $create$ BEGIN EXECUTE format('CREATE INDEX ON %I USING gin (word %I.gin_trgm_ops)',
        ${sql.lit(identifier(`${index.name}_words`))},
        (SELECT nspname FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'pg_trgm'));
        END $create$`,
      sql`CREATE INDEX ${sql.id(index.name)} ON ${rows} USING gin (${indexedWords(index, (name) => sql.id(name))}) ${withLimit}`,
      sql`CREATE OR REPLACE FUNCTION ${triggerName(index)}() RETURNS trigger LANGUAGE plpgsql AS $note$ BEGIN
        INSERT INTO ${words} (word) SELECT DISTINCT fresh.word FROM unnest(${indexedWords(index, ofNew)}) AS fresh (word)
          WHERE ${isListed(sql`fresh.word`)} AND NOT EXISTS (SELECT FROM ${words} AS known WHERE known.word = fresh.word);
        RETURN NULL; END $note$`,
      sql`CREATE TRIGGER ${triggerName(index)} AFTER INSERT OR UPDATE OF ${sql.join(columns)} ON ${rows}
        FOR EACH ROW EXECUTE FUNCTION ${triggerName(index)}()`,
      sql`ANALYZE ${words}`,
    ]
  },

  drop: (table, index) => [
    sql`DROP INDEX IF EXISTS ${sql.id(index.name)}`,
    sql`DROP TRIGGER IF EXISTS ${triggerName(index)} ON ${sql.table(table)}`,
    sql`DROP FUNCTION IF EXISTS ${triggerName(index)}()`,
    sql`DROP TABLE IF EXISTS ${wordTable(index)}`,
  ],
}
