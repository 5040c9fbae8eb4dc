/**
 * Conditions become SQL. Negation is pushed down to the leaves: "not" around a condition on related documents asks for a
 * related document that does not meet it, and a null is neither equal nor unequal to anything.
 */
import { type Sql, sql } from '../store/sql.ts'
import type { Condition, PublicationFilter, Slot } from './query-tree.ts'
import { isAmongOwnersOf, isSelective } from './reverse-lookup.ts'
import {
  type Compilation,
  column,
  fieldText,
  fieldValue,
  follow,
  limitDepth,
  type Source,
} from './sources.ts'
import { indexedPrefix, withPrefixTest } from './text-prefix.ts'

/** The value of a slot, filled in when the statement runs. */
export const parameter = (slot: Slot): Sql => sql`${slot}`

const TRUE = sql`1 = 1`
const FALSE = sql`1 = 0`

/** Where a condition stands in a WHERE clause. */
interface ConditionContext {
  /** Whether it is one of those that all must hold: a look for related rows becomes a join then. */
  readonly joined: boolean
  /** Whether PostgreSQL plans what it is part of in two ways, to choose when the statement runs. */
  readonly plannedTwice: boolean
}

const ALONE: ConditionContext = { joined: true, plannedTwice: false }

/** The SQL of a condition at a place. */
export function condition(
  c: Compilation,
  node: Condition,
  place: Source,
  negated = false,
  site: ConditionContext = ALONE,
): Sql {
  const not = (test: Sql) => (negated ? sql`not (${test})` : test)
  switch (node.kind) {
    case 'compare':
      return not(comparison(c, node, place))
    case 'text':
      return not(textTest(c, node, place))
    case 'in':
      return not(
        node.values.length === 0
          ? sql`${fieldValue(c, place, node.field)} <> ${fieldValue(c, place, node.field)}`
          : among(c, node, place),
      )
    case 'null':
      return nullTest(c, node, place, node.is !== negated)
    case 'and':
    case 'or': {
      const everyOne = (node.kind === 'and') !== negated
      const here = everyOne || node.all.length < 2 ? site : { ...site, joined: false }
      return combine(
        node.all.map((part) => condition(c, part, place, negated, here)),
        everyOne,
      )
    }
    case 'not':
      return condition(c, node.of, place, !negated, site)
    case 'through': {
      const listed =
        !negated && isSelective(node.where) ? isAmongOwnersOf(c, node.step, place, node.where) : null
      if (listed) return listed
      const orNothing = holdsForNothing(node.where, negated)
      const here = orNothing ? { ...site, joined: false } : site
      const reached = follow(c, node.step, place)
      const beyond = { joined: true, plannedTwice: here.plannedTwice || !here.joined }
      const found = sql`select 1 from ${reached.from} where ${reached.on} and ${condition(c, node.where, reached.source, negated, beyond)}`
      const met = exists(c, limitDepth(c, place, found), true, here)
      return orNothing ? sql`(${met} or ${some(c, node.step, place, false, here)})` : met
    }
    case 'some':
      return some(c, node.step, place, node.is !== negated, site)
    case 'documentOfRow':
      return place.kind === 'row'
        ? not(
            sql`${column(place, 'document_id')} in (select document_id from ${sql.table(place.type.table)} where id = ${parameter(node.value)})`,
          )
        : FALSE
    case 'publication':
      return not(publication(node.filter, place))
  }
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

/** What follows for the beginnings of texts that compare in these ways. */
const looseOperators = { eq: sql`=`, lt: sql`<=`, lte: sql`<=`, gt: sql`>=`, gte: sql`>=` } as const

function comparison(
  c: Compilation,
  { field, op, value: slot }: Extract<Condition, { kind: 'compare' }>,
  place: Source,
): Sql {
  const subject = fieldValue(c, place, field)
  return withPrefixTest(
    indexedPrefix(c, place, field),
    sql`${subject} ${operators[op]} ${parameter(slot)}`,
    (begin) => sql`${begin(subject)} ${looseOperators[op]} ${begin(parameter(slot))}`,
  )
}

function among(c: Compilation, { field, values }: Extract<Condition, { kind: 'in' }>, place: Source): Sql {
  const subject = fieldValue(c, place, field)
  return withPrefixTest(
    indexedPrefix(c, place, field),
    sql`${subject} in (${sql.join(values.map(parameter))})`,
    (begin) => sql`${begin(subject)} in (${sql.join(values.map((slot) => begin(parameter(slot))))})`,
  )
}

function nullTest(
  c: Compilation,
  { field }: Extract<Condition, { kind: 'null' }>,
  place: Source,
  is: boolean,
): Sql {
  const subject = fieldValue(c, place, field)
  const test = is ? sql`is null` : sql`is not null`
  return withPrefixTest(
    indexedPrefix(c, place, field),
    sql`${subject} ${test}`,
    (begin) => sql`${begin(subject)} ${test}`,
  )
}

/** SQLite nests a chain as deep as it is long, and bounds the depth: long ones are made of shorter ones. */
const LONGEST_CHAIN = 50

function combine(parts: readonly Sql[], everyOne: boolean): Sql {
  if (parts.length === 0) return everyOne ? TRUE : FALSE
  const [only] = parts
  if (only && parts.length === 1) return only
  if (parts.length > LONGEST_CHAIN) {
    const size = Math.ceil(parts.length / LONGEST_CHAIN)
    const count = Math.ceil(parts.length / size)
    const groups = Array.from({ length: count }, (_, i) => parts.slice(i * size, (i + 1) * size))
    return combine(
      groups.map((group) => combine(group, everyOne)),
      everyOne,
    )
  }
  return sql`(${sql.join(parts, everyOne ? ' and ' : ' or ')})`
}

function some(
  c: Compilation,
  step: Parameters<typeof follow>[1],
  place: Source,
  is: boolean,
  site: ConditionContext,
): Sql {
  const reached = follow(c, step, place)
  return exists(c, sql`select 1 from ${reached.from} where ${reached.on}`, is, site)
}

/**
 * Whether a query finds a row. PostgreSQL plans an EXISTS that becomes no join in two ways; each one inside of another
 * would double the work once more, so those are asked for otherwise.
 */
function exists(c: Compilation, query: Sql, is: boolean, { joined, plannedTwice }: ConditionContext): Sql {
  if (c.dialect.engine === 'postgres' && plannedTwice && !joined)
    return sql`(${query} limit 1) is ${is ? sql`not null` : sql`null`}`
  return sql`${is ? sql`exists` : sql`not exists`} (${query})`
}

function textTest(c: Compilation, node: Extract<Condition, { kind: 'text' }>, place: Source): Sql {
  const plain = fieldText(c, place, node.field)
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

/** Whether a condition is true of a thing made of nulls, as stands for "nothing related". */
function holdsForNothing(node: Condition, negated: boolean): boolean {
  switch (node.kind) {
    case 'compare':
    case 'text':
    case 'in':
    case 'documentOfRow':
    case 'publication':
      return false
    case 'null':
      return node.is !== negated
    case 'some':
      return node.is === negated
    case 'and':
    case 'or': {
      const parts = node.all.map((part) => holdsForNothing(part, negated))
      return (node.kind === 'and') !== negated ? parts.every(Boolean) : parts.some(Boolean)
    }
    case 'not':
      return holdsForNothing(node.of, !negated)
    case 'through':
      return holdsForNothing(node.where, negated)
  }
}

function publication(filter: PublicationFilter, place: Source): Sql {
  if (place.kind !== 'row' || !place.type.draftAndPublish) return TRUE
  const other = (published: 0 | 1, anyLocale: boolean, more: Sql = TRUE) =>
    sql`exists (select 1 from ${sql.table(place.type.table)} as o where o.document_id = ${column(place, 'document_id')} and o.published = ${sql.lit(published)} and ${
      anyLocale ? TRUE : sql`o.locale = ${column(place, 'locale')}`
    } and ${more})`
  const isPublished = sql`${column(place, 'published')} = 1`
  const pair = (test: (draft: Sql, published: Sql) => Sql) => {
    const own = column(place, 'updated_at')
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
