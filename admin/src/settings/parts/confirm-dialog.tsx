/** Asks before something is done that cannot be undone, and says what is lost. */
import { Button, Group, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../api/request.ts'
import { texts } from '../../texts.ts'
import styles from './parts.module.css'

export interface Confirmation {
  readonly title: string
  readonly text: string
  /** What the button says: the action, not "OK". */
  readonly label: string
  readonly act: () => Promise<unknown>
}

interface ConfirmDialogProps {
  readonly confirmation: Confirmation | null
  readonly onClose: () => void
}

export function ConfirmDialog({ confirmation, onClose }: ConfirmDialogProps) {
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: async () => confirmation?.act(),
    onSuccess: onClose,
  })
  const close = () => {
    reset()
    onClose()
  }
  return (
    <Modal
      opened={confirmation !== null}
      onClose={close}
      title={confirmation?.title}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <p className={styles.dialogText}>{confirmation?.text}</p>
      {error && (
        <p className={styles.error} role="alert">
          {messageOf(error)}
        </p>
      )}
      <Group justify="flex-end" mt={20}>
        <Button variant="default" onClick={close}>
          {texts.cancel}
        </Button>
        <Button color="red" loading={isPending} onClick={() => mutate()}>
          {confirmation?.label}
        </Button>
      </Group>
    </Modal>
  )
}
