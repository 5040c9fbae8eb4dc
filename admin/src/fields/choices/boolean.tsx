/** Yes or no. */
import { Switch } from '@mantine/core'
import { texts } from '../../texts.ts'
import type { FieldProps, FieldType } from '../field-type.ts'
import { equalityFilter } from '../shared/filters.ts'
import { useField } from '../shared/use-field.ts'

function Edit(props: FieldProps) {
  const { value, setValue, inputProps } = useField(props)
  const {
    placeholder: _placeholder,
    readOnly: _readOnly,
    withAsterisk: _withAsterisk,
    ...switchProps
  } = inputProps
  return (
    <Switch
      {...switchProps}
      checked={value === true}
      onChange={(event) => setValue(event.currentTarget.checked)}
      data-boolean-field
    />
  )
}

export const boolean: FieldType = {
  Edit,
  summary: (value) => (typeof value === 'boolean' ? (value ? texts.yes : texts.no) : ''),
  filter: equalityFilter('boolean'),
  isSortable: true,
  isWide: false,
}
