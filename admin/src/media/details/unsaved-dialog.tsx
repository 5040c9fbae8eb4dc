/** Asks before changes to a file are lost. */
import { Button, Modal } from '@mantine/core'
import { texts } from '../../texts.ts'
import styles from '../media.module.css'

interface UnsavedDialogProps {
  readonly isOpen: boolean
  readonly onKeep: () => void
  readonly onDiscard: () => void
}

export function UnsavedDialog({ isOpen, onKeep, onDiscard }: UnsavedDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onKeep}
      title={texts.media.unsaved}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <div className={styles.dialogActions}>
        <Button variant="default" onClick={onDiscard}>
          {texts.media.discard}
        </Button>
        <Button onClick={onKeep} data-autofocus>
          {texts.media.keepEditing}
        </Button>
      </div>
    </Modal>
  )
}
