/** An integer. */
import { numberField } from './shared/number-field.tsx'

export const integer = numberField(false)
