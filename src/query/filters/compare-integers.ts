/** Compares integer columns with any number: with fractions, and with numbers that do not fit in the column. */
import type { Stored } from '../../model/scalar-type.ts'
import { fieldType } from '../../plan/field-type.ts'
import type { CompareOperator, Condition, Field } from '../../plan/query-tree.ts'
import { addValue, type ParseContext } from '../parse-context.ts'

const MIN = -(2n ** 63n)
const MAX = 2n ** 63n - 1n

interface Floor {
  /** The largest integer that is not above the number; infinite when the number is. */
  readonly floor: bigint | number
  readonly isInteger: boolean
}

function floorOf(value: Stored): Floor {
  if (typeof value === 'bigint') return { floor: value, isInteger: true }
  const number = Number(value)
  return Number.isFinite(number)
    ? { floor: BigInt(Math.floor(number)), isInteger: Number.isInteger(number) }
    : { floor: number, isInteger: false }
}

/** The value as the column of a field could store it, or null when it could not. */
export function storableValue(field: Field, value: Stored): Stored | null {
  if (!fieldType(field).isInteger) return value
  const { floor, isInteger } = floorOf(value)
  if (!isInteger || floor < MIN || floor > MAX) return null
  return Number.isSafeInteger(Number(floor)) ? Number(floor) : floor
}

/** A comparison. A number that the column cannot store is replaced by its neighbour, or is beyond every stored value. */
export function compare(context: ParseContext, field: Field, op: CompareOperator, value: Stored): Condition {
  const storable = storableValue(field, value)
  if (storable !== null) return { kind: 'compare', field, op, value: addValue(context, storable) }
  const none: Condition = { kind: 'in', field, values: [] }
  if (op === 'eq') return none
  const isLowerBound = op === 'gt' || op === 'gte'
  const { floor } = floorOf(value)
  if (floor >= MIN && floor <= MAX)
    return {
      kind: 'compare',
      field,
      op: isLowerBound ? 'gt' : 'lte',
      value: addValue(context, BigInt(floor)),
    }
  return floor < MIN === isLowerBound ? { kind: 'not', of: none } : none
}
