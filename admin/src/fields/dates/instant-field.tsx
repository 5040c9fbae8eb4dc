/** Builds the types whose value is a point in time, entered in the time zone of the browser. */
import { TextInput } from '@mantine/core'
import { formatInstant } from '../../content/dates.ts'
import type { FieldProps, FieldType } from '../field-type.ts'
import { orderedFilter } from '../shared/filters.ts'
import { useField } from '../shared/use-field.ts'
import { fromLocal, toLocal } from './local-instant.ts'

export const instantField: FieldType = {
  Edit: function InstantEdit(props: FieldProps) {
    const { value, setValue, inputProps } = useField(props)
    return (
      <TextInput
        {...inputProps}
        type="datetime-local"
        step="any"
        value={typeof value === 'string' ? toLocal(value) : ''}
        onChange={(event) => setValue(fromLocal(event.currentTarget.value))}
      />
    )
  },
  summary: (value) => (typeof value === 'string' ? formatInstant(value) : ''),
  filter: orderedFilter('datetime-local'),
  isSortable: true,
  isWide: false,
}
