/** An integer with any number of digits, which is a string in JSON. */
import type { FieldType } from '../field-type.ts'
import { orderedFilter } from '../shared/filters.ts'
import { textField } from '../text/text-field.tsx'

export const biginteger: FieldType = { ...textField({ inputMode: 'numeric' }), filter: orderedFilter('text') }
