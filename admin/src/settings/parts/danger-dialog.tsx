/** Asks before something is done that cannot be undone, one of several actions of a screen. */
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'

export interface Confirmation {
  readonly title: string
  /** What is lost. */
  readonly text: string
  /** What the button says: the action, not "OK". */
  readonly label: string
  readonly act: () => Promise<unknown>
}

interface DangerDialogProps {
  readonly confirmation: Confirmation | null
  readonly onClose: () => void
}

export function DangerDialog({ confirmation, onClose }: DangerDialogProps) {
  return (
    <ConfirmDialog
      isOpen={confirmation !== null}
      onClose={onClose}
      title={confirmation?.title ?? ''}
      confirm={confirmation?.label ?? ''}
      isDangerous
      onConfirm={async () => confirmation?.act()}
    >
      {confirmation?.text}
    </ConfirmDialog>
  )
}
