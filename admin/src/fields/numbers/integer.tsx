/** An integer. */
import { numberField } from './number-field.tsx'

export const integer = numberField(false)
