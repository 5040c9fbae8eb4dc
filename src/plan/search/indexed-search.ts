/** Which part of a query a search index can narrow: the texts that a matching row must contain. */
import { typeOf } from '../../model/model.ts'
import { fold } from '../../store/fold/fold.ts'
import type { SearchIndex } from '../../store/search/search-dialect.ts'
import { searchIndexOf } from '../../store/search/search-index.ts'
import { partsOf } from '../../store/search/words.ts'
import type { Sql } from '../../store/sql.ts'
import type { SqlValue } from '../../store/statement.ts'
import type { Layout } from '../../store/tables/layout.ts'
import type { Condition, Query, Slot } from '../query-tree.ts'

/** A test of the text in a search index. Every row that meets the conditions of the query passes it. */
export type SearchTest =
  | { readonly kind: 'contains'; readonly value: Slot }
  | { readonly kind: 'and' | 'or'; readonly all: readonly SearchTest[] }

/** A search that an index narrows. */
export interface IndexedSearch {
  readonly index: SearchIndex
  readonly test: SearchTest
}

/** How an engine finds the rows that can match a search. */
export interface SearchCandidates {
  /** Common table expressions that `rows` and `isUsable` read. */
  readonly expressions: readonly Sql[]
  /** A query for the ids of the rows. */
  readonly rows: Sql
  /** Whether the query finds all of them; otherwise the index cannot serve the search. */
  readonly isUsable: Sql
}

/** With more texts, the engines would take long to parse the search. */
const MAX_TEXTS = 32

/**
 * How a search index narrows a list; null when it does not. Only the type's own attributes are considered, and only pages: a
 * cursor would have to find all rows again for each of its pages.
 */
export function indexedSearch(
  { type, target, where }: Query,
  values: readonly SqlValue[],
  layout: Layout,
): IndexedSearch | null {
  if (!layout.hasSearch || where === null || target.kind !== 'page') return null
  const index = searchIndexOf(typeOf(layout.model, type))
  const test = index && testOf(where, values, index)
  return test && textsIn(test) <= MAX_TEXTS ? { index, test } : null
}

function testOf(node: Condition, values: readonly SqlValue[], index: SearchIndex): SearchTest | null {
  switch (node.kind) {
    case 'text': {
      const text = values[node.value.slot]
      const isIndexed = index.columns.includes(node.field.column)
      return isIndexed && typeof text === 'string' && partsOf(fold(text)).length > 0
        ? { kind: 'contains', value: node.value }
        : null
    }
    case 'and': {
      const tests = node.all.flatMap((part) => testOf(part, values, index) ?? [])
      return combined('and', tests, values)
    }
    case 'or': {
      const tests = node.all.map((part) => testOf(part, values, index))
      return tests.every((test) => test !== null) ? combined('or', tests, values) : null
    }
    default:
      return null
  }
}

/** Tests for the same text are one test: the index has all attributes as one text. */
function combined(
  kind: 'and' | 'or',
  tests: readonly SearchTest[],
  values: readonly SqlValue[],
): SearchTest | null {
  const textOf = (test: SearchTest) => (test.kind === 'contains' ? values[test.value.slot] : test)
  const distinct = [...new Map(tests.map((test) => [textOf(test), test])).values()]
  const [only] = distinct
  if (!only) return null
  return distinct.length === 1 ? only : { kind, all: distinct }
}

const textsIn = (test: SearchTest): number =>
  test.kind === 'contains' ? 1 : test.all.reduce((count, part) => count + textsIn(part), 0)
