/** A form with one button, and the error of the last attempt above it. */
import { Button } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import styles from './accounts.module.css'

interface SubmitFormProps {
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
  readonly error: string | null
  readonly isPending: boolean
  readonly label: string
  readonly isQuiet?: boolean
  readonly children: ReactNode
}

export function SubmitForm({
  onSubmit,
  error,
  isPending,
  label,
  isQuiet = false,
  children,
}: SubmitFormProps) {
  return (
    <form className={styles.form} onSubmit={onSubmit}>
      {children}
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      <Button
        type="submit"
        loading={isPending}
        variant={isQuiet ? 'default' : 'filled'}
        fullWidth={!isQuiet}
        {...(isQuiet && { className: styles.quiet })}
      >
        {label}
      </Button>
    </form>
  )
}
