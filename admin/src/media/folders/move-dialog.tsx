/** Chooses the folder that files or a folder are moved to, one level at a time. */
import { Button, Modal } from '@mantine/core'
import { IconFolder } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { foldersQuery } from '../../api/media.ts'
import { messageOf } from '../../api/request.ts'
import { Loading } from '../../shell/states.tsx'
import { mediaTexts } from '../../texts/media.ts'
import { texts } from '../../texts.ts'
import mediaStyles from '../media.module.css'
import { pathTo } from '../media-search.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import styles from './folders.module.css'

interface MoveDialogProps {
  readonly title: string
  readonly isOpen: boolean
  /** The folder that they are in. */
  readonly from: string
  /** The folder that is moved, which cannot be moved into itself. */
  readonly moved?: string
  readonly onClose: () => void
  /** Throws what the server refuses. */
  readonly onMove: (to: string) => Promise<void>
}

export function MoveDialog({ title, isOpen, onClose, ...rest }: MoveDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': texts.close }}>
      <Content onClose={onClose} {...rest} />
    </Modal>
  )
}

function Content({ from, moved, onClose, onMove }: Omit<MoveDialogProps, 'title' | 'isOpen'>) {
  const [folder, setFolder] = useState(from)
  const [error, setError] = useState<string | null>(null)
  const [isMoving, setIsMoving] = useState(false)
  useEffect(() => setFolder(from), [from])
  const { data, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    foldersQuery(folder),
  )
  const folders = (data?.pages.flat() ?? []).filter(({ path }) => path !== moved)
  const move = async () => {
    setIsMoving(true)
    try {
      await onMove(folder)
      onClose()
    } catch (failure) {
      setError(messageOf(failure))
    }
    setIsMoving(false)
  }
  return (
    <>
      <Breadcrumbs folder={folder} onOpen={setFolder} />
      <ul className={styles.targets}>
        {folders.map(({ path, name }) => (
          <li key={path}>
            <button type="button" className={styles.target} onClick={() => setFolder(path)}>
              <IconFolder size={16} stroke={1.5} aria-hidden />
              {name}
            </button>
          </li>
        ))}
        {isPending && <Loading />}
        {!isPending && folders.length === 0 && <li className={styles.none}>{mediaTexts.noFolders}</li>}
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
      {error !== null && (
        <p role="alert" className={mediaStyles.problem}>
          {error}
        </p>
      )}
      <div className={mediaStyles.dialogActions}>
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button loading={isMoving} disabled={folder === from} onClick={() => void move()}>
          {mediaTexts.moveHere(pathTo(folder).at(-1)?.name ?? mediaTexts.root)}
        </Button>
      </div>
    </>
  )
}
