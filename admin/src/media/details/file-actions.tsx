/** What can be done with one file: crop, replace, move and delete. */
import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCrop, IconFolderSymlink, IconReplace, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { isImage, moveFiles, uploadFile } from '../../api/media.ts'
import { messageOf } from '../../api/request.ts'
import type { MediaFile } from '../../api/types.ts'
import { useMe } from '../../shell/me.tsx'
import { mediaTexts } from '../../texts/media.ts'
import { MoveDialog } from '../folders/move-dialog.tsx'
import { DeleteFilesDialog } from './delete-files-dialog.tsx'
import styles from './details.module.css'

const ImageEditor = lazy(() => import('../image/image-editor.tsx'))

interface FileActionsProps {
  readonly file: MediaFile
  readonly mayChange: boolean
  readonly onChanged: () => void
  readonly onDeleted: () => void
}

export function FileActions({ file, mayChange, onChanged, onDeleted }: FileActionsProps) {
  const { permissions } = useMe()
  const [dialog, setDialog] = useState<'edit' | 'move' | 'delete' | null>(null)
  const [isReplacing, setIsReplacing] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const close = () => setDialog(null)
  const folder = file.__meta?.folder
  const replace = async (chosen: File) => {
    setIsReplacing(true)
    try {
      await uploadFile(chosen, { replaces: file.documentId })
      notifications.show({ message: mediaTexts.replaced })
      onChanged()
    } catch (error) {
      notifications.show({ color: 'red', title: chosen.name, message: messageOf(error), autoClose: 8_000 })
    }
    setIsReplacing(false)
  }
  return (
    <div className={styles.buttons}>
      {mayChange && isImage(file) && file.width !== null && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconCrop size={14} stroke={1.5} />}
          onClick={() => setDialog('edit')}
        >
          {mediaTexts.editImage}
        </Button>
      )}
      {mayChange && (
        <>
          <Button
            size="xs"
            variant="default"
            loading={isReplacing}
            leftSection={<IconReplace size={14} stroke={1.5} />}
            onClick={() => input.current?.click()}
          >
            {mediaTexts.replace}
          </Button>
          <input
            ref={input}
            type="file"
            hidden
            aria-label={mediaTexts.replace}
            onChange={(event) => {
              const [chosen] = event.currentTarget.files ?? []
              event.currentTarget.value = ''
              if (chosen) void replace(chosen)
            }}
          />
        </>
      )}
      {mayChange && folder !== undefined && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconFolderSymlink size={14} stroke={1.5} />}
          onClick={() => setDialog('move')}
        >
          {mediaTexts.move}
        </Button>
      )}
      {permissions.upload.delete && (
        <Button
          size="xs"
          variant="default"
          c="var(--danger)"
          leftSection={<IconTrash size={14} stroke={1.5} />}
          onClick={() => setDialog('delete')}
        >
          {mediaTexts.delete}
        </Button>
      )}
      {dialog === 'edit' && (
        <Suspense fallback={null}>
          <ImageEditor file={file} onClose={close} onChanged={onChanged} />
        </Suspense>
      )}
      <MoveDialog
        title={mediaTexts.moveFiles(1)}
        isOpen={dialog === 'move'}
        from={folder ?? '/'}
        onClose={close}
        onMove={async (to) => {
          await moveFiles([file.documentId], to)
          notifications.show({ message: mediaTexts.moved(1, to) })
          onChanged()
        }}
      />
      <DeleteFilesDialog files={dialog === 'delete' ? [file] : []} onClose={close} onDeleted={onDeleted} />
    </div>
  )
}
