/** A floating-point number. */
import { numberField } from './shared/number-field.tsx'

export const float = numberField(true)
