/** Asks before something is done that cannot be taken back easily, and shows why it failed if it does. */
import { Button, Group, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../api/request.ts'
import { texts } from '../texts.ts'
import styles from './dialogs.module.css'

interface ConfirmDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  /** What happens, and what is lost. */
  readonly children: ReactNode
  readonly confirm: string
  readonly isDangerous?: boolean
  readonly onConfirm: () => Promise<unknown>
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onClose, title } = props
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': texts.close }}>
      {isOpen && <Question {...props} />}
    </Modal>
  )
}

function Question({ onClose, children, confirm, isDangerous = false, onConfirm }: ConfirmDialogProps) {
  const { mutate, isPending, error } = useMutation({ mutationFn: onConfirm, onSuccess: onClose })
  return (
    <>
      <div className={styles.text}>{children}</div>
      {error && (
        <p className={styles.error} role="alert">
          {messageOf(error)}
        </p>
      )}
      <Group justify="flex-end" gap={8} mt={20}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {texts.cancel}
        </Button>
        <Button {...(isDangerous && { color: 'red' })} loading={isPending} onClick={() => mutate()}>
          {confirm}
        </Button>
      </Group>
    </>
  )
}
