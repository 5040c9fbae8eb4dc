/** Columns of whole numbers, compared with any number: between the whole numbers, or beyond what a column can hold. */
import type { Stored } from '../../model/scalar-type.ts'
import { fieldType } from '../../plan/field-type.ts'
import type { CompareOperator, Condition, Field } from '../../plan/query-tree.ts'
import { addValue, type ParseContext } from '../parse-context.ts'

const LEAST = -(2n ** 63n)
const GREATEST = 2n ** 63n - 1n

/** A number as whole numbers see it. */
interface Seen {
  /** The largest whole number that is not above it; infinite when it is. */
  readonly floor: bigint | number
  readonly isWhole: boolean
}

function seen(value: Stored): Seen {
  if (typeof value === 'bigint') return { floor: value, isWhole: true }
  const number = Number(value)
  return Number.isFinite(number)
    ? { floor: BigInt(Math.floor(number)), isWhole: Number.isInteger(number) }
    : { floor: number, isWhole: false }
}

/** The value as a column of the field could hold it, or null when none could. */
export function storableValue(field: Field, value: Stored): Stored | null {
  if (!fieldType(field).isInteger) return value
  const { floor, isWhole } = seen(value)
  if (!isWhole || floor < LEAST || floor > GREATEST) return null
  return Number.isSafeInteger(Number(floor)) ? Number(floor) : floor
}

/** Compares; what no column holds is compared through its neighbour, or is beyond all of them. */
export function compare(context: ParseContext, field: Field, op: CompareOperator, value: Stored): Condition {
  const known = storableValue(field, value)
  if (known !== null) return { kind: 'compare', field, op, value: addValue(context, known) }
  const none: Condition = { kind: 'in', field, values: [] }
  if (op === 'eq') return none
  const asksAbove = op === 'gt' || op === 'gte'
  const { floor } = seen(value)
  if (floor >= LEAST && floor <= GREATEST)
    return { kind: 'compare', field, op: asksAbove ? 'gt' : 'lte', value: addValue(context, BigInt(floor)) }
  return floor < LEAST === asksAbove ? { kind: 'not', of: none } : none
}
