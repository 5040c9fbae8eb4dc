/** Text of several lines. */
import { Textarea } from '@mantine/core'
import type { FieldProps, FieldType } from '../field-type.ts'
import { textFilter } from '../shared/filters.ts'
import { useField } from '../shared/use-field.ts'
import { textOf } from './text-field.tsx'

function Edit(props: FieldProps) {
  const { value, setValue, inputProps } = useField(props)
  return (
    <Textarea
      {...inputProps}
      autosize
      minRows={3}
      maxRows={16}
      value={textOf(value)}
      onChange={(event) => setValue(event.currentTarget.value === '' ? null : event.currentTarget.value)}
    />
  )
}

export const text: FieldType = { Edit, summary: textOf, filter: textFilter, isSortable: true, isWide: true }
