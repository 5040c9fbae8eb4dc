/**
 * Which indexes would help a query: what it compares and sorts by is held against the indexes that its content-types
 * have. Only what an engine would really use is advised: equalities first, then one range or the order.
 */
import { type ContentType, type Model, type ScalarAttribute, typeOf } from '../model/model.ts'
import { fieldType } from '../plan/field-type.ts'
import type { Condition, Field, Query, Sort } from '../plan/query-tree.ts'
import type { Dialect } from '../store/dialect.ts'
import { isLong } from '../store/tables/indexed.ts'

/** An index that is not there and would help. */
export interface Advice {
  readonly contentType: string
  /** What it would hold, in this order. */
  readonly on: readonly string[]
  readonly because: string
  /** What to declare in the schema of the content-type, or the statement to run where the schema has no word for it. */
  readonly declare: { readonly options: { readonly indexes: readonly (readonly string[])[] } } | string
}

export interface Advised {
  readonly suggested: readonly Advice[]
  /** What no index can serve, in words. */
  readonly unserved: readonly string[]
}

/** How the rows of a type are chosen in one place of a query. */
interface Choice {
  readonly type: ContentType
  readonly equal: readonly Field[]
  readonly range: readonly Field[]
  readonly order: readonly Field[]
}

/** What would serve a query better than the indexes that its content-types have. */
export function advise(query: Query, model: Model, dialect: Dialect): Advised {
  const unserved = new Set<string>()
  const choices = choicesOf(query, model, (words) => unserved.add(words))
  const suggested = new Map<string, Advice>()
  for (const choice of choices) {
    const advice = adviceOn(choice, dialect)
    if (advice) suggested.set(JSON.stringify([advice.contentType, advice.on]), advice)
  }
  return { suggested: [...suggested.values()], unserved: [...unserved] }
}

function choicesOf(query: Query, model: Model, cannot: (words: string) => void): Choice[] {
  const choices: Choice[] = []

  /** Takes in conditions that must all hold for rows of a type. */
  function choose(type: ContentType, where: Condition | null, order: readonly Field[]): void {
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
          else cannot(`${type.uid}: ${part.field.name} is searched for ${textWords(part)}`)
          break
        case 'or':
          for (const branch of part.all) choose(type, branch, [])
          break
        case 'through':
          if (part.step.kind === 'edges') choose(typeOf(model, part.step.target), part.where, [])
          else if (part.step.kind === 'entries')
            cannot(`${type.uid}: ${part.step.attribute} is looked into, which is a component`)
          break
        case 'not':
          cannot(`${type.uid}: a condition is negated`)
          break
        default:
          break
      }
    }
    choices.push({ type, equal, range, order })
  }

  const type = typeOf(model, query.type)
  choose(type, query.target.kind === 'document' ? null : query.where, ownOrder(query.sort))
  for (const { steps, field } of query.sort)
    if (steps.length > 0)
      cannot(`${type.uid}: documents are sorted by ${field.name} of what is related to them`)
  return choices
}

const conjuncts = (where: Condition | null): readonly Condition[] =>
  where === null ? [] : where.kind === 'and' ? where.all.flatMap(conjuncts) : [where]

function textWords({ op, fold }: Extract<Condition, { kind: 'text' }>): string {
  if (op === 'eq') return 'text in any letter case'
  const part =
    op === 'contains' ? 'a part of its text' : `how its text ${op === 'startsWith' ? 'begins' : 'ends'}`
  return fold ? `${part} in any letter case` : part
}

/** The fields of the type itself that a sort begins with. */
function ownOrder(sort: readonly Sort[]): Field[] {
  const foreign = sort.findIndex(({ steps }) => steps.length > 0)
  return (foreign < 0 ? sort : sort.slice(0, foreign)).map(({ field }) => field)
}

function adviceOn({ type, equal, range, order }: Choice, dialect: Dialect): Advice | null {
  if (equal.some((field) => isFoundAtOnce(type, field))) return null
  const first = distinct(equal.filter((field) => isIndexable(type, field)))
  const [bound] = range.filter((field) => isIndexable(type, field))
  const then = bound ? [bound] : order.every((field) => isIndexable(type, field)) ? distinct(order) : []
  const rest = then.filter((field) => !first.some(({ name }) => name === field.name))
  const leading = rest[0]?.column
  // The order by id comes with every index.
  const isWorthIt = leading === undefined ? first.some(isSelective) : leading !== 'id' || first.length > 0
  const wanted = [...first, ...rest].filter(({ column }) => column !== 'id')
  if (!isWorthIt || wanted.length === 0 || isServed(type, first, rest)) return null
  const names = wanted.map(({ name }) => name)
  const reasons = [
    ...(first.length > 0 ? [`${listed(first)} must equal a value`] : []),
    ...(bound
      ? [`${bound.name} has bounds`]
      : rest.length > 0
        ? [`documents are sorted by ${listed(rest)}`]
        : []),
  ]
  return {
    contentType: type.uid,
    on: names,
    because: reasons.join(', and '),
    declare: wanted.every(({ column }) => column.startsWith('a_'))
      ? { options: { indexes: [...type.indexes, names] } }
      : createIndex(type, wanted, dialect),
  }
}

const createIndex = ({ table }: ContentType, fields: readonly Field[], dialect: Dialect) => {
  const columns = fields.map(({ column }) => column)
  // Answers have nulls first; PostgreSQL serves no order that its index does not have.
  const ordered = columns.map((column) => quoted(column) + dialect.nullsFirst)
  const parts = [quoted('published'), quoted('locale'), ...ordered, quoted('id')]
  return `CREATE INDEX ${quoted([table, ...columns].join('_'))} ON ${quoted(table)} (${parts.join(', ')})`
}

const listed = (fields: readonly Field[]) => fields.map(({ name }) => name).join(' and ')
const quoted = (name: string) => `"${name}"`

const distinct = (fields: readonly Field[]) => [
  ...new Map(fields.map((field) => [field.name, field])).values(),
]

const attributeOf = (type: ContentType, { name, column }: Field): ScalarAttribute | null => {
  const attribute = column.startsWith('a_') ? type.attributes.get(name) : undefined
  return attribute?.kind === 'scalar' ? attribute : null
}

/** Whether an index that every type has finds the few rows with a value. */
function isFoundAtOnce(type: ContentType, field: Field): boolean {
  if (field.column === 'id' || field.column === 'document_id') return true
  const attribute = attributeOf(type, field)
  return attribute?.unique ?? false
}

/** Of values that may be long the indexes of PostgreSQL have a part only; the locale is in every index. */
function isIndexable(type: ContentType, field: Field): boolean {
  const attribute = attributeOf(type, field)
  return field.column !== 'locale' && !(attribute && isLong(attribute))
}

/** Whether few rows have the same value. */
const isSelective = (field: Field): boolean => !fieldType(field).hasFewValues

/** Whether a declared index has the fields: those that equal a value first, in any order, then the rest. */
function isServed(type: ContentType, first: readonly Field[], rest: readonly Field[]): boolean {
  const then = rest.filter(({ column }) => column !== 'id')
  return type.indexes.some(
    (index) =>
      first.every(({ name }) => index.slice(0, first.length).includes(name)) &&
      then.every(({ name }, place) => index[first.length + place] === name),
  )
}
