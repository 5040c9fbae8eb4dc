/** A floating-point number. */
import { numberField } from './number-field.tsx'

export const float = numberField(true)
