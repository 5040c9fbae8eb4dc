/** Asks before changes to a file are lost. */
import { Button, Modal } from '@mantine/core'
import { mediaTexts } from '../../texts/media.ts'
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
      title={mediaTexts.unsaved}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <div className={styles.dialogActions}>
        <Button variant="default" onClick={onDiscard}>
          {mediaTexts.discard}
        </Button>
        <Button onClick={onKeep} data-autofocus>
          {mediaTexts.keepEditing}
        </Button>
      </div>
    </Modal>
  )
}
