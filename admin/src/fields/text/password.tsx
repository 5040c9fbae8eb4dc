/** A password, which the server stores as a hash and never returns. */
import { PasswordInput } from '@mantine/core'
import { texts } from '../../texts.ts'
import type { FieldProps, FieldType } from '../field-type.ts'
import { useField } from '../shared/use-field.ts'
import { textOf } from './text-field.tsx'

function Edit(props: FieldProps) {
  const { value, setValue, inputProps } = useField(props)
  return (
    <PasswordInput
      description={texts.fields.passwordHint}
      {...inputProps}
      autoComplete="new-password"
      value={textOf(value)}
      onChange={(event) => setValue(event.currentTarget.value === '' ? null : event.currentTarget.value)}
    />
  )
}

export const password: FieldType = { Edit, summary: () => '', filter: null, isSortable: false, isWide: false }
