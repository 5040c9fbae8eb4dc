/**
 * Long texts in the indexes of PostgreSQL, which hold only how a text begins. What is asked of a text is asked of its
 * beginning too, where that follows: the index then finds the few rows whose whole text is to be looked at.
 */

import { type Sql, sql } from '../store/sql.ts'
import { BEGINNING, isLongAndIndexed } from '../store/tables/indexed.ts'
import type { Field } from './query-tree.ts'
import type { Compilation, Source } from './sources.ts'

/** The part of a text that is in an index. */
export type Prefix = (text: Sql) => Sql

/** How an index has a field; null when there is none, or it has whole values. */
export function indexedPrefix({ dialect }: Compilation, place: Source, { name }: Field): Prefix | null {
  if (dialect.engine !== 'postgres' || place.kind !== 'row' || !isLongAndIndexed(place.type, name))
    return null
  return (text) => sql`left(${text}, ${sql.lit(BEGINNING)})`
}

/** A test of a text, with what follows from it for the beginning. */
export const withPrefixTest = (beginning: Prefix | null, test: Sql, follows: (begin: Prefix) => Sql) =>
  beginning ? sql`(${follows(beginning)} and ${test})` : test

export interface SortExpression {
  readonly value: Sql
  readonly descending: boolean
  readonly nullable: boolean
  readonly prefix: Prefix | null
}

/** What rows are ordered by for one term of a sort: an index has them by their beginnings, few of which are equal. */
export const orderBy = (
  { dialect }: Compilation,
  { value, descending, nullable, prefix: beginning }: SortExpression,
) => [
  ...(beginning ? [dialect.order(beginning(value), descending, nullable)] : []),
  dialect.order(value, descending, nullable),
]
