/** Connects an input to its value in the form, with its label, help and error. */
import { useFieldError, useValue } from '../../form/hooks.ts'
import type { FieldProps } from '../field-type.ts'

/** The properties that every input takes, and the value with its setter. */
export function useField({ path, attribute, label, help, placeholder, isReadOnly }: FieldProps) {
  const [value, setValue] = useValue(path)
  const error = useFieldError(path)
  return {
    value,
    setValue,
    inputProps: {
      id: inputId(path),
      label,
      ...(help !== null && { description: help }),
      ...(placeholder !== null && { placeholder }),
      ...(error !== undefined && { error }),
      withAsterisk: attribute.required === true,
      readOnly: isReadOnly,
      disabled: isReadOnly,
    },
  }
}

/** The id of the input at a path, which the list of problems jumps to. */
export const inputId = (path: string) => `field-${path}`
