/**
 * PostgreSQL indexes only a prefix of long text. A test of the text is therefore combined with a test of its prefix, so that
 * the index finds the few rows whose complete text has to be compared.
 */
import { type Sql, sql } from '../../store/sql.ts'
import { BEGINNING, isLongAndIndexed } from '../../store/tables/indexed.ts'
import type { Field } from '../query-tree.ts'
import type { Compilation, Source } from '../sources.ts'

/** The part of a text that an index holds. */
export type Prefix = (text: Sql) => Sql

/** The prefix that an index holds of a field; null when it holds complete values or there is no index. */
export function indexedPrefix({ dialect }: Compilation, source: Source, { name }: Field): Prefix | null {
  if (!dialect.indexesTextPrefixes || source.kind !== 'row' || !isLongAndIndexed(source.type, name))
    return null
  return (text) => sql`left(${text}, ${sql.lit(BEGINNING)})`
}

/** A test of a text, together with the test of the prefix that it implies. */
export const withPrefixTest = (prefix: Prefix | null, test: Sql, prefixTest: (prefix: Prefix) => Sql) =>
  prefix ? sql`(${prefixTest(prefix)} and ${test})` : test

export interface SortExpression {
  readonly value: Sql
  readonly descending: boolean
  readonly nullable: boolean
  readonly prefix: Prefix | null
  /** Whether the value takes so long to compute that it should be computed once. */
  readonly isComputed?: true
}

/** The ORDER BY terms of one sort term: the prefix first, because the index is in that order. */
export const orderBy = (
  { dialect }: Compilation,
  { value, descending, nullable, prefix: beginning }: SortExpression,
) => [
  ...(beginning ? [dialect.order(beginning(value), descending, nullable)] : []),
  dialect.order(value, descending, nullable),
]
