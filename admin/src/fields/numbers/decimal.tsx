/** A decimal number. */
import { numberField } from './number-field.tsx'

export const decimal = numberField(true)
