/** Edits text of several lines. */
import { Textarea } from '@mantine/core'
import type { FieldProps } from '../field-type.ts'
import { useField } from '../shared/use-field.ts'
import { textOf } from './text-field.tsx'

export default function TextArea(props: FieldProps) {
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
