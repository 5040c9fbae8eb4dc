/** The name of an operator, which depends on what it compares: a number is more than another one, a date after it. */
import type { Operator } from '../fields/field-type.ts'
import { texts } from '../texts.ts'
import type { Filterable } from './filterable.ts'

const TIMES: ReadonlySet<unknown> = new Set(['date', 'datetime-local', 'time'])

export function operatorText(operator: Operator, filterable: Filterable | undefined): string {
  const ofTimes: Partial<Record<Operator, string>> = TIMES.has(filterable?.filter.input)
    ? texts.timeOperators
    : {}
  return ofTimes[operator] ?? texts.operators[operator]
}
