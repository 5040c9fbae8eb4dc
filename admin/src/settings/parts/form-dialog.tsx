/** A form in a dialog. What was typed stays when the server refuses it. */
import { Button, Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useSubmit } from '../../shell/accounts/use-submit.ts'
import { texts } from '../../texts.ts'
import styles from './parts.module.css'

interface FormDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  /** What the button says. */
  readonly label: string
  /** Receives the texts of the form's fields by name; the dialog closes when it succeeds. */
  readonly work: (field: (name: string) => string) => Promise<unknown>
  readonly size?: string
  readonly children: ReactNode
}

export function FormDialog({ isOpen, onClose, title, size, ...form }: FormDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      {...(size !== undefined && { size })}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      {isOpen && <DialogForm onClose={onClose} {...form} />}
    </Modal>
  )
}

function DialogForm({
  onClose,
  label,
  work,
  children,
}: Pick<FormDialogProps, 'onClose' | 'label' | 'work' | 'children'>) {
  const { onSubmit, error, isPending } = useSubmit(async (field) => {
    await work(field)
    onClose()
  })
  return (
    <form onSubmit={onSubmit} className={styles.form}>
      {children}
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button type="submit" loading={isPending}>
          {label}
        </Button>
      </Group>
    </form>
  )
}
