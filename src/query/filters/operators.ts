/**
 * Every filter operator: the value it takes and the condition it makes. A new operator is defined here, and its SQL in
 * `plan/conditions.ts`.
 */
import type { Stored } from '../../model/scalar-type.ts'
import { fieldType } from '../../plan/field-type.ts'
import type { CompareOperator, Condition, Field, TextOperator } from '../../plan/query-tree.ts'
import { fold } from '../../store/fold/fold.ts'
import { listOf, type Param } from '../params.ts'
import { parseBoolean } from '../parse-boolean.ts'
import { addValue, type ParseContext, refuseValue } from '../parse-context.ts'
import { compare, storableValue } from './compare-integers.ts'

/** An operator applied to a field, with the operand as it was sent. */
export interface FieldFilter {
  readonly context: ParseContext
  readonly field: Field
  readonly operand: Param
  readonly path: readonly string[]
}

type ToCondition = (filter: FieldFilter) => Condition

interface Operator {
  /** A value of the field's type, several of them, two of them, text, or true or false. */
  readonly operand: 'value' | 'values' | 'pair' | 'text' | 'boolean'
  readonly toCondition: ToCondition
  /** What it means for a relation itself, whose values are ids; it does not apply to relations when absent. */
  readonly onRelation?: 'is' | 'isNot' | 'isMissing' | 'exists'
}

const equals: ToCondition = (filter) => {
  const { context, field } = filter
  if (filter.operand === null) return { kind: 'null', field, is: true }
  const values = fieldValues(filter)
  const [only] = values
  if (only !== undefined && values.length === 1) return compare(context, field, 'eq', only)
  const storable = values.flatMap((value) => storableValue(field, value) ?? [])
  return { kind: 'in', field, values: storable.map((value) => addValue(context, value)) }
}

const compares =
  (op: CompareOperator): ToCondition =>
  (filter) =>
    or(fieldValues(filter).map((value) => compare(filter.context, filter.field, op, value)))

const matchesText =
  (op: TextOperator, isFolded: boolean): ToCondition =>
  ({ context, field, operand, path }) =>
    or(
      operandStrings(context, operand, path).map((text) => ({
        kind: 'text',
        field,
        op,
        fold: isFolded,
        value: addValue(context, isFolded ? fold(text) : text),
      })),
    )

/** Numbers, booleans and instants have no letter case, but they can be written in several ways. */
const equalsIgnoringCase: ToCondition = (filter) => {
  const { family } = fieldType(filter.field)
  const hasLetterCase = family === 'text' || family === 'json'
  return hasLetterCase ? matchesText('eq', true)(filter) : equals(filter)
}

const between: ToCondition = (filter) => {
  const { context, field, path } = filter
  const [low, high, ...more] = fieldValues(filter)
  if (low === undefined || high === undefined || more.length > 0) {
    return refuseValue(context, path, 'expected exactly two values')
  }
  return {
    kind: 'and',
    all: [compare(context, field, 'gte', low), compare(context, field, 'lte', high)],
  }
}

const isNull =
  (is: boolean): ToCondition =>
  ({ context, field, operand, path }) => ({ kind: 'null', field, is: flag(context, operand, path) === is })

const not =
  (toCondition: ToCondition): ToCondition =>
  (filter) => ({ kind: 'not', of: toCondition(filter) })

export const operators = {
  $eq: { operand: 'value', toCondition: equals, onRelation: 'is' },
  $eqi: { operand: 'text', toCondition: equalsIgnoringCase },
  $ne: { operand: 'value', toCondition: not(equals), onRelation: 'isNot' },
  $nei: { operand: 'text', toCondition: not(equalsIgnoringCase) },
  $lt: { operand: 'value', toCondition: compares('lt') },
  $lte: { operand: 'value', toCondition: compares('lte') },
  $gt: { operand: 'value', toCondition: compares('gt') },
  $gte: { operand: 'value', toCondition: compares('gte') },
  $in: { operand: 'values', toCondition: equals, onRelation: 'is' },
  $notIn: { operand: 'values', toCondition: not(equals), onRelation: 'isNot' },
  $contains: { operand: 'text', toCondition: matchesText('contains', false) },
  $notContains: { operand: 'text', toCondition: not(matchesText('contains', false)) },
  $containsi: { operand: 'text', toCondition: matchesText('contains', true) },
  $notContainsi: { operand: 'text', toCondition: not(matchesText('contains', true)) },
  $startsWith: { operand: 'text', toCondition: matchesText('startsWith', false) },
  $startsWithi: { operand: 'text', toCondition: matchesText('startsWith', true) },
  $endsWith: { operand: 'text', toCondition: matchesText('endsWith', false) },
  $endsWithi: { operand: 'text', toCondition: matchesText('endsWith', true) },
  $between: { operand: 'pair', toCondition: between },
  $null: { operand: 'boolean', toCondition: isNull(true), onRelation: 'isMissing' },
  $notNull: { operand: 'boolean', toCondition: isNull(false), onRelation: 'exists' },
} as const satisfies Readonly<Record<string, Operator>>

export type OperatorName = keyof typeof operators

/** The operator with this name, or null when there is none. */
export const operatorOf = (name: string): Operator | null => (isOperatorName(name) ? operators[name] : null)

const isOperatorName = (name: string): name is OperatorName => Object.hasOwn(operators, name)

const or = (all: readonly Condition[]): Condition =>
  all.length === 1 && all[0] ? all[0] : { kind: 'or', all }

/** The operand as values of the field's type. */
const fieldValues = ({ context, field, operand, path }: FieldFilter): Stored[] =>
  operandStrings(context, operand, path).map((text) => {
    const parsed = fieldType(field).parseFilter(text)
    return parsed.ok ? parsed.value : refuseValue(context, path, parsed.message)
  })

/** The operand as a list of strings; a single value is a list of one. */
export function operandStrings(context: ParseContext, operand: Param, path: readonly string[]): string[] {
  const list = listOf(operand) ?? [operand]
  return list.map((item) => {
    if (typeof item === 'string') return item
    if (typeof item === 'number' || typeof item === 'boolean') return String(item)
    return refuseValue(context, path, 'expected a value')
  })
}

/** True or false; an empty value is false. */
export function flag(context: ParseContext, operand: Param, path: readonly string[]): boolean {
  const value = operand === '' ? false : parseBoolean(operand)
  return value ?? refuseValue(context, path, 'expected true or false')
}
