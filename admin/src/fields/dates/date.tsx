/** A calendar date without a time. */
import { TextInput } from '@mantine/core'
import { formatDate } from '../../content/dates.ts'
import type { FieldProps, FieldType } from '../field-type.ts'
import { orderedFilter } from '../shared/filters.ts'
import { useField } from '../shared/use-field.ts'
import { textOf } from '../text/text-field.tsx'

function Edit(props: FieldProps) {
  const { value, setValue, inputProps } = useField(props)
  return (
    <TextInput
      {...inputProps}
      type="date"
      value={textOf(value)}
      onChange={(event) => setValue(event.currentTarget.value === '' ? null : event.currentTarget.value)}
    />
  )
}

export const date: FieldType = {
  Edit,
  summary: (value) => (typeof value === 'string' ? formatDate(value) : ''),
  filter: orderedFilter('date'),
  isSortable: true,
  isWide: false,
}
