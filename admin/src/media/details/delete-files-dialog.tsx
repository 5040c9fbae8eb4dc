/** Deletes files after showing which documents use them. */
import { Button, Group, Modal } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueries } from '@tanstack/react-query'
import { useRef } from 'react'
import { deleteFiles, type FileUse, fileUsesQuery } from '../../api/media.ts'
import { messageOf } from '../../api/request.ts'
import type { MediaFile } from '../../api/types.ts'
import { mediaTexts } from '../../texts/media.ts'
import { texts } from '../../texts.ts'
import styles from '../media.module.css'
import { UseList } from './use-list.tsx'

interface DeleteFilesDialogProps {
  /** Open while there are any. */
  readonly files: readonly MediaFile[]
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** Of more files than this, the uses are not looked up before deleting: the server would be asked too often. */
const CHECKED_FILES = 30

export function DeleteFilesDialog({ files, onClose, onDeleted }: DeleteFilesDialogProps) {
  // Kept while the dialog closes.
  const latest = useRef(files)
  if (files.length > 0) latest.current = files
  const count = latest.current.length
  const uses = useQueries({
    queries: files.slice(0, CHECKED_FILES).map(({ documentId }) => fileUsesQuery(documentId)),
  })
  const documents = distinct(uses.flatMap(({ data }) => data ?? []))
  const isChecking = uses.some(({ isPending }) => isPending)
  const unchecked = uses.find(({ isError }) => isError)?.error
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => deleteFiles(files.map(({ documentId }) => documentId)),
    onSuccess: () => {
      notifications.show({ message: mediaTexts.deleted(count) })
      onClose()
      onDeleted()
    },
  })
  return (
    <Modal
      opened={files.length > 0}
      onClose={() => {
        reset()
        onClose()
      }}
      title={mediaTexts.deleteTitle(latest.current.map(({ name }) => name))}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <p className={styles.dialogText}>{mediaTexts.deleteText}</p>
      {!isChecking &&
        (documents.length > 0 ? (
          <div className={styles.warning} role="alert">
            <b>{mediaTexts.deleteUsed(documents.length)}</b>
            <UseList uses={documents} />
          </div>
        ) : (
          !unchecked && (
            <p className={styles.dialogText}>
              {count > CHECKED_FILES ? mediaTexts.deleteFirstUnused(CHECKED_FILES) : mediaTexts.deleteUnused}
            </p>
          )
        ))}
      {(error ?? unchecked) && (
        <p role="alert" className={styles.problem}>
          {error ? messageOf(error) : mediaTexts.deleteUnchecked(messageOf(unchecked))}
        </p>
      )}
      <Group justify="flex-end" mt={20}>
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button color="red" loading={isPending || isChecking} onClick={() => mutate()}>
          {mediaTexts.delete}
        </Button>
      </Group>
    </Modal>
  )
}

const distinct = (uses: readonly FileUse[]): readonly FileUse[] => [
  ...new Map(uses.map((use) => [`${use.type} ${use.documentId} ${use.locale}`, use])).values(),
]
