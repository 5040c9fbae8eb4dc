/** What can be done with the selected files. */
import { ActionIcon, Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { moveFiles } from '../../api/media.ts'
import type { MediaFile } from '../../api/types.ts'
import { useMe } from '../../shell/me.tsx'
import { mediaTexts } from '../../texts/media.ts'
import { DeleteFilesDialog } from '../details/delete-files-dialog.tsx'
import { MoveDialog } from '../folders/move-dialog.tsx'
import styles from '../media.module.css'

interface SelectionBarProps {
  readonly files: readonly MediaFile[]
  readonly folder: string
  readonly onClear: () => void
  readonly onDone: () => void
}

export function SelectionBar({ files, folder, onClear, onDone }: SelectionBarProps) {
  const { permissions } = useMe()
  const [dialog, setDialog] = useState<'move' | 'delete' | null>(null)
  const close = () => setDialog(null)
  const count = files.length
  return (
    <>
      <div className={styles.bar} role="toolbar" aria-label={mediaTexts.selected(count)}>
        <span className={styles.barCount}>{mediaTexts.selected(count)}</span>
        {permissions.upload.update && (
          <Button size="xs" variant="default" onClick={() => setDialog('move')}>
            {mediaTexts.move}
          </Button>
        )}
        {permissions.upload.delete && (
          <Button size="xs" variant="default" c="var(--danger)" onClick={() => setDialog('delete')}>
            {mediaTexts.delete}
          </Button>
        )}
        <ActionIcon onClick={onClear} aria-label={mediaTexts.clearSelection}>
          <IconX size={16} stroke={1.5} />
        </ActionIcon>
      </div>
      <MoveDialog
        title={mediaTexts.moveFiles(count)}
        isOpen={dialog === 'move'}
        from={folder}
        onClose={close}
        onMove={async (to) => {
          await moveFiles(
            files.map(({ documentId }) => documentId),
            to,
          )
          notifications.show({ message: mediaTexts.moved(count, to) })
          onDone()
        }}
      />
      <DeleteFilesDialog files={dialog === 'delete' ? files : []} onClose={close} onDeleted={onDone} />
    </>
  )
}
