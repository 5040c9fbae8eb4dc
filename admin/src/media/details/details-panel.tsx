/** The details of a file: its texts, where it is used, and what can be done with it. */
import { Drawer } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
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
  const [isDirty, setIsDirty] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  const close = () => {
    setIsAsking(false)
    setIsDirty(false)
    onClose()
  }
  return (
    <>
      <Drawer
        opened={id !== null}
        onClose={() => (isDirty ? setIsAsking(true) : close())}
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
              close()
              onChanged()
            }}
            onOpenFolder={(path) => {
              close()
              onOpenFolder(path)
            }}
          />
        ) : error ? (
          <ScreenError error={error} reset={() => void refetch()} />
        ) : (
          <Loading />
        )}
      </Drawer>
      <UnsavedDialog isOpen={isAsking} onKeep={() => setIsAsking(false)} onDiscard={close} />
    </>
  )
}
