/** Builds the types whose value is a number. */
import { TextInput } from '@mantine/core'
import type { FieldProps, FieldType } from '../field-type.ts'
import { orderedFilter } from '../shared/filters.ts'
import { useField } from '../shared/use-field.ts'
import { textOf } from '../text/text-field.tsx'
import { formatNumber } from './format-number.ts'
import { numberIn } from './number-in.ts'

export const numberField = (hasFraction: boolean): FieldType => ({
  Edit: function NumberEdit(props: FieldProps) {
    const { value, setValue, inputProps } = useField(props)
    return (
      <TextInput
        {...inputProps}
        inputMode={hasFraction ? 'decimal' : 'numeric'}
        value={textOf(value)}
        onChange={(event) => {
          const next = numberIn(event.currentTarget.value, hasFraction)
          if (next !== undefined) setValue(next)
        }}
      />
    )
  },
  summary: (value) =>
    typeof value === 'number' ? formatNumber(value) : typeof value === 'string' ? value : '',
  filter: orderedFilter('number'),
  isSortable: true,
  isWide: false,
})
