/** The rows that can match a search, from the index of words on PostgreSQL. */
import { fold } from '../../store/fold/fold.ts'
import { pendingTable, rowTable, rowWords, wordTable } from '../../store/search/postgres-search.ts'
import type { SearchIndex } from '../../store/search/search-dialect.ts'
import { MAX_PARTS, MAX_WORDS, partsOf, patternOf } from '../../store/search/words.ts'
import { type Sql, sql } from '../../store/sql.ts'
import { derived } from '../prepared-statement.ts'
import type { IndexedSearch, SearchCandidates, SearchTest } from './indexed-search.ts'

/** For each part of a term, what its words are LIKE, and the trigrams of a word that is split: one of them, or all. */
const lookupsOf = (term: string): string =>
  JSON.stringify(
    partsOf(fold(term)).map((part) => ({
      ...{ pattern: patternOf(part, '%'), trigram: part.marked[0] },
      trigrams: part.isSplit ? part.marked : [],
    })),
  )

/**
 * For each of the rarest parts of a term: words and trigrams of which a row with this part has at least one, and trigrams of
 * which it has all. A frequent word is met early, so that its number is low. No row when too many words contain each part.
 */
const foundWords = (test: Extract<SearchTest, { kind: 'contains' }>, index: SearchIndex): Sql =>
  sql`select found.words || (part.value ->> 'trigram') as words, part.value -> 'trigrams' as trigrams
    from json_array_elements(${derived(test.value, lookupsOf)}::json) as part
    cross join lateral (
      select coalesce(array_agg(word.word), '{}') as words, coalesce(sum(1.0 / word.id), 0) as frequency
      from (select id, word from ${wordTable(index)} where word like part.value ->> 'pattern' limit ${sql.lit(MAX_WORDS + 1)}) as word
    ) as found
    where cardinality(found.words) <= ${sql.lit(MAX_WORDS)}
    order by found.frequency limit ${sql.lit(MAX_PARTS)}`

/** The rows that pass the test, and those that are not in the index yet. */
export function wordCandidates({ index, test }: IndexedSearch): SearchCandidates {
  const names: Sql[] = []
  const expressions: Sql[] = []
  const condition = (node: SearchTest): Sql => {
    if (node.kind !== 'contains') return sql`(${sql.join(node.all.map(condition), ` ${node.kind} `)})`
    const name = sql.id(`octavo_words_${names.length}`)
    names.push(name)
    expressions.push(sql`${name} as materialized (${foundWords(node, index)})`)
    const words = (offset: number) =>
      sql`coalesce((select words from ${name} limit 1 offset ${sql.lit(offset)}), (select words from ${name} limit 1))`
    const parts = Array.from({ length: MAX_PARTS }, (_, offset) => sql`${rowWords} && ${words(offset)}`)
    const trigrams = sql`array(select json_array_elements_text(trigrams) from ${name})`
    // One scan of the index tests conditions joined by AND, and skips most rows that have only the more frequent word.
    return sql`(${sql.join(parts, ' and ')} and ${rowWords} @> ${trigrams})`
  }
  const isCandidate = condition(test)
  return {
    expressions,
    rows: sql`select unnest(array_remove(array[id, twin], null)) as id from ${rowTable(index)} where ${isCandidate} union all select id from ${pendingTable(index)}`,
    isUsable: sql.join(
      names.map((name) => sql`exists (select from ${name})`),
      ' and ',
    ),
  }
}
