/** One of a list of values. */
import { Select } from '@mantine/core'
import type { FieldProps, FieldType } from '../field-type.ts'
import { equalityFilter } from '../shared/filters.ts'
import { useField } from '../shared/use-field.ts'
import { textOf } from '../text/text-field.tsx'

/** Longer lists can be searched. */
const SEARCHABLE_FROM = 9

function Edit(props: FieldProps) {
  const { value, setValue, inputProps } = useField(props)
  const choices = props.attribute.enum ?? []
  return (
    <Select
      {...inputProps}
      data={[...choices]}
      value={typeof value === 'string' ? value : null}
      onChange={setValue}
      clearable={props.attribute.required !== true && !props.isReadOnly}
      searchable={choices.length >= SEARCHABLE_FROM}
    />
  )
}

export const enumeration: FieldType = {
  Edit,
  summary: textOf,
  filter: equalityFilter('choice'),
  isSortable: true,
  isWide: false,
}
