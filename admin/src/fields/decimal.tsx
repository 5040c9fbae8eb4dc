/** A decimal number. */
import { numberField } from './shared/number-field.tsx'

export const decimal = numberField(true)
