/** The `filters` parameter becomes a condition. */
import type { ScalarAttribute } from '../../model/model.ts'
import type { Parsed, Stored } from '../../model/scalar.ts'
import { scalars } from '../../model/scalars/index.ts'
import type { CompareOperator, Condition, Field, Step, TextOperator } from '../../plan/tree.ts'
import { isObject } from '../../project/values.ts'
import { fold } from '../../store/fold/fold.ts'
import { booleanWord } from '../boolean-word.ts'
import { find, type Subject, usableNames } from '../names.ts'
import { listOf, type Param } from '../params.ts'
import { and, grow, mistaken, type Reading, refuse, slot } from '../parse-context.ts'
import { branches, isOfRelation, parted } from './branches.ts'
import { compare, held } from './whole-numbers.ts'

type Path = readonly string[]

/** A filter object; null when it asks for nothing. */
export function parseFilters(reading: Reading, subject: Subject, input: Param, path: Path): Condition | null {
  if (!isObject(input))
    return mistaken(reading, path, 'expected an object of filters, such as filters[name][$eq]=value')
  return and(...Object.entries(input).map(([key, value]) => parseKey(reading, subject, key, value, path)))
}

/** A filter object that must ask for something. */
function parseBranch(reading: Reading, subject: Subject, input: Param, path: Path): Condition {
  const condition = parseFilters(reading, subject, input, path)
  return condition ?? mistaken(reading, path, 'expected a condition')
}

function parseKey(reading: Reading, subject: Subject, key: string, value: Param, path: Path): Condition {
  grow(reading)
  const at = [...path, key]
  if (key === '$and' || key === '$or') {
    const all = branches(reading, value, at).map((branch) => parseBranch(reading, subject, branch, at))
    return { kind: key === '$and' ? 'and' : 'or', all }
  }
  if (key === '$not') return { kind: 'not', of: parseBranch(reading, subject, value, at) }
  const found = find(reading, subject, key)
  switch (found?.kind) {
    case 'field':
      return parseField(reading, found.field, found.attribute, value, at)
    case 'related':
      if (found.media) return mistaken(reading, at, 'media fields cannot be filtered')
      return parseRelated(reading, found.step, found.subject, value, at)
    case 'component':
      return parseRelated(reading, found.step, found.subject, value, at)
    case 'zone':
      return mistaken(reading, at, 'dynamic zones cannot be filtered')
    case 'morph':
    case 'showing':
      return mistaken(reading, at, 'polymorphic relations cannot be filtered')
    case 'forbidden':
    case undefined:
      return refuse(reading, key, path, [...usableNames(reading, subject, FILTERABLE), '$and', '$or', '$not'])
  }
}

const FILTERABLE = ['field', 'related', 'component'] as const

/**
 * Conditions on what a relation or component leads to. All under one key must hold for the same thing, except for those
 * on the relation itself, such as `$null` and ids, which stand by themselves also below `$and`, `$or` and `$not`.
 */
function parseRelated(reading: Reading, step: Step, subject: Subject, value: Param, path: Path): Condition {
  if (!isObject(value) || listOf(value)) return named(reading, step, subject, value, path)
  const nested: Record<string, Param> = {}
  const direct: Condition[] = []
  for (const [key, operand] of Object.entries(value)) {
    const at = [...path, key]
    switch (key) {
      case '$null':
      case '$notNull':
        direct.push({ kind: 'some', step, is: nullWord(reading, operand, at) !== (key === '$null') })
        break
      case '$eq':
      case '$in':
        direct.push(named(reading, step, subject, operand, at))
        break
      case '$ne':
      case '$notIn':
        direct.push({ kind: 'not', of: named(reading, step, subject, operand, at) })
        break
      case '$not':
        if (isOfRelation(operand)) {
          grow(reading)
          direct.push({ kind: 'not', of: parseRelated(reading, step, subject, operand, at) })
        } else nested[key] = operand
        break
      case '$and':
      case '$or': {
        const { apart, together } = parted(reading, key, operand, at)
        if (together) nested[key] = together
        if (!apart) break
        grow(reading)
        const all = apart.map((branch) => parseRelated(reading, step, subject, branch, at))
        direct.push({ kind: key === '$and' ? 'and' : 'or', all })
        break
      }
      default:
        nested[key] = operand
    }
  }
  const where = parseFilters(reading, subject, nested, path)
  const condition = and(...direct, where ? { kind: 'through', step, where } : null)
  return condition ?? mistaken(reading, path, 'expected a field and an operator')
}

/** A related document given by its numeric id or its documentId. */
function named(reading: Reading, step: Step, subject: Subject, value: Param, path: Path): Condition {
  if (subject.kind === 'entry') return mistaken(reading, path, 'expected a field of the component')
  const documentId: Field = { name: 'documentId', column: 'document_id', type: 'string' }
  const all = texts(reading, value, path).map((text): Condition => {
    if (text === '') return mistaken(reading, path, 'expected an id or a documentId')
    return /^\d{1,15}$/.test(text)
      ? { kind: 'names', value: slot(reading, Number(text)) }
      : { kind: 'compare', field: documentId, op: 'eq', value: slot(reading, text) }
  })
  return { kind: 'through', step, where: { kind: 'or', all } }
}

function parseField(
  reading: Reading,
  field: Field,
  attribute: ScalarAttribute,
  value: Param,
  path: Path,
): Condition {
  if (!isObject(value) || listOf(value)) return operator(reading, field, attribute, '$eq', value, path)
  const conditions = Object.entries(value).map(([key, operand]): Condition => {
    const at = [...path, key]
    grow(reading)
    if (key === '$not') return { kind: 'not', of: parseField(reading, field, attribute, operand, at) }
    if (key === '$and' || key === '$or') {
      const all = branches(reading, operand, at).map((branch) =>
        parseField(reading, field, attribute, branch, at),
      )
      return { kind: key === '$and' ? 'and' : 'or', all }
    }
    return operator(reading, field, attribute, key, operand, at)
  })
  return and(...conditions) ?? mistaken(reading, path, 'expected an operator and a value')
}

const comparisons = new Map<string, CompareOperator>([
  ['$eq', 'eq'],
  ['$lt', 'lt'],
  ['$lte', 'lte'],
  ['$gt', 'gt'],
  ['$gte', 'gte'],
])

const textOperators = new Map<string, { op: TextOperator; fold: boolean }>([
  ['$eqi', { op: 'eq', fold: true }],
  ['$contains', { op: 'contains', fold: false }],
  ['$containsi', { op: 'contains', fold: true }],
  ['$startsWith', { op: 'startsWith', fold: false }],
  ['$startsWithi', { op: 'startsWith', fold: true }],
  ['$endsWith', { op: 'endsWith', fold: false }],
  ['$endsWithi', { op: 'endsWith', fold: true }],
])

/** Each of these is the negation of the operator it names. */
const negations = new Map([
  ['$ne', '$eq'],
  ['$nei', '$eqi'],
  ['$notIn', '$in'],
  ['$notContains', '$contains'],
  ['$notContainsi', '$containsi'],
])

/** Types of values that have no letters to tell apart by case, but may be spelt in several ways. */
const WITHOUT_LETTERS: ReadonlySet<Field['type']> = new Set([
  ...(['id', 'integer', 'biginteger', 'float', 'decimal', 'boolean'] as const),
  ...(['date', 'time', 'datetime', 'timestamp'] as const),
])

const OPERATORS = [
  ...['$in', '$between', '$null', '$notNull', '$and', '$or', '$not'],
  ...[...comparisons.keys(), ...textOperators.keys(), ...negations.keys()],
]

function operator(
  reading: Reading,
  field: Field,
  attribute: ScalarAttribute,
  key: string,
  operand: Param,
  path: Path,
): Condition {
  const positive = negations.get(key)
  if (positive) return { kind: 'not', of: operator(reading, field, attribute, positive, operand, path) }
  if (key === '$eqi' && WITHOUT_LETTERS.has(field.type))
    return operator(reading, field, attribute, '$eq', operand, path)

  if (key === '$null' || key === '$notNull') {
    return { kind: 'null', field, is: nullWord(reading, operand, path) === (key === '$null') }
  }
  if (key === '$eq' && operand === null) return { kind: 'null', field, is: true }

  const textual = textOperators.get(key)
  if (textual) {
    return any(texts(reading, operand, path).map((text) => textCondition(reading, field, textual, text)))
  }
  if (key === '$between') {
    const [low, high, ...more] = texts(reading, operand, path)
    if (low === undefined || high === undefined || more.length > 0) {
      return mistaken(reading, path, 'expected exactly two values')
    }
    return {
      kind: 'and',
      all: [
        compare(reading, field, 'gte', filterValue(reading, field, attribute, low, path)),
        compare(reading, field, 'lte', filterValue(reading, field, attribute, high, path)),
      ],
    }
  }
  const comparison = key === '$in' ? 'eq' : comparisons.get(key)
  if (comparison === undefined) return refuse(reading, key, path.slice(0, -1), OPERATORS)
  const values = texts(reading, operand, path).map((text) =>
    filterValue(reading, field, attribute, text, path),
  )
  if (comparison === 'eq' && values.length !== 1) {
    const known = values.flatMap((value) => held(field, value) ?? [])
    return { kind: 'in', field, values: known.map((value) => slot(reading, value)) }
  }
  return any(values.map((value) => compare(reading, field, comparison, value)))
}

const any = (all: readonly Condition[]): Condition =>
  all.length === 1 && all[0] ? all[0] : { kind: 'or', all }

function textCondition(
  reading: Reading,
  field: Field,
  { op, fold: folded }: { op: TextOperator; fold: boolean },
  text: string,
): Condition {
  return { kind: 'text', field, op, fold: folded, value: slot(reading, folded ? fold(text) : text) }
}

function nullWord(reading: Reading, operand: Param, path: Path): boolean {
  const word = operand === '' ? false : booleanWord(operand)
  return word ?? mistaken(reading, path, 'expected true or false')
}

/** The operand as a list of texts; a single value is a list of one. */
function texts(reading: Reading, operand: Param, path: Path): string[] {
  const list = listOf(operand) ?? [operand]
  return list.map((item) => {
    if (typeof item === 'string') return item
    if (typeof item === 'number' || typeof item === 'boolean') return String(item)
    return mistaken(reading, path, 'expected a value')
  })
}

function filterValue(
  reading: Reading,
  field: Field,
  attribute: ScalarAttribute,
  text: string,
  path: Path,
): Stored {
  const parsed: Parsed<Stored> =
    field.type === 'id'
      ? scalars.integer.parseFilter(text, attribute)
      : scalars[field.type].parseFilter(text, attribute)
  return parsed.ok ? parsed.value : mistaken(reading, path, parsed.message)
}
