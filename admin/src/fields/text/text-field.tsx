/** Builds the types whose value is one line of text. */
import { TextInput } from '@mantine/core'
import type { HTMLInputTypeAttribute } from 'react'
import type { FieldProps, FieldType } from '../field-type.ts'
import { textFilter } from '../shared/filters.ts'
import { useField } from '../shared/use-field.ts'

export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

interface TextOptions {
  readonly type?: HTMLInputTypeAttribute
  readonly inputMode?: 'email' | 'numeric' | 'text'
}

/** An empty input counts as no value. */
export const textField = ({ type = 'text', inputMode = 'text' }: TextOptions = {}): FieldType => ({
  Edit: function TextEdit(props: FieldProps) {
    const { value, setValue, inputProps } = useField(props)
    return (
      <TextInput
        {...inputProps}
        type={type}
        inputMode={inputMode}
        value={textOf(value)}
        onChange={(event) => setValue(event.currentTarget.value === '' ? null : event.currentTarget.value)}
      />
    )
  },
  summary: textOf,
  filter: textFilter,
  isSortable: true,
  isWide: false,
})
