/** The label, help and error around an editor that is not a plain input. */
// biome-ignore-all lint/a11y/useSemanticElements: a fieldset cannot have its error beside its legend.
import { Input } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFieldError } from '../../form/hooks.ts'
import type { FieldProps } from '../field-type.ts'
import styles from './field-frame.module.css'
import { inputId } from './use-field.ts'

interface FieldFrameProps extends FieldProps {
  /** Beside the label, at the end of the line. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

export function FieldFrame({ path, attribute, label, help, aside, children }: FieldFrameProps) {
  const error = useFieldError(path)
  const id = inputId(path)
  return (
    <div role="group" aria-labelledby={`${id}-label`} id={id} tabIndex={-1}>
      <div className={styles.head}>
        <Input.Label
          component="div"
          id={`${id}-label`}
          required={attribute.required === true}
          labelElement="div"
        >
          {label}
        </Input.Label>
        {aside}
      </div>
      {help !== null && <Input.Description>{help}</Input.Description>}
      {children}
      {error !== undefined && (
        <Input.Error role="alert" className={styles.error}>
          {error}
        </Input.Error>
      )}
    </div>
  )
}
