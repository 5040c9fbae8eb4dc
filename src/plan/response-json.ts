/** Selections become SQL expressions that yield the JSON text of a document or an entry. */
import { typeOf } from '../model/model.ts'
import { type Sql, sql } from '../store/sql.ts'
import { EDGES } from '../store/tables/layout.ts'
import { all, condition, parameter } from './conditions.ts'
import type { Condition, Populate, ResponseShape, Selection, Sort, Step } from './query-tree.ts'
import {
  type Compilation,
  column,
  entryMember,
  fieldValue,
  follow,
  hasShownStatus,
  isEdgeFrom,
  isShownVersion,
  joinOne,
  limitDepth,
  relatedSource,
  rootSource,
  type Source,
  type StepRows,
  servedFragment,
} from './sources.ts'
import { indexedPrefix, type SortExpression } from './text-prefix.ts'

/** Compiles the selections of one query. */
export interface JsonCompilation extends Compilation {
  readonly shape: ResponseShape
}

interface ObjectOutline {
  readonly id: boolean
  /** Text that goes right before the closing brace, such as `,"meta":{}`. */
  readonly tail: string
}

const RELATED: ObjectOutline = { id: true, tail: '' }

/** JSON text in three parts, of which only the middle differs from row to row. */
export interface Json {
  readonly open: string
  readonly middle: readonly Sql[]
  readonly close: string
}

/** All of it as one expression. */
export const jsonExpression = (c: Compilation, { open, middle, close }: Json): Sql =>
  c.dialect.concat([sql.lit(open), ...middle, sql.lit(close)])

/**
 * The texts of all rows joined with commas, in order, but for the `open` of the first and the `close` of the last, since
 * the separator has those between rows; null when there is no row.
 */
export const joinedRows = (c: Compilation, json: Json, order: readonly Sql[], sorted: boolean): Sql => {
  const [only] = json.middle
  const middle = only && json.middle.length === 1 ? only : c.dialect.concat(json.middle)
  return c.dialect.joinRows(middle, `${json.close},${json.open}`, order, sorted)
}

const list = (c: Compilation, json: Json, order: readonly Sql[], sorted: boolean): Sql =>
  sql`${sql.lit(`[${json.open}`)} || ${joinedRows(c, json, order, sorted)} || ${sql.lit(`${json.close}]`)}`

/** The JSON of the document at a place. */
export function documentJson(
  c: JsonCompilation,
  place: Source,
  select: Selection,
  outline: ObjectOutline = RELATED,
): Json {
  if (place.kind === 'entry') return body(c, place, select, entryHead(c, place), outline.tail)
  // What is served of a row begins with its documentId.
  if (select.fields === null && outline.id)
    return body(c, place, select, { open: '{"id":', middle: [column(place, 'id')] }, outline.tail)
  if (select.fields === null) return body(c, place, select, { open: '{', middle: [] }, outline.tail)
  const documentId = [column(place, 'document_id'), sql.lit('"')]
  const head = outline.id
    ? { open: '{"id":', middle: [column(place, 'id'), sql.lit(',"documentId":"'), ...documentId] }
    : { open: '{"documentId":"', middle: documentId }
  return body(c, place, select, head, outline.tail)
}

type Head = Pick<Json, 'open' | 'middle'>

const entryHead = (c: JsonCompilation, place: Extract<Source, { kind: 'entry' }>): Head => ({
  open: '{"id":',
  middle: [
    entryMember(place, 'i'),
    ...(c.shape.entryDocumentId ? [sql.lit(',"documentId":"'), entryMember(place, 'd'), sql.lit('"')] : []),
  ],
})

function body(c: JsonCompilation, place: Source, select: Selection, head: Head, tail: string): Json {
  // Behind nothing but the brace, the fragment goes without the comma it begins with.
  const all = head.middle.length === 0 ? sql`substr(${servedFragment(place)}, 2)` : servedFragment(place)
  const scalars =
    select.fields === null
      ? [all]
      : select.fields.flatMap((field) => [
          sql.lit(`,"${field.name}":`),
          sql`coalesce(${c.dialect.jsonMember(servedFragment(place), field.name)}, 'null')`,
        ])
  const populated = select.populate.flatMap((populate) => [
    sql.lit(`,"${populate.name}":`),
    populateJson(c, place, populate),
  ])
  return { open: head.open, middle: [...head.middle, ...scalars, ...populated], close: `${tail}}` }
}

function populateJson(c: JsonCompilation, place: Source, populate: Populate): Sql {
  switch (populate.kind) {
    case 'related':
      return relatedJson(c, place, populate)
    case 'count': {
      const reached = follow(c, populate.step, place)
      const { components, where } = populate
      const counted = components ? isOneOf(reached.source, components) : filtered(c, reached, where)
      return sql`(select '{"count":' || count(*) || '}' from ${reached.from} where ${counted})`
    }
    case 'component': {
      const reached = follow(c, populate.step, place)
      return collect(c, reached, populate, documentJson(c, reached.source, populate.select))
    }
    case 'zone':
      return zoneJson(c, place, populate)
    case 'morph':
      return morphJson(c, place, populate)
    case 'usages':
      return showingJson(c, place, populate)
  }
}

const filtered = (c: JsonCompilation, reached: StepRows, where: Condition | null) =>
  all([reached.on, ...(where ? [condition(c, where, reached.source)] : [])])

/** The rows of a step as a JSON list, or the first of them as an object or null. */
function collect(
  c: JsonCompilation,
  reached: StepRows,
  { many, where, sort }: { many: boolean; where: Condition | null; sort: readonly Sort[] },
  json: Json,
): Sql {
  const rows = sql`from ${reached.from} where ${filtered(c, reached, where)}`
  const order = [...sortTerms(c, sort, reached.source), ...reached.order]
  // SQLite looks no further than the first row of its own accord.
  const isFirst = reached.isSingle && c.dialect.engine === 'sqlite'
  const first = isFirst ? sql`` : sql` order by ${sql.join(order)} limit 1`
  const shown = many
    ? sql`select ${list(c, json, order, sort.length === 0 && reached.isOrdered)} ${rows}`
    : sql`select ${jsonExpression(c, json)} ${rows}${first}`
  return sql`coalesce((${limitDepth(c, reached.source, shown)}), ${sql.lit(many ? '[]' : 'null')})`
}

function relatedJson(
  c: JsonCompilation,
  place: Source,
  populate: Extract<Populate, { kind: 'related' }>,
): Sql {
  const beside = populate.where ? null : joinOne(c, populate.step, place)
  if (beside)
    return sql`case when ${column(beside, 'id')} is null then 'null' else ${jsonExpression(c, documentJson(c, beside, populate.select))} end`
  const followed = follow(c, populate.step, place)
  const joins: Sql[] = []
  const json = documentJson(c, joiningTo(followed.source, joins), populate.select)
  const reached = { ...followed, from: sql`${followed.from} ${sql.join(joins, ' ')}` }
  if (!populate.many || (populate.limit === null && populate.start === null))
    return collect(c, reached, populate, json)
  const terms = [
    ...sortValues(c, populate.sort, reached.source),
    ...reached.order.map((value) => ({ value, descending: false })),
  ]
  const orders = terms.map((term, index) => c.dialect.order(sql.ref(`x.o${index}`), term.descending))
  const inner = sql`select ${jsonExpression(c, json)} as j, ${sql.join(
    terms.map((term, index) => sql`${term.value} as ${sql.id(`o${index}`)}`),
  )} from ${reached.from} where ${filtered(c, reached, populate.where)}`
  const limit = populate.limit ? c.dialect.limit(parameter(populate.limit)) : sql.lit(Number.MAX_SAFE_INTEGER)
  const start = populate.start ? parameter(populate.start) : sql.lit(0)
  const page = sql`select * from (${inner}) as x order by ${sql.join(orders)} limit ${limit} offset ${start}`
  return sql`coalesce((select ${list(c, AS_IS, orders, true)} from (${page}) as x), '[]')`
}

const joiningTo = (place: Source, joins: Sql[]): Source =>
  place.kind === 'row' ? { ...place, joins } : place

/** Text that a subquery has made. */
const AS_IS: Json = { open: '', middle: [sql.ref('x.j')], close: '' }

/** Whether an entry of a zone is of one of these components. */
function isOneOf(entry: Source, components: readonly string[]): Sql {
  if (entry.kind !== 'entry') throw new Error('A zone holds entries')
  if (components.length === 0) return sql`1 = 0`
  return sql`${entryMember(entry, 'c')} in (${sql.join(components.map((uid) => sql.lit(uid)))})`
}

function zoneJson(c: JsonCompilation, place: Source, populate: Extract<Populate, { kind: 'zone' }>): Sql {
  if (populate.of.length === 0) return sql.lit('[]')
  const reached = follow(c, populate.step, place)
  const entry = reached.source
  if (entry.kind !== 'entry') throw new Error('A zone holds entries')
  const component = entryMember(entry, 'c')
  const { open, middle } = entryHead(c, entry)
  const head = { open, middle: [...middle, sql.lit(',"__component":"'), component, sql.lit('"')] }
  const json = (select: Selection) => body(c, entry, select, head, '')
  const [first] = populate.of
  const plain = populate.of.every(({ select }) => select.fields === null && select.populate.length === 0)
  const oneOf = () =>
    sql`case ${component} ${sql.join(
      populate.of.map(
        (one) => sql`when ${sql.lit(one.component)} then ${jsonExpression(c, json(one.select))}`,
      ),
      ' ',
    )} end`
  const each = plain && first ? json(first.select) : { open: '', middle: [oneOf()], close: '' }
  const listed = isOneOf(
    entry,
    populate.of.map((one) => one.component),
  )
  return sql`coalesce((select ${list(c, each, reached.order, reached.isOrdered)} from ${reached.from} where ${listed}), '[]')`
}

function morphJson(c: JsonCompilation, place: Source, populate: Extract<Populate, { kind: 'morph' }>): Sql {
  if (populate.of.length === 0) return sql.lit(populate.many ? '[]' : 'null')
  const edge = { alias: c.alias() }
  const each = populate.of.map(({ type: uid, select, where }) => {
    const target = relatedSource(c, typeOf(c.model, uid), place)
    const json = documentJson(c, target, select, { id: true, tail: `,"__type":"${uid}"` })
    const test = all([
      sql`${column(target, 'document_id')} = ${column(edge, 'target')}`,
      isShownVersion(c, target, place),
      ...(where ? [condition(c, where, target)] : []),
    ])
    return sql`when ${sql.lit(uid)} then (select ${jsonExpression(c, json)} from ${sql.table(target.type.table)} as ${sql.id(target.alias)} where ${test})`
  })
  const shown = sql`select case ${column(edge, 'target_type')} ${sql.join(each, ' ')} end as j, ${column(edge, 'position')} as o from ${sql.table(EDGES)} as ${sql.id(edge.alias)} where ${isEdgeFrom(c, edge.alias, populate.relation, place)}`
  return populate.many
    ? sql`coalesce((select ${list(c, AS_IS, [sql.ref('x.o')], false)} from (${shown}) as x where x.j is not null), '[]')`
    : sql`coalesce((select x.j from (${shown}) as x where x.j is not null order by x.o limit 1), 'null')`
}

/** At most this many documents are shown with a file: there is no telling how many have a logo. */
const MOST_SHOWING = 100

/** Each version is shown once, however often it shows the file; of a file that is itself asked for, those of all locales. */
function showingJson(
  c: JsonCompilation,
  place: Source,
  populate: Extract<Populate, { kind: 'usages' }>,
): Sql {
  if (place.kind !== 'row') throw new Error('A file is a row')
  if (populate.of.length === 0) return sql.lit('[]')
  const edge = { alias: c.alias() }
  const found = { alias: c.alias() }
  const kinds = populate.of.map(({ through, ...one }, kind) => ({
    ...one,
    kind: sql.lit(kind),
    relations: through.map((relation) => sql.lit(c.layout.relationId(relation))),
  }))
  const kindOf = kinds.flatMap(({ relations, kind }) =>
    relations.map((relation) => sql`when ${relation} then ${kind}`),
  )
  const rows = sql`select distinct case ${column(edge, 'relation')} ${sql.join(kindOf, ' ')} end as kind, ${column(edge, 'source')} as source from ${sql.table(
    EDGES,
  )} as ${sql.id(edge.alias)} where ${column(edge, 'target')} = ${column(place, 'document_id')} and ${column(edge, 'relation')} in (${sql.join(
    kinds.flatMap(({ relations }) => relations),
  )})`
  const each = kinds.map(({ type: uid, select, where, kind }) => {
    const type = typeOf(c.model, uid)
    const owner = place.level === 0 ? rootSource(c, type, null, 1) : relatedSource(c, type, place)
    const json = documentJson(c, owner, select, { id: true, tail: `,"__type":"${uid}"` })
    const test = all([
      sql`${column(owner, 'id')} = ${column(found, 'source')}`,
      place.level === 0 ? hasShownStatus(c, owner) : isShownVersion(c, owner, place),
      ...(where ? [condition(c, where, owner)] : []),
    ])
    return sql`when ${kind} then (select ${jsonExpression(c, json)} from ${sql.table(owner.type.table)} as ${sql.id(owner.alias)} where ${test})`
  })
  const shown = sql`select case ${column(found, 'kind')} ${sql.join(each, ' ')} end as j, ${column(found, 'kind')} as o, ${column(found, 'source')} as s from (${rows}) as ${sql.id(found.alias)}`
  const first = sql`select * from (${shown}) as x where x.j is not null order by x.o, x.s limit ${sql.lit(MOST_SHOWING)}`
  return sql`coalesce((select ${list(c, AS_IS, [sql.ref('x.o'), sql.ref('x.s')], true)} from (${first}) as x), '[]')`
}

/** The values a sort compares, in order. */
export function sortValues(c: Compilation, sort: readonly Sort[], place: Source): SortExpression[] {
  return sort.map((term) => ({
    value: sortValue(c, term.steps, term, place),
    descending: term.descending,
    nullable: term.steps.length > 0 || term.field.type !== 'id',
    prefix: term.steps.length > 0 ? null : indexedPrefix(c, place, term.field),
  }))
}

function sortTerms(c: Compilation, sort: readonly Sort[], place: Source): Sql[] {
  return sortValues(c, sort, place).map((term) => c.dialect.order(term.value, term.descending))
}

/** Of several related things the smallest value counts when ascending, the largest when descending. */
function sortValue(c: Compilation, steps: readonly Step[], term: Sort, place: Source): Sql {
  const [step, ...rest] = steps
  if (!step) return fieldValue(c, place, term.field)
  const reached = follow(c, step, place)
  const inner = sortValue(c, rest, term, reached.source)
  const found = sql`select ${term.descending ? sql`max` : sql`min`}(${inner}) from ${reached.from} where ${reached.on}`
  return sql`(${limitDepth(c, reached.source, found)})`
}
