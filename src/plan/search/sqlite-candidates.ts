/** The rows that can match a search, from the full-text index of SQLite. */
import { fold } from '../../store/fold/fold.ts'
import { allOf, FULL_TEXT_QUERY } from '../../store/search/full-text-query.ts'
import type { SearchIndex } from '../../store/search/search-dialect.ts'
import { pendingTable, trigramTable, wordTable } from '../../store/search/sqlite-search.ts'
import { MAX_WORDS, partsOf, patternOf } from '../../store/search/words.ts'
import { type Sql, sql } from '../../store/sql.ts'
import { derived } from '../prepared-statement.ts'
import type { IndexedSearch, SearchCandidates, SearchTest } from './indexed-search.ts'

/** The parts of a term as queries for their trigrams, and as patterns of GLOB. */
const lookupsOf = (term: string): string =>
  JSON.stringify(partsOf(fold(term)).map((part) => [allOf(part.trigrams), patternOf(part, '*')]))

/** For each part of a term, how many words have its trigrams, and those that contain the part. */
const foundWords = (test: Extract<SearchTest, { kind: 'contains' }>, index: SearchIndex): Sql => {
  const trigrams = trigramTable(index)
  // With OFFSET, the JSON is read once for each part, not for each word.
  return sql`(select json_group_array(json((
      select json_array(count(*), json_group_array(json_array(word.id, word.word)) filter (where word.word glob part.pattern))
      from (select rowid as id from ${trigrams} where ${trigrams} match part.trigrams limit ${sql.lit(MAX_WORDS + 1)}) as found
      cross join ${wordTable(index)} as word on word.id = found.id
    ))) from (
      select value ->> 0 as trigrams, value ->> 1 as pattern from json_each(${derived(test.value, lookupsOf)}) limit -1 offset 0
    ) as part)`
}

/** The query in the syntax of FTS5; null when too many words match. */
function matchQuery(test: SearchTest, index: SearchIndex): Sql {
  if (test.kind === 'contains')
    return sql`${sql.raw(FULL_TEXT_QUERY)}(${derived(test.value, fold)}, ${foundWords(test, index)})`
  const joined = sql.join(
    test.all.map((part) => matchQuery(part, index)),
    test.kind === 'and' ? ` || ') AND (' || ` : ` || ') OR (' || `,
  )
  return sql`'(' || ${joined} || ')'`
}

/** The rows that pass the test, and those that are not in the index yet. */
export function fullTextCandidates({ index, test }: IndexedSearch): SearchCandidates {
  const fts = sql.table(index.name)
  return {
    expressions: [sql`search_query (text) as materialized (select ${matchQuery(test, index)})`],
    rows: sql`select rowid as id from ${fts} where ${fts} match coalesce((select text from search_query), '')
      union all select id from ${pendingTable(index)}`,
    isUsable: sql`(select text from search_query) is not null`,
  }
}
