/** How a list selects and sorts the rows of its content-type, as far as an index could do it. */
import { type ContentType, type Model, type ScalarAttribute, typeOf } from '../../model/model.ts'
import { type Condition, type Field, type Query, SCORE } from '../../plan/query-tree.ts'
import { fitting, isLong } from '../../store/tables/indexed.ts'

/** A condition on a column of the content-type. */
export interface FieldCondition {
  readonly field: Field
  readonly condition: Condition
}

export interface Selection {
  readonly type: ContentType
  /** Conditions that every row must meet, one for each column; the columns in the order of an index. */
  readonly equal: readonly FieldCondition[]
  readonly range: readonly FieldCondition[]
  /** The columns of the sort order that an index can have. */
  readonly order: readonly Field[]
  /** The whole sort order, for people and programs: such as `name` or `-stars`. */
  readonly sortedBy: readonly string[]
  /** Whether an index with `order` returns the rows in the order of the list, or nearly so. */
  readonly canSort: boolean
}

export function selectionOf(query: Query, model: Model): Selection {
  const type = typeOf(model, query.type)
  const equal = new Map<string, FieldCondition>()
  const range = new Map<string, FieldCondition>()
  for (const part of conjuncts(query.where)) {
    const kind = comparisonOf(part)
    if (!kind || !('field' in part) || !isIndexable(type, part.field)) continue
    const found = kind === 'equal' ? equal : range
    if (!found.has(part.field.name)) found.set(part.field.name, { field: part.field, condition: part })
  }
  const sortedBy = query.sort.map(({ field, descending }) => (descending ? `-${field.name}` : field.name))
  const order = sortColumns(type, query).filter(({ name }) => !equal.has(name))
  const [first] = query.sort
  return {
    type,
    // The same index serves all orders of equalities.
    equal: [...equal.values()].sort((a, b) => (a.field.name < b.field.name ? -1 : 1)),
    range: [...range.values()].filter(({ field }) => !equal.has(field.name)),
    order,
    sortedBy,
    canSort: !first || (first.steps.length === 0 && isIndexable(type, first.field)),
  }
}

/** The conditions of which a row must meet every one. */
export const conjuncts = (where: Condition | null): readonly Condition[] =>
  where === null ? [] : where.kind === 'and' ? where.all.flatMap(conjuncts) : [where]

/** How an index could find the rows that meet a condition; null if it cannot. */
function comparisonOf(condition: Condition): 'equal' | 'range' | null {
  switch (condition.kind) {
    case 'compare':
      return condition.op === 'eq' ? 'equal' : 'range'
    case 'in':
      return condition.values.length === 1 ? 'equal' : 'range'
    case 'null':
      return condition.is ? 'equal' : null
    case 'text':
      return condition.op === 'eq' && !condition.fold ? 'equal' : null
    default:
      return null
  }
}

/** The leading columns of the sort order with one direction: an index is read forwards or backwards. */
function sortColumns(type: ContentType, { sort }: Query): readonly Field[] {
  const end = sort.findIndex(
    ({ steps, field, descending }) =>
      steps.length > 0 ||
      field.column === 'id' ||
      descending !== sort[0]?.descending ||
      !isIndexable(type, field),
  )
  return (end < 0 ? sort : sort.slice(0, end)).map(({ field }) => field)
}

const attributeOf = (type: ContentType, { name, column }: Field): ScalarAttribute | null => {
  const attribute = column.startsWith('a_') ? type.attributes.get(name) : undefined
  return attribute?.kind === 'scalar' ? attribute : null
}

/** Long values are indexed only in part on PostgreSQL; the locale is in every index; a score depends on the search. */
export function isIndexable(type: ContentType, field: Field): boolean {
  const attribute = attributeOf(type, field)
  return field.column !== 'locale' && field.column !== SCORE.column && !(attribute && isLong(attribute))
}

/** Whether a built-in index finds the few rows with a value. */
export function isUniqueLookup(type: ContentType, field: Field): boolean {
  if (field.column === 'id' || field.column === 'document_id') return true
  return attributeOf(type, field)?.unique ?? false
}

/** The leading fields that fit into an index of an engine that limits its length. */
export function fittingFields(type: ContentType, fields: readonly Field[]): readonly Field[] {
  const attributes = fields.flatMap((field) => attributeOf(type, field) ?? [])
  const kept = new Set(fitting(attributes).map(({ name }) => name))
  const end = fields.findIndex((field) => attributeOf(type, field) && !kept.has(field.name))
  return end < 0 ? fields : fields.slice(0, end)
}
