/** Builds the types whose value is a number. */
import { NumberInput } from '@mantine/core'
import type { FieldProps, FieldType } from '../field-type.ts'
import { orderedFilter } from '../shared/filters.ts'
import { useField } from '../shared/use-field.ts'

export const numberField = (hasFraction: boolean): FieldType => ({
  Edit: function NumberEdit(props: FieldProps) {
    const { value, setValue, inputProps } = useField(props)
    return (
      <NumberInput
        {...inputProps}
        value={typeof value === 'number' || typeof value === 'string' ? value : ''}
        // A number that is not complete yet, or too long, is a string; the server says what is wrong with it.
        onChange={(next) => setValue(next === '' ? null : next)}
        allowDecimal={hasFraction}
        // The server checks the bounds: changing what was typed would be surprising.
        clampBehavior="none"
        hideControls
      />
    )
  },
  summary: (value) =>
    typeof value === 'number' ? value.toLocaleString() : typeof value === 'string' ? value : '',
  filter: orderedFilter('number'),
  isSortable: true,
  isWide: false,
})
