/** A dialog with a short form. What was typed stays when the server refuses it. */
import { Button, Group, Modal, type ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useSubmit } from '../shell/accounts/use-submit.ts'
import { texts } from '../texts.ts'
import styles from './dialogs.module.css'

interface FormDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly submit: string
  readonly size?: ModalProps['size']
  readonly isDisabled?: boolean
  /** Receives the texts of the fields by name; the dialog closes when it succeeds. */
  readonly onSubmit: (fields: (name: string) => string) => Promise<unknown>
  readonly children: ReactNode
}

export function FormDialog(props: FormDialogProps) {
  const { isOpen, onClose, title, size = 'md' } = props
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      {isOpen && <Form {...props} />}
    </Modal>
  )
}

function Form({ onClose, submit, isDisabled = false, onSubmit: work, children }: FormDialogProps) {
  const { onSubmit, error, isPending } = useSubmit(async (fields) => {
    await work(fields)
    onClose()
  })
  return (
    <form className={styles.form} onSubmit={onSubmit}>
      {children}
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      <Group justify="flex-end" gap={8} mt={8}>
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button type="submit" loading={isPending} disabled={isDisabled}>
          {submit}
        </Button>
      </Group>
    </form>
  )
}
