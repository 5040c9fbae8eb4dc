/** Compiles selections to SQL expressions for the JSON text of documents and entries. */
import { FILE, typeOf } from '../../model/model.ts'
import { type Sql, sql } from '../../store/sql.ts'
import { EDGES } from '../../store/tables/layout.ts'
import { all, condition, parameter } from '../conditions.ts'
import type { Condition, EditorMeta, Populate, Query, ResponseShape, Selection, Sort } from '../query-tree.ts'
import { sortTerms, sortValues } from '../sort/sort-values.ts'
import {
  type Compilation,
  column,
  entryMember,
  hasShownStatus,
  isShownVersion,
  limitDepth,
  type RowSource,
  relatedSource,
  rootSource,
  rowSourceOf,
  type Source,
  servedFragment,
} from '../sources.ts'
import { follow, inTime, joinOne, type StepRows } from '../steps.ts'
import { visitsAfterMany } from '../visits.ts'
import { creatorJson, editorMeta, fileMeta } from './editor-meta.ts'
import { filtered, groupRelated } from './grouped.ts'
import { AS_IS, type Json, jsonExpression, jsonList } from './json-text.ts'
import { isOneOf, morphRows, zoneOrder } from './polymorphic.ts'
import { privateMembers, privateScalar, privateValue } from './private-scalars.ts'

/** Compiles the selections of one query. */
export interface JsonCompilation extends Compilation {
  readonly shape: ResponseShape
  readonly editor: EditorMeta | null
}

interface ObjectOutline {
  readonly id: boolean
  /** Text that goes right before the closing brace, such as `,"meta":{}`. */
  readonly tail: string
}

const RELATED: ObjectOutline = { id: true, tail: '' }

/** The outline of the documents that a query asks for. */
export const outlineOf = ({ shape }: Query): ObjectOutline => ({
  id: shape.id,
  tail: shape.meta ? ',"meta":{}' : '',
})

/** The JSON of the document or entry of a source. */
export function documentJson(
  c: JsonCompilation,
  source: Source,
  select: Selection,
  outline: ObjectOutline = RELATED,
): Json {
  if (source.kind === 'entry') return body(c, source, select, entryHead(c, source), outline.tail)
  // The served JSON of a row starts with its documentId.
  if (select.fields === null && outline.id)
    return body(c, source, select, { open: '{"id":', middle: [column(source, 'id')] }, outline.tail)
  if (select.fields === null) return body(c, source, select, { open: '{', middle: [] }, outline.tail)
  const documentId = [column(source, 'document_id'), sql.lit('"')]
  const head = outline.id
    ? { open: '{"id":', middle: [column(source, 'id'), sql.lit(',"documentId":"'), ...documentId] }
    : { open: '{"documentId":"', middle: documentId }
  return body(c, source, select, head, outline.tail)
}

type Head = Pick<Json, 'open' | 'middle'>

const entryHead = (c: JsonCompilation, source: Extract<Source, { kind: 'entry' }>): Head => ({
  open: '{"id":',
  middle: [
    entryMember(source, 'i'),
    ...(c.shape.entryDocumentId ? [sql.lit(',"documentId":"'), entryMember(source, 'd'), sql.lit('"')] : []),
  ],
})

function body(c: JsonCompilation, source: Source, select: Selection, head: Head, tail: string): Json {
  // Right after the opening brace, the fragment is used without its leading comma.
  const all = head.middle.length === 0 ? sql`substr(${servedFragment(source)}, 2)` : servedFragment(source)
  const scalars =
    select.fields === null
      ? [all]
      : select.fields.flatMap((field) => [sql.lit(`,"${field.name}":`), fieldJson(c, source, field.name)])
  const populated = select.populate.flatMap((populate) => [
    sql.lit(`,"${populate.name}":`),
    populateJson(c, source, populate),
  ])
  const isForEditor = c.editor !== null && isContent(source)
  const hidden = isForEditor && select.fields === null ? privateMembers(c, source) : []
  const meta = isForEditor
    ? editorMeta(c, source, c.editor)
    : c.editor !== null && isFile(source)
      ? fileMeta(c, source, c.editor)
      : []
  return {
    open: head.open,
    middle: [...head.middle, ...scalars, ...hidden, ...populated, ...meta],
    close: `${tail}}`,
  }
}

/** The JSON of a requested field. The query was checked: only the admin app can request a private one. */
function fieldJson(c: JsonCompilation, source: Source, name: string): Sql {
  const hidden = source.kind === 'row' ? privateScalar(source, name) : null
  if (hidden && source.kind === 'row') return privateValue(c, source, hidden)
  return sql`coalesce(${c.dialect.jsonMember(servedFragment(source), name)}, 'null')`
}

/** Whether a source is a document of the project, and not a file, user or role. */
const isContent = (source: Source): source is RowSource => source.kind === 'row' && source.type.generated

/** A file that was asked for, and not one of a document. */
const isFile = (source: Source): source is RowSource =>
  source.kind === 'row' && source.type.uid === FILE && source.level === 0

function populateJson(c: JsonCompilation, source: Source, populate: Populate): Sql {
  switch (populate.kind) {
    case 'related':
      return relatedJson(c, source, populate)
    case 'count': {
      const stepRows = follow(c, populate.step, source)
      const { of, where } = populate
      const counted = of ? isOneOf(c, stepRows.source, of) : filtered(c, stepRows, where)
      return sql`(select '{"count":' || count(*) || '}' from ${stepRows.from} where ${counted})`
    }
    case 'component': {
      const stepRows = follow(c, populate.step, source)
      return collect(c, stepRows, populate, documentJson(c, stepRows.source, populate.select))
    }
    case 'zone':
      return zoneJson(c, source, populate)
    case 'morph':
      return morphJson(c, source, populate)
    case 'morphCount':
      return morphCount(c, source, populate)
    case 'author':
      return creatorJson(c, column(rowSourceOf(source), populate.column), c.shape.creatorNames)
    case 'usages':
      return usagesJson(c, source, populate)
  }
}

/** The rows of a step as a JSON list, or the first of them as an object or null. */
function collect(
  c: JsonCompilation,
  stepRows: StepRows,
  { many, where, sort }: { many: boolean; where: Condition | null; sort: readonly Sort[] },
  json: Json,
): Sql {
  const rows = sql`from ${stepRows.from} where ${filtered(c, stepRows, where)}`
  const order = [...sortTerms(c, sort, stepRows.source), ...stepRows.order]
  const isFirst = stepRows.isSingle && c.dialect.stopsAtFirstRow
  const first = isFirst ? sql`` : sql` order by ${sql.join(order)} limit 1`
  const shown = many
    ? sql`select ${jsonList(c, json, order, sort.length === 0 && stepRows.isOrdered)} ${rows}`
    : sql`select ${jsonExpression(c, json)} ${rows}${first}`
  return sql`coalesce((${limitDepth(c, stepRows.source, shown)}), ${sql.lit(many ? '[]' : 'null')})`
}

function relatedJson(
  c: JsonCompilation,
  source: Source,
  populate: Extract<Populate, { kind: 'related' }>,
): Sql {
  const beside = populate.where ? null : joinOne(c, populate.step, source)
  if (beside)
    return sql`case when ${column(beside, 'id')} is null then 'null' else ${jsonExpression(c, documentJson(c, beside, populate.select))} end`
  const grouped = groupRelated(c, source, populate, (target) => documentJson(c, target, populate.select))
  if (grouped) return grouped
  const followed = follow(c, populate.step, source)
  const joins: Sql[] = []
  const json = documentJson(c, joiningTo(followed.source, joins), populate.select)
  const stepRows = { ...followed, from: sql`${followed.from} ${sql.join(joins, ' ')}` }
  if (!populate.many || (populate.limit === null && populate.start === null))
    return collect(c, stepRows, populate, json)
  const terms = [
    ...sortValues(c, populate.sort, stepRows.source),
    ...stepRows.order.map((value) => ({ value, descending: false })),
  ]
  const orders = terms.map((term, index) => c.dialect.order(sql.ref(`x.o${index}`), term.descending))
  const inner = sql`select ${jsonExpression(c, json)} as j, ${sql.join(
    terms.map((term, index) => sql`${term.value} as ${sql.id(`o${index}`)}`),
  )} from ${stepRows.from} where ${filtered(c, stepRows, populate.where)}`
  const limit = populate.limit ? c.dialect.limit(parameter(populate.limit)) : sql.lit(Number.MAX_SAFE_INTEGER)
  const start = populate.start ? parameter(populate.start) : sql.lit(0)
  const page = sql`select * from (${inner}) as x order by ${sql.join(orders)} limit ${limit} offset ${start}`
  return sql`coalesce((select ${jsonList(c, AS_IS, orders, true)} from (${page}) as x), '[]')`
}

const joiningTo = (source: Source, joins: Sql[]): Source =>
  source.kind === 'row' ? { ...source, joins } : source

function zoneJson(c: JsonCompilation, source: Source, populate: Extract<Populate, { kind: 'zone' }>): Sql {
  if (populate.of.length === 0) return sql.lit('[]')
  const stepRows = follow(c, populate.step, source)
  const entry = stepRows.source
  if (entry.kind !== 'entry') throw new Error('A zone contains entries')
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
  const sorted = zoneOrder(c, entry, populate.of)
  const order = [...(sorted ?? []), ...stepRows.order]
  return sql`coalesce((select ${jsonList(c, each, order, sorted === null && stepRows.isOrdered)} from ${stepRows.from} where ${isOneOf(c, entry, populate.of)}), '[]')`
}

function morphJson(c: JsonCompilation, source: Source, populate: Extract<Populate, { kind: 'morph' }>): Sql {
  if (populate.of.length === 0) return sql.lit(populate.many ? '[]' : 'null')
  const { rows, order } = morphRows(c, source, populate.relation, populate.of, (target, { type, select }) =>
    jsonExpression(c, documentJson(c, target, select, { id: true, tail: `,"__type":"${type}"` })),
  )
  return populate.many
    ? sql`coalesce((select ${jsonList(c, AS_IS, order, false)} from (${rows}) as x where x.j is not null), '[]')`
    : sql`coalesce((select x.j from (${rows}) as x where x.j is not null order by ${sql.join(order)} limit 1), 'null')`
}

function morphCount(
  c: JsonCompilation,
  source: Source,
  { relation, of }: Extract<Populate, { kind: 'morphCount' }>,
): Sql {
  if (of.length === 0) return sql.lit('{"count":0}')
  const { rows } = morphRows(c, source, relation, of, () => sql.lit(1))
  return sql`(select '{"count":' || count(x.j) || '}' from (${rows}) as x)`
}

/** The maximum number of documents that are shown for a file, because many may use a logo. */
const MAX_USAGES = 100

/** Each version is shown once, however often it uses the file. At the top level, versions of all locales are shown. */
function usagesJson(
  c: JsonCompilation,
  source: Source,
  populate: Extract<Populate, { kind: 'usages' }>,
): Sql {
  if (source.kind !== 'row') throw new Error('Only documents are used by others')
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
  const isUsed = sql`${column(edge, 'target')} = ${column(source, 'document_id')} and ${column(edge, 'relation')} in (${sql.join(
    kinds.flatMap(({ relations }) => relations),
  )})`
  const rows = sql`select distinct case ${column(edge, 'relation')} ${sql.join(kindOf, ' ')} end as kind, ${column(edge, 'source')} as source from ${sql.table(
    EDGES,
  )} as ${sql.id(edge.alias)} where ${inTime(c, edge, 'inverse_position', isUsed)}`
  const each = kinds.map(({ type: uid, select, where, kind }) => {
    const type = typeOf(c.model, uid)
    const visits = visitsAfterMany(source.visits)
    const owner =
      source.level === 0 ? rootSource(c, type, null, visits, 1) : relatedSource(c, type, source, visits)
    const json = documentJson(c, owner, select, { id: true, tail: `,"__type":"${uid}"` })
    const test = all([
      sql`${column(owner, 'id')} = ${column(found, 'source')}`,
      ...(populate.ofAnyStatus
        ? []
        : [source.level === 0 ? hasShownStatus(c, owner) : isShownVersion(c, owner, source)]),
      ...(where ? [condition(c, where, owner)] : []),
    ])
    return sql`when ${kind} then (select ${jsonExpression(c, json)} from ${sql.table(owner.type.table)} as ${sql.id(owner.alias)} where ${test})`
  })
  const shown = sql`select case ${column(found, 'kind')} ${sql.join(each, ' ')} end as j, ${column(found, 'kind')} as o, ${column(found, 'source')} as s from (${rows}) as ${sql.id(found.alias)}`
  const first = sql`select * from (${shown}) as x where x.j is not null order by x.o, x.s limit ${sql.lit(MAX_USAGES)}`
  return sql`coalesce((select ${jsonList(c, AS_IS, [sql.ref('x.o'), sql.ref('x.s')], true)} from (${first}) as x), '[]')`
}
