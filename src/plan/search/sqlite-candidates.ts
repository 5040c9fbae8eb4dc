/** The rows that can match a search, from the full-text index of SQLite. */
import { fold } from '../../store/fold/fold.ts'
import { allOf, FULL_TEXT_QUERY } from '../../store/search/full-text-query.ts'
import type { SearchIndex } from '../../store/search/search-dialect.ts'
import { pairTable, pendingTable, trigramTable, wordTable } from '../../store/search/sqlite-search.ts'
import { MAX_WORDS, partsOf, patternOf, type TermPart } from '../../store/search/words.ts'
import { type Sql, sql } from '../../store/sql.ts'
import { derived } from '../prepared-statement.ts'
import type { IndexedSearch, SearchCandidates, SearchTest } from './indexed-search.ts'

/** The parts of a term as queries for their trigrams, and as patterns of GLOB. */
const lookupsOf = (parts: readonly TermPart[]): string =>
  JSON.stringify(parts.map((part) => [allOf(part.trigrams), patternOf(part, '*')]))
const firstLookup = (term: string) => lookupsOf(partsOf(fold(term)).slice(0, 1))
const otherLookups = (term: string) => lookupsOf(partsOf(fold(term)).slice(1))

/**
 * The words that are compared with the first part of a term, if those with another part were found. The first part may begin
 * within a word, so that more words contain it than the others, and looking up many words narrows a search less than it costs. A
 * search for `article 100` takes half the CPU time if hundreds of words contain `article`.
 */
const MAX_FIRST_WORDS = 64

/** For each part of a term, whether all words that have its trigrams were compared, and those that contain the part. */
const foundWords = (test: Extract<SearchTest, { kind: 'contains' }>, index: SearchIndex): Sql => {
  const trigrams = trigramTable(index)
  const lookup = (parts: Sql, max: Sql) =>
    // With OFFSET, the JSON is read once for each part, not for each word.
    sql`select (
      select json_array(count(*) <= ${max}, json_group_array(json_array(word.id, word.word)) filter (where word.word glob part.pattern))
      from (select rowid as id from ${trigrams} where ${trigrams} match part.trigrams limit 1 + ${max}) as found
      cross join ${wordTable(index)} as word on word.id = found.id
    ) as found from (
      select value ->> 0 as trigrams, value ->> 1 as pattern from json_each(${parts}) limit -1 offset 0
    ) as part`
  return sql`(with other_words (found) as materialized (${lookup(derived(test.value, otherLookups), sql.lit(MAX_WORDS))}),
      first_max (words) as materialized (
        select case when exists (select 1 from other_words where found ->> 0) then ${sql.lit(MAX_FIRST_WORDS)} else ${sql.lit(MAX_WORDS)} end)
    select json_group_array(json(found)) from (
      ${lookup(derived(test.value, firstLookup), sql`(select words from first_max)`)}
      union all select found from other_words))`
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
    expressions: [sql`octavo_search_query (text) as materialized (select ${matchQuery(test, index)})`],
    rows: sql`select iif(is_twin, twin, ${fts}.rowid) as id from ${fts}
        left join ${pairTable(index)} as pair on pair.id = ${fts}.rowid
        cross join (select false as is_twin union all select true) as side
        where ${fts} match coalesce((select text from octavo_search_query), '') and (not is_twin or twin is not null)
      union all select id from ${pendingTable(index)}`,
    isUsable: sql`(select text from octavo_search_query) is not null`,
  }
}
