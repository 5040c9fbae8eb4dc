/** Asks what to duplicate, when a document has unsaved changes. */
import { Button, Group, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import dialogs from '../../../parts/dialogs.module.css'
import { texts } from '../../../texts.ts'

interface DuplicateDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Null for those who may not save. */
  readonly onSaveFirst: (() => Promise<unknown>) | null
  readonly onDuplicate: () => Promise<unknown>
}

export function DuplicateDialog({ isOpen, onClose, onSaveFirst, onDuplicate }: DuplicateDialogProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: (task: () => Promise<unknown>) => task(),
    onSettled: onClose,
  })
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={texts.edit.duplicateTitle}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <div className={dialogs.text}>{texts.edit.duplicateText}</div>
      <Group justify="flex-end" gap={8} mt={20}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {texts.cancel}
        </Button>
        <Button variant="default" loading={isPending} onClick={() => mutate(onDuplicate)}>
          {texts.edit.duplicateSaved}
        </Button>
        {onSaveFirst && (
          <Button loading={isPending} onClick={() => mutate(onSaveFirst)}>
            {texts.edit.saveAndDuplicate}
          </Button>
        )}
      </Group>
    </Modal>
  )
}
