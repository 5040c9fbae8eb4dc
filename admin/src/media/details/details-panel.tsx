/** The details of a file: its texts, where it is used, and what can be done with it. */
import { Drawer } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useCallback, useRef } from 'react'
import { fileQuery } from '../../api/media.ts'
import { Loading, ScreenError } from '../../shell/states.tsx'
import { mediaTexts } from '../../texts/media.ts'
import { texts } from '../../texts.ts'
import { FileDetails } from './file-details.tsx'
import { UnsavedDialog } from './unsaved-dialog.tsx'

interface DetailsPanelProps {
  /** Of the file; null while the panel is closed. */
  readonly id: string | null
  readonly onClose: () => void
  readonly onChanged: () => void
  readonly onOpenFolder: (path: string) => void
}

export function DetailsPanel({ id, onClose, onChanged, onOpenFolder }: DetailsPanelProps) {
  const { data, error, refetch } = useQuery({ ...fileQuery(id ?? ''), enabled: id !== null })
  const isDirty = useRef(false)
  const setIsDirty = useCallback((dirty: boolean) => {
    isDirty.current = dirty
  }, [])
  // The close button, the back button of the browser and the command palette all leave the address of the file.
  const leaving = useBlocker({
    shouldBlockFn: () => isDirty.current,
    enableBeforeUnload: () => isDirty.current,
    withResolver: true,
  })
  return (
    <>
      <Drawer
        opened={id !== null}
        onClose={onClose}
        position="right"
        size={464}
        title={mediaTexts.details}
        closeButtonProps={{ 'aria-label': texts.close }}
      >
        {data && data.documentId === id ? (
          <FileDetails
            key={data.documentId}
            file={data}
            onDirty={setIsDirty}
            onChanged={onChanged}
            onDeleted={() => {
              setIsDirty(false)
              onClose()
              onChanged()
            }}
            onOpenFolder={onOpenFolder}
          />
        ) : error ? (
          <ScreenError error={error} reset={() => void refetch()} />
        ) : (
          <Loading />
        )}
      </Drawer>
      <UnsavedDialog
        isOpen={leaving.status === 'blocked'}
        onKeep={() => leaving.reset?.()}
        onDiscard={() => {
          setIsDirty(false)
          leaving.proceed?.()
        }}
      />
    </>
  )
}
