/**
 * Compiles conditions to SQL. Negation is pushed down to the leaves: the negation of a condition on related documents
 * matches when a related document does not meet it, and null is neither equal nor unequal to any value.
 */
import { type Sql, sql } from '../store/sql.ts'
import { fileKindOf, MIME_COLUMN } from '../store/tables/file-kind.ts'
import { EDGES, type RelationKey } from '../store/tables/layout.ts'
import type { Condition, PublicationFilter, Slot } from './query-tree.ts'
import { isAmongOwnersOf, isSelective } from './reverse-lookup.ts'
import { indexedPrefix, withPrefixTest } from './sort/text-prefix.ts'
import {
  type Compilation,
  column,
  fieldText,
  fieldValue,
  limitDepth,
  rowSourceOf,
  type Source,
} from './sources.ts'
import { follow } from './steps.ts'
import { multipliesVisits } from './visits.ts'

/** A parameter, filled in when the statement runs. */
export const parameter = (slot: Slot): Sql => sql`${slot}`

const TRUE = sql`1 = 1`
const FALSE = sql`1 = 0`

/** Where a condition is in a WHERE clause. */
interface ConditionContext {
  /** Whether it is part of a conjunction, so that the engine can turn an EXISTS into a join. */
  readonly canBecomeJoin: boolean
  /** Whether it is inside an EXISTS that the engine plans twice. */
  readonly isPlannedTwice: boolean
}

const TOP_LEVEL: ConditionContext = { canBecomeJoin: true, isPlannedTwice: false }

export function condition(
  c: Compilation,
  node: Condition,
  source: Source,
  negated = false,
  context: ConditionContext = TOP_LEVEL,
): Sql {
  const not = (test: Sql) => (negated ? sql`not (${test})` : test)
  switch (node.kind) {
    case 'compare':
      return not(comparison(c, node, source))
    case 'text':
      return not(textTest(c, node, source))
    case 'in':
      return not(
        node.values.length === 0
          ? sql`${fieldValue(c, source, node.field)} <> ${fieldValue(c, source, node.field)}`
          : among(c, node, source),
      )
    case 'null':
      return nullTest(c, node, source, node.is !== negated)
    case 'and':
    case 'or': {
      const isConjunction = (node.kind === 'and') !== negated
      const inner = isConjunction || node.all.length < 2 ? context : { ...context, canBecomeJoin: false }
      return combine(
        node.all.map((part) => condition(c, part, source, negated, inner)),
        isConjunction,
      )
    }
    case 'not':
      return condition(c, node.of, source, !negated, context)
    case 'through': {
      const isTrueForNone = matchesNulls(node.where, negated)
      const inner = isTrueForNone ? { ...context, canBecomeJoin: false } : context
      const isMet =
        listTest(c, node, source, negated) ??
        exists(c, limitDepth(c, source, matches(c, node, source, negated, inner)), true, inner)
      return isTrueForNone ? sql`(${isMet} or ${some(c, node.step, source, false, inner)})` : isMet
    }
    case 'some':
      return some(c, node.step, source, node.is !== negated, context)
    case 'documentOfRow':
      return source.kind === 'row'
        ? not(
            sql`${column(source, 'document_id')} in (select document_id from ${sql.table(source.type.table)} where id = ${parameter(node.value)})`,
          )
        : FALSE
    case 'publication':
      return not(publication(node.filter, source))
    case 'unattached':
      return not(unattached(c, node.through, source))
    case 'fileKind':
      return not(sql`${fileKindOf(column(source, MIME_COLUMN))} = ${parameter(node.value)}`)
  }
}

/** One search in the index of inverse relations for each media attribute, however often the file is used. */
function unattached(c: Compilation, through: readonly RelationKey[], source: Source): Sql {
  if (source.kind !== 'row' || through.length === 0) return TRUE
  const edge = { alias: c.alias() }
  const relations = through.map((relation) => sql.lit(c.layout.relationId(relation)))
  return sql`not exists (select 1 from ${sql.table(EDGES)} as ${sql.id(edge.alias)}
    where ${column(edge, 'target')} = ${column(source, 'document_id')}
      and ${column(edge, 'relation')} in (${sql.join(relations)}))`
}

/** The rows at the end of a step that meet its condition. */
function matches(
  c: Compilation,
  { step, where }: Through,
  source: Source,
  negated: boolean,
  { canBecomeJoin, isPlannedTwice }: ConditionContext,
): Sql {
  const stepRows = follow(c, step, source)
  const inner = { canBecomeJoin: true, isPlannedTwice: isPlannedTwice || !canBecomeJoin }
  return sql`select 1 from ${stepRows.from} where ${stepRows.on} and ${condition(c, where, stepRows.source, negated, inner)}`
}

type Through = Extract<Condition, { kind: 'through' }>

/** The condition as a test for membership in a list that is made once; null when it should be tested for each row instead. */
function listTest(c: Compilation, { step, where }: Through, source: Source, negated: boolean): Sql | null {
  if (step.kind !== 'edges') return null
  const isFast =
    (!negated && isSelective(where)) || multipliesVisits(c.model, step, rowSourceOf(source).visits, where)
  return isFast ? isAmongOwnersOf(c, step, source, where, negated) : null
}

/** Several conditions that must all hold; true when there is none. */
export function all(conditions: readonly Sql[]): Sql {
  return combine(conditions, true)
}

/** Several conditions of which one must hold; false when there is none. */
export function any(conditions: readonly Sql[]): Sql {
  return combine(conditions, false)
}

const operators = { eq: sql`=`, lt: sql`<`, lte: sql`<=`, gt: sql`>`, gte: sql`>=` } as const

/** What the comparison of two texts implies for their prefixes. */
const looseOperators = { eq: sql`=`, lt: sql`<=`, lte: sql`<=`, gt: sql`>=`, gte: sql`>=` } as const

function comparison(
  c: Compilation,
  { field, op, value: slot }: Extract<Condition, { kind: 'compare' }>,
  source: Source,
): Sql {
  const subject = fieldValue(c, source, field)
  return withPrefixTest(
    indexedPrefix(c, source, field),
    sql`${subject} ${operators[op]} ${parameter(slot)}`,
    (prefix) => sql`${prefix(subject)} ${looseOperators[op]} ${prefix(parameter(slot))}`,
  )
}

function among(c: Compilation, { field, values }: Extract<Condition, { kind: 'in' }>, source: Source): Sql {
  const subject = fieldValue(c, source, field)
  return withPrefixTest(
    indexedPrefix(c, source, field),
    sql`${subject} in (${sql.join(values.map(parameter))})`,
    (prefix) => sql`${prefix(subject)} in (${sql.join(values.map((slot) => prefix(parameter(slot))))})`,
  )
}

function nullTest(
  c: Compilation,
  { field }: Extract<Condition, { kind: 'null' }>,
  source: Source,
  is: boolean,
): Sql {
  const subject = fieldValue(c, source, field)
  const test = is ? sql`is null` : sql`is not null`
  return withPrefixTest(
    indexedPrefix(c, source, field),
    sql`${subject} ${test}`,
    (prefix) => sql`${prefix(subject)} ${test}`,
  )
}

/** SQLite parses a chain of conditions as deep nesting, which it limits; longer chains are grouped. */
const MAX_CHAIN_LENGTH = 50

function combine(parts: readonly Sql[], isConjunction: boolean): Sql {
  if (parts.length === 0) return isConjunction ? TRUE : FALSE
  const [only] = parts
  if (only && parts.length === 1) return only
  if (parts.length > MAX_CHAIN_LENGTH) {
    const size = Math.ceil(parts.length / MAX_CHAIN_LENGTH)
    const count = Math.ceil(parts.length / size)
    const groups = Array.from({ length: count }, (_, i) => parts.slice(i * size, (i + 1) * size))
    return combine(
      groups.map((group) => combine(group, isConjunction)),
      isConjunction,
    )
  }
  return sql`(${sql.join(parts, isConjunction ? ' and ' : ' or ')})`
}

function some(
  c: Compilation,
  step: Parameters<typeof follow>[1],
  source: Source,
  is: boolean,
  context: ConditionContext,
): Sql {
  const stepRows = follow(c, step, source)
  return exists(c, sql`select 1 from ${stepRows.from} where ${stepRows.on}`, is, context)
}

/** Whether a query finds a row. A nested EXISTS would double the planning time at each level, so LIMIT replaces it there. */
function exists(
  c: Compilation,
  query: Sql,
  is: boolean,
  { canBecomeJoin, isPlannedTwice }: ConditionContext,
): Sql {
  if (c.dialect.plansExistsTwice && isPlannedTwice && !canBecomeJoin)
    return sql`(${query} limit 1) is ${is ? sql`not null` : sql`null`}`
  return sql`${is ? sql`exists` : sql`not exists`} (${query})`
}

function textTest(c: Compilation, node: Extract<Condition, { kind: 'text' }>, source: Source): Sql {
  const plain = fieldText(c, source, node.field)
  const subject = node.fold ? c.dialect.fold(plain) : plain
  const part = parameter(node.value)
  switch (node.op) {
    case 'eq':
      return sql`${subject} = ${part}`
    case 'contains':
      return c.dialect.contains(subject, part)
    case 'startsWith':
      return c.dialect.startsWith(subject, part)
    case 'endsWith':
      return c.dialect.endsWith(subject, part)
  }
}

/** Whether a condition is true when every value is null, which stands for "nothing is related". */
function matchesNulls(node: Condition, negated: boolean): boolean {
  switch (node.kind) {
    case 'compare':
    case 'text':
    case 'in':
    case 'documentOfRow':
    case 'publication':
    case 'unattached':
    case 'fileKind':
      return false
    case 'null':
      return node.is !== negated
    case 'some':
      return node.is === negated
    case 'and':
    case 'or': {
      const parts = node.all.map((part) => matchesNulls(part, negated))
      return (node.kind === 'and') !== negated ? parts.every(Boolean) : parts.some(Boolean)
    }
    case 'not':
      return matchesNulls(node.of, !negated)
    case 'through':
      return matchesNulls(node.where, negated)
  }
}

function publication(filter: PublicationFilter, source: Source): Sql {
  if (source.kind !== 'row' || !source.type.draftAndPublish) return TRUE
  const other = (published: 0 | 1, anyLocale: boolean, more: Sql = TRUE) =>
    sql`exists (select 1 from ${sql.table(source.type.table)} as o where o.document_id = ${column(source, 'document_id')} and o.published = ${sql.lit(published)} and ${
      anyLocale ? TRUE : sql`o.locale = ${column(source, 'locale')}`
    } and ${more})`
  const isPublished = sql`${column(source, 'published')} = 1`
  const pair = (test: (draft: Sql, published: Sql) => Sql) => {
    const own = column(source, 'updated_at')
    const others = sql`o.updated_at`
    return sql`((${isPublished} and ${other(0, false, test(others, own))}) or (not (${isPublished}) and ${other(1, false, test(own, others))}))`
  }
  switch (filter) {
    case 'never-published':
      return sql`not (${other(1, false)})`
    case 'has-published-version':
      return other(1, false)
    case 'never-published-document':
      return sql`not (${other(1, true)})`
    case 'has-published-version-document':
      return other(1, true)
    case 'modified':
      return pair((draft, published) => sql`${draft} > ${published}`)
    case 'unmodified':
      return pair((draft, published) => sql`${draft} <= ${published}`)
    case 'published-with-draft':
      return sql`(${isPublished} and ${other(0, false)})`
    case 'published-without-draft':
      return sql`(${isPublished} and not (${other(0, false)}))`
  }
}
