/** The folders in the one that is shown, page by page, and what can be done with each. */
import { ActionIcon, Button, Menu, Modal } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDots, IconFolder } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteFolder, type Folder, foldersQuery, moveFolder } from '../../api/media.ts'
import { messageOf } from '../../api/request.ts'
import { useMe } from '../../shell/me.tsx'
import { mediaTexts } from '../../texts/media.ts'
import { texts } from '../../texts.ts'
import mediaStyles from '../media.module.css'
import { childOf, parentOf } from '../media-search.ts'
import { FolderNameDialog } from './folder-name-dialog.tsx'
import styles from './folders.module.css'
import { MoveDialog } from './move-dialog.tsx'

interface FolderRowProps {
  readonly parent: string
  readonly onOpen: (path: string) => void
  /** Absent where folders are only looked through. */
  readonly onChanged?: () => void
}

export function FolderRow({ parent, onOpen, onChanged }: FolderRowProps) {
  const { permissions } = useMe()
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(foldersQuery(parent))
  const folders = data?.pages.flat() ?? []
  if (folders.length === 0) return null
  const mayChange = onChanged !== undefined && (permissions.upload.update || permissions.upload.create)
  return (
    <ul className={styles.folders} aria-label={mediaTexts.folder}>
      {folders.map((folder) => (
        <li key={folder.path} className={styles.folder}>
          <button type="button" className={styles.folderOpen} onClick={() => onOpen(folder.path)}>
            <IconFolder size={18} stroke={1.5} aria-hidden />
            <span className={mediaStyles.name}>{folder.name}</span>
            <span className={mediaStyles.note}>{mediaTexts.folderCount(folder.files, folder.folders)}</span>
          </button>
          {mayChange && <FolderMenu folder={folder} onChanged={onChanged} />}
        </li>
      ))}
      {hasNextPage && (
        <li>
          <Button
            size="xs"
            variant="default"
            loading={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            {mediaTexts.moreFolders}
          </Button>
        </li>
      )}
    </ul>
  )
}

function FolderMenu({ folder, onChanged }: { readonly folder: Folder; readonly onChanged: () => void }) {
  const [dialog, setDialog] = useState<'rename' | 'move' | 'delete' | null>(null)
  const close = () => setDialog(null)
  const parent = parentOf(folder.path)
  const { mutate, isPending } = useMutation({
    mutationFn: () => deleteFolder(folder.path),
    onSuccess: () => {
      close()
      onChanged()
    },
    onError: (error) => notifications.show({ color: 'red', message: messageOf(error) }),
  })
  const isEmpty = folder.files === 0 && folder.folders === 0
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={mediaTexts.folderMenu(folder.name)}>
            <IconDots size={16} stroke={1.5} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('rename')}>{mediaTexts.rename}</Menu.Item>
          <Menu.Item onClick={() => setDialog('move')}>{mediaTexts.move}</Menu.Item>
          <Menu.Item c="var(--danger)" onClick={() => setDialog('delete')}>
            {mediaTexts.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <FolderNameDialog
        title={mediaTexts.renameFolder}
        action={mediaTexts.rename}
        isOpen={dialog === 'rename'}
        initial={folder.name}
        onClose={close}
        onSubmit={async (name) => {
          await moveFolder(folder.path, childOf(parent, name))
          onChanged()
        }}
      />
      <MoveDialog
        title={mediaTexts.moveFolder(folder.name)}
        isOpen={dialog === 'move'}
        from={parent}
        moved={folder.path}
        onClose={close}
        onMove={async (to) => {
          await moveFolder(folder.path, childOf(to, folder.name))
          onChanged()
        }}
      />
      <Modal
        opened={dialog === 'delete'}
        onClose={close}
        title={mediaTexts.deleteFolder(folder.name)}
        closeButtonProps={{ 'aria-label': texts.close }}
      >
        {!isEmpty && (
          <p className={mediaStyles.dialogText}>
            {mediaTexts.deleteFolderText(parent === '/' ? mediaTexts.root : parent)}
          </p>
        )}
        <div className={mediaStyles.dialogActions}>
          <Button variant="default" onClick={close}>
            {texts.cancel}
          </Button>
          <Button color="red" loading={isPending} onClick={() => mutate()}>
            {mediaTexts.delete}
          </Button>
        </div>
      </Modal>
    </>
  )
}
