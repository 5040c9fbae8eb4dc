/**
 * Suggests indexes for a query, by comparing its conditions and sorts with the indexes of its content-types. Suggests
 * only what an engine would use: columns of equalities first, then one range or the sort order.
 */
import { type ContentType, type Model, typeOf } from '../../model/model.ts'
import { fieldType } from '../../plan/field-type.ts'
import type { Condition, Field, Query, Sort } from '../../plan/query-tree.ts'
import { compile } from '../../store/compile.ts'
import type { Dialect } from '../../store/dialect.ts'
import { sql } from '../../store/sql.ts'
import { type AutomaticIndex, automaticIndexRows } from '../../store/tables/automatic-indexes.ts'
import { columnOf, type Layout } from '../../store/tables/layout.ts'
import { conjuncts, isIndexable, isUniqueLookup } from './selection.ts'

export interface IndexSuggestion {
  readonly contentType: string
  /** The attributes of the index, in order. */
  readonly on: readonly string[]
  readonly because: string
  /** What to declare in the schema, or the SQL statement to run where the schema cannot express the index. */
  readonly declare: { readonly options: { readonly indexes: readonly (readonly string[])[] } } | string
}

export interface IndexAdvice {
  readonly suggested: readonly IndexSuggestion[]
  /** Descriptions of what no index can serve. */
  readonly unserved: readonly string[]
}

/** How one part of a query selects rows of a type. */
interface RowSelection {
  readonly type: ContentType
  readonly equal: readonly Field[]
  readonly range: readonly Field[]
  readonly order: readonly Field[]
}

export function advise(
  query: Query,
  { model, hasSearch }: Layout,
  dialect: Dialect,
  automatic: readonly AutomaticIndex[] = [],
): IndexAdvice {
  const unserved = new Set<string>()
  const selections = rowSelectionsOf(query, model, hasSearch, (description) => unserved.add(description))
  const suggested = new Map<string, IndexSuggestion>()
  for (const selection of selections) {
    const suggestion = suggestIndex(selection, dialect, automatic)
    if (suggestion) suggested.set(JSON.stringify([suggestion.contentType, suggestion.on]), suggestion)
  }
  return { suggested: [...suggested.values()], unserved: [...unserved] }
}

function rowSelectionsOf(
  query: Query,
  model: Model,
  hasSearch: boolean,
  reportUnserved: (description: string) => void,
): RowSelection[] {
  const selections: RowSelection[] = []

  /** Whether a search index serves a field, which it only does for the queried type itself. */
  const isSearched = (type: ContentType, field: Field) =>
    hasSearch && type.uid === query.type && (type.search?.includes(field.name) ?? false)

  /** Adds the conditions that rows of a type must all meet. */
  function addSelection(type: ContentType, where: Condition | null, order: readonly Field[]): void {
    const equal: Field[] = []
    const range: Field[] = []
    for (const part of conjuncts(where)) {
      switch (part.kind) {
        case 'compare':
          ;(part.op === 'eq' ? equal : range).push(part.field)
          break
        case 'in':
        case 'null':
          equal.push(part.field)
          break
        case 'text':
          if (part.op === 'eq' && !part.fold) equal.push(part.field)
          else if (!isSearched(type, part.field))
            reportUnserved(`${type.uid}: ${part.field.name} is compared by ${describeText(part)}`)
          break
        case 'or':
          for (const branch of part.all) addSelection(type, branch, [])
          break
        case 'through':
          if (part.step.kind === 'edges') addSelection(typeOf(model, part.step.target), part.where, [])
          else if (part.step.kind === 'entries')
            reportUnserved(
              `${type.uid}: ${part.step.attribute} is a component, whose attributes cannot be indexed`,
            )
          break
        case 'not':
          reportUnserved(`${type.uid}: a condition is negated`)
          break
        default:
          break
      }
    }
    selections.push({ type, equal, range, order })
  }

  const type = typeOf(model, query.type)
  addSelection(type, query.target.kind === 'document' ? null : query.where, ownOrder(query.sort))
  for (const { steps, field, score } of query.sort) {
    if (score) reportUnserved(`${type.uid}: documents are sorted by how well they match the search`)
    if (steps.length > 0)
      reportUnserved(`${type.uid}: documents are sorted by ${field.name} of related documents`)
  }
  return selections
}

function describeText({ op, fold }: Extract<Condition, { kind: 'text' }>): string {
  if (op === 'eq') return 'its text regardless of case'
  const part =
    op === 'contains' ? 'a part of its text' : `the ${op === 'startsWith' ? 'start' : 'end'} of its text`
  return fold ? `${part} regardless of case` : part
}

/** The leading sort fields that belong to the type itself. */
function ownOrder(sort: readonly Sort[]): Field[] {
  const foreign = sort.findIndex(({ steps }) => steps.length > 0)
  return (foreign < 0 ? sort : sort.slice(0, foreign)).map(({ field }) => field)
}

function suggestIndex(
  { type, equal, range, order }: RowSelection,
  dialect: Dialect,
  automatic: readonly AutomaticIndex[],
): IndexSuggestion | null {
  if (equal.some((field) => isUniqueLookup(type, field))) return null
  const first = distinct(equal.filter((field) => isIndexable(type, field)))
  const [bound] = range.filter((field) => isIndexable(type, field))
  const then = bound ? [bound] : order.every((field) => isIndexable(type, field)) ? distinct(order) : []
  const rest = then.filter((field) => !first.some(({ name }) => name === field.name))
  const leading = rest[0]?.column
  // Every index already includes the order by id.
  const isWorthIt = leading === undefined ? first.some(isSelective) : leading !== 'id' || first.length > 0
  const fields = [...first, ...rest].filter(({ column }) => column !== 'id')
  if (!isWorthIt || fields.length === 0 || isServed(type, automatic, first, rest)) return null
  const names = fields.map(({ name }) => name)
  const reasons = [
    ...(first.length > 0 ? [`${listed(first)} is compared with a value`] : []),
    ...(bound
      ? [`${bound.name} is limited to a range`]
      : rest.length > 0
        ? [`documents are sorted by ${listed(rest)}`]
        : []),
  ]
  return {
    contentType: type.uid,
    on: names,
    because: reasons.join(', and '),
    declare: fields.every(({ column }) => column.startsWith('a_'))
      ? { options: { indexes: [...type.indexes, names] } }
      : createIndex(type, fields, dialect),
  }
}

const createIndex = ({ table }: ContentType, fields: readonly Field[], dialect: Dialect): string => {
  const columns = fields.map(({ column }) => column)
  const name = sql.id([table, ...columns].join('_'))
  const rows = automaticIndexRows(dialect, { table, columns })
  return compile(dialect, sql`CREATE INDEX ${name} ON ${rows}`).sql
}

const listed = (fields: readonly Field[]) => fields.map(({ name }) => name).join(' and ')

const distinct = (fields: readonly Field[]) => [
  ...new Map(fields.map((field) => [field.name, field])).values(),
]

/** Whether few rows share a value. */
const isSelective = (field: Field): boolean => !fieldType(field).hasFewValues

/** Whether an index has the fields: first those of equalities in any order, then the rest in order. */
function isServed(
  { table, indexes }: ContentType,
  automatic: readonly AutomaticIndex[],
  first: readonly Field[],
  rest: readonly Field[],
): boolean {
  const then = rest.filter(({ column }) => column !== 'id')
  const existing = [
    ...indexes.map((names) => names.map(columnOf)),
    ...automatic.filter((index) => index.table === table).map(({ columns }) => columns),
  ]
  return existing.some(
    (index) =>
      first.every(({ column }) => index.slice(0, first.length).includes(column)) &&
      then.every(({ column }, place) => index[first.length + place] === column),
  )
}
