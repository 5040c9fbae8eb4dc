/**
 * The score of a document in a search: how well it matches, from its own text alone. An attribute that equals the search
 * text counts most, then one that starts with it, then one with a word that starts with it. Among these, the score grows
 * with the number of occurrences, each counting less than the one before, and falls with the length of the text, as in
 * BM25. All numbers are integers, so that both engines compute the same score.
 */
import { type Sql, sql } from '../../store/sql.ts'
import { parameter } from '../conditions.ts'
import type { AttributeSearch, ScoredSearch } from '../query-tree.ts'
import { type Compilation, fieldText, type Source } from '../sources.ts'

/** Larger than the sum of all that occurrences can add, which is less than a thousand for each attribute. */
const RANK = 10_000_000
const rank = (steps: number) => sql.lit(steps * RANK)

/** A compound SELECT can have 500 terms on SQLite. */
const MAX_TEXTS = 100

/** The score of a row as an SQL expression. It is never null. */
export function scoreOf(c: Compilation, { text, tests }: ScoredSearch, source: Source): Sql {
  if (tests.length === 0) return sql`cast(0 as integer)`
  const term = sql`cast(${parameter(text)} as text)`
  const texts = tests.map((test) => sql`select ${comparedText(c, test, term, source)} as ${TEXT}`)
  const { startsWith, contains } = c.dialect
  return sql`(select cast(
      max(case when ${TEXT} = ${term} then ${rank(3)} when ${startsWith(TEXT, term)} then ${rank(2)}
        when ${contains(TEXT, sql`(' ' || ${term})`)} then ${rank(1)} else 0 end)
      + coalesce(sum(${frequency(term)}), 0) as integer) from (${unionOf(texts)}) as texts)`
}

const TEXT = sql.id('found_text')

/** The folded text of an attribute; for a number the search text if it matches, and null otherwise. */
const comparedText = (c: Compilation, test: AttributeSearch, term: Sql, source: Source): Sql =>
  test.kind === 'text'
    ? c.dialect.fold(fieldText(c, source, test.field))
    : sql`case when ${c.condition(test, source)} then ${term} end`

/**
 * A thousand times `n / (n + 1.2 * (0.25 + 0.75 * length / 100))` for n occurrences: BM25 with its usual constants, and 100
 * characters as the average length.
 */
function frequency(term: Sql): Sql {
  const occurrences = sql`cast((length(${TEXT}) - length(replace(${TEXT}, ${term}, ''))) / length(${term}) as bigint)`
  return sql`${occurrences} * 1000000 / (${occurrences} * 1000 + 300 + 9 * length(${TEXT}))`
}

function unionOf(selects: readonly Sql[]): Sql {
  const union = (parts: readonly Sql[]) => sql.join(parts, ' union all ')
  if (selects.length <= MAX_TEXTS) return union(selects)
  const groups = Array.from({ length: Math.ceil(selects.length / MAX_TEXTS) }, (_, index) =>
    selects.slice(index * MAX_TEXTS, (index + 1) * MAX_TEXTS),
  )
  return union(groups.map((group) => sql`select ${TEXT} from (${union(group)}) as texts`))
}
