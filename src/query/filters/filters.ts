/** The `filters` parameter becomes a condition. */
import type { ScalarAttribute } from '../../model/model.ts'
import type { Stored } from '../../model/scalar-type.ts'
import { fieldType } from '../../plan/field-type.ts'
import type { CompareOperator, Condition, Field, Step, TextOperator } from '../../plan/query-tree.ts'
import { isObject } from '../../project/values.ts'
import { fold } from '../../store/fold/fold.ts'
import { builtInFields, findName, type Subject, usableNames } from '../find-name.ts'
import { listOf, type Param } from '../params.ts'
import { parseBoolean } from '../parse-boolean.ts'
import { addValue, and, countNode, type ParseContext, refuseKey, refuseValue } from '../parse-context.ts'
import { compare, storableValue } from './compare-integers.ts'
import { branches, isOnRelationItself, splitBranches } from './logical-operators.ts'

type Path = readonly string[]

/** A filter object; null when it asks for nothing. */
export function parseFilters(
  context: ParseContext,
  subject: Subject,
  input: Param,
  path: Path,
): Condition | null {
  if (!isObject(input))
    return refuseValue(context, path, 'expected an object of filters, such as filters[name][$eq]=value')
  return and(...Object.entries(input).map(([key, value]) => parseKey(context, subject, key, value, path)))
}

/** A filter object that must ask for something. */
function parseBranch(context: ParseContext, subject: Subject, input: Param, path: Path): Condition {
  const condition = parseFilters(context, subject, input, path)
  return condition ?? refuseValue(context, path, 'expected a condition')
}

function parseKey(context: ParseContext, subject: Subject, key: string, value: Param, path: Path): Condition {
  countNode(context)
  const at = [...path, key]
  if (key === '$and' || key === '$or') {
    const all = branches(context, value, at).map((branch) => parseBranch(context, subject, branch, at))
    return { kind: key === '$and' ? 'and' : 'or', all }
  }
  if (key === '$not') return { kind: 'not', of: parseBranch(context, subject, value, at) }
  const found = findName(context, subject, key)
  switch (found?.kind) {
    case 'field':
      return parseField(context, found.field, found.attribute, value, at)
    case 'related':
      if (found.media) return refuseValue(context, at, 'media fields cannot be filtered')
      return parseRelated(context, found.step, found.subject, value, at)
    case 'component':
      return parseRelated(context, found.step, found.subject, value, at)
    case 'zone':
      return refuseValue(context, at, 'dynamic zones cannot be filtered')
    case 'morph':
    case 'usages':
      return refuseValue(context, at, 'polymorphic relations cannot be filtered')
    case 'forbidden':
    case undefined:
      return refuseKey(context, key, path, [
        ...usableNames(context, subject, FILTERABLE),
        '$and',
        '$or',
        '$not',
      ])
  }
}

const FILTERABLE = ['field', 'related', 'component'] as const

/**
 * Conditions on what a relation or component leads to. All under one key must hold for the same thing, except for those
 * on the relation itself, such as `$null` and ids, which stand by themselves also below `$and`, `$or` and `$not`.
 */
function parseRelated(
  context: ParseContext,
  step: Step,
  subject: Subject,
  value: Param,
  path: Path,
): Condition {
  if (!isObject(value) || listOf(value)) return named(context, step, subject, value, path)
  const nested: Record<string, Param> = {}
  const direct: Condition[] = []
  for (const [key, operand] of Object.entries(value)) {
    const at = [...path, key]
    switch (key) {
      case '$null':
      case '$notNull':
        direct.push({ kind: 'some', step, is: nullWord(context, operand, at) !== (key === '$null') })
        break
      case '$eq':
      case '$in':
        direct.push(named(context, step, subject, operand, at))
        break
      case '$ne':
      case '$notIn':
        direct.push({ kind: 'not', of: named(context, step, subject, operand, at) })
        break
      case '$not':
        if (isOnRelationItself(operand)) {
          countNode(context)
          direct.push({ kind: 'not', of: parseRelated(context, step, subject, operand, at) })
        } else nested[key] = operand
        break
      case '$and':
      case '$or': {
        const { apart, together } = splitBranches(context, key, operand, at)
        if (together) nested[key] = together
        if (!apart) break
        countNode(context)
        const all = apart.map((branch) => parseRelated(context, step, subject, branch, at))
        direct.push({ kind: key === '$and' ? 'and' : 'or', all })
        break
      }
      default:
        nested[key] = operand
    }
  }
  const where = parseFilters(context, subject, nested, path)
  const condition = and(...direct, where ? { kind: 'through', step, where } : null)
  return condition ?? refuseValue(context, path, 'expected a field and an operator')
}

/** A related document given by its numeric id or its documentId. */
function named(context: ParseContext, step: Step, subject: Subject, value: Param, path: Path): Condition {
  if (subject.kind === 'entry') return refuseValue(context, path, 'expected a field of the component')
  const all = texts(context, value, path).map((text): Condition => {
    if (text === '') return refuseValue(context, path, 'expected an id or a documentId')
    return /^\d{1,15}$/.test(text)
      ? { kind: 'documentOfRow', value: addValue(context, Number(text)) }
      : { kind: 'compare', field: builtInFields.documentId, op: 'eq', value: addValue(context, text) }
  })
  return { kind: 'through', step, where: { kind: 'or', all } }
}

function parseField(
  context: ParseContext,
  field: Field,
  attribute: ScalarAttribute,
  value: Param,
  path: Path,
): Condition {
  if (!isObject(value) || listOf(value)) return operator(context, field, attribute, '$eq', value, path)
  const conditions = Object.entries(value).map(([key, operand]): Condition => {
    const at = [...path, key]
    countNode(context)
    if (key === '$not') return { kind: 'not', of: parseField(context, field, attribute, operand, at) }
    if (key === '$and' || key === '$or') {
      const all = branches(context, operand, at).map((branch) =>
        parseField(context, field, attribute, branch, at),
      )
      return { kind: key === '$and' ? 'and' : 'or', all }
    }
    return operator(context, field, attribute, key, operand, at)
  })
  return and(...conditions) ?? refuseValue(context, path, 'expected an operator and a value')
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

/** Other values have no letters, but can be written in several ways. */
function hasLetterCase(field: Field): boolean {
  const { family } = fieldType(field)
  return family === 'text' || family === 'json'
}

const OPERATORS = [
  ...['$in', '$between', '$null', '$notNull', '$and', '$or', '$not'],
  ...[...comparisons.keys(), ...textOperators.keys(), ...negations.keys()],
]

function operator(
  context: ParseContext,
  field: Field,
  attribute: ScalarAttribute,
  key: string,
  operand: Param,
  path: Path,
): Condition {
  const positive = negations.get(key)
  if (positive) return { kind: 'not', of: operator(context, field, attribute, positive, operand, path) }
  if (key === '$eqi' && !hasLetterCase(field))
    return operator(context, field, attribute, '$eq', operand, path)

  if (key === '$null' || key === '$notNull') {
    return { kind: 'null', field, is: nullWord(context, operand, path) === (key === '$null') }
  }
  if (key === '$eq' && operand === null) return { kind: 'null', field, is: true }

  const textual = textOperators.get(key)
  if (textual) {
    return any(texts(context, operand, path).map((text) => textCondition(context, field, textual, text)))
  }
  if (key === '$between') {
    const [low, high, ...more] = texts(context, operand, path)
    if (low === undefined || high === undefined || more.length > 0) {
      return refuseValue(context, path, 'expected exactly two values')
    }
    return {
      kind: 'and',
      all: [
        compare(context, field, 'gte', filterValue(context, field, attribute, low, path)),
        compare(context, field, 'lte', filterValue(context, field, attribute, high, path)),
      ],
    }
  }
  const comparison = key === '$in' ? 'eq' : comparisons.get(key)
  if (comparison === undefined) return refuseKey(context, key, path.slice(0, -1), OPERATORS)
  const values = texts(context, operand, path).map((text) =>
    filterValue(context, field, attribute, text, path),
  )
  if (comparison === 'eq' && values.length !== 1) {
    const known = values.flatMap((value) => storableValue(field, value) ?? [])
    return { kind: 'in', field, values: known.map((value) => addValue(context, value)) }
  }
  return any(values.map((value) => compare(context, field, comparison, value)))
}

const any = (all: readonly Condition[]): Condition =>
  all.length === 1 && all[0] ? all[0] : { kind: 'or', all }

function textCondition(
  context: ParseContext,
  field: Field,
  { op, fold: folded }: { op: TextOperator; fold: boolean },
  text: string,
): Condition {
  return { kind: 'text', field, op, fold: folded, value: addValue(context, folded ? fold(text) : text) }
}

function nullWord(context: ParseContext, operand: Param, path: Path): boolean {
  const word = operand === '' ? false : parseBoolean(operand)
  return word ?? refuseValue(context, path, 'expected true or false')
}

/** The operand as a list of texts; a single value is a list of one. */
function texts(context: ParseContext, operand: Param, path: Path): string[] {
  const list = listOf(operand) ?? [operand]
  return list.map((item) => {
    if (typeof item === 'string') return item
    if (typeof item === 'number' || typeof item === 'boolean') return String(item)
    return refuseValue(context, path, 'expected a value')
  })
}

function filterValue(
  context: ParseContext,
  field: Field,
  _attribute: ScalarAttribute,
  text: string,
  path: Path,
): Stored {
  const parsed = fieldType(field).parseFilter(text)
  return parsed.ok ? parsed.value : refuseValue(context, path, parsed.message)
}
