/** Edits a number. */
import { NumberInput as Input } from '@mantine/core'
import type { FieldProps } from '../field-type.ts'
import { useField } from '../shared/use-field.ts'

interface NumberInputProps extends FieldProps {
  readonly hasFraction: boolean
}

export default function NumberInput({ hasFraction, ...props }: NumberInputProps) {
  const { value, setValue, inputProps } = useField(props)
  return (
    <Input
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
}
