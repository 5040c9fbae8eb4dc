/** Chooses files of the media library. */
import { Button, Modal, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { filesQuery } from '../../api/media.ts'
import { messageOf } from '../../api/request.ts'
import type { AttributeView, MediaFile } from '../../api/types.ts'
import { Loading } from '../../shell/states.tsx'
import { texts } from '../../texts.ts'
import { isAllowed } from './files.ts'
import styles from './media.module.css'
import { describeFile, FileThumbnail } from './media-input.tsx'

interface MediaPickerProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly attribute: AttributeView
  readonly onPick: (files: readonly MediaFile[]) => void
}

export function MediaPicker({ isOpen, onClose, attribute, onPick }: MediaPickerProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={texts.fields.library}
      size={860}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <PickerContent
        attribute={attribute}
        onPick={(files) => {
          onPick(files)
          onClose()
        }}
      />
    </Modal>
  )
}

function PickerContent({ attribute, onPick }: Pick<MediaPickerProps, 'attribute' | 'onPick'>) {
  const [term, setTerm] = useState('')
  const [searched] = useDebouncedValue(term.trim(), 200)
  const [picked, setPicked] = useState<readonly MediaFile[]>([])
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    filesQuery(searched),
  )
  const files = (data?.pages.flat() ?? []).filter((file) => isAllowed(attribute, file))
  const toggle = (file: MediaFile) => {
    if (attribute.multiple !== true) return onPick([file])
    setPicked((current) =>
      current.some(({ id }) => id === file.id)
        ? current.filter(({ id }) => id !== file.id)
        : [...current, file],
    )
  }
  return (
    <>
      <TextInput
        value={term}
        onChange={(event) => setTerm(event.currentTarget.value)}
        placeholder={texts.fields.searchFiles}
        aria-label={texts.fields.searchFiles}
        leftSection={<IconSearch size={15} stroke={1.5} />}
        data-autofocus
      />
      {error && <p role="alert">{messageOf(error)}</p>}
      {isPending && <Loading />}
      {!isPending && files.length === 0 && <p className={styles.none}>{texts.fields.noFiles}</p>}
      <ul className={styles.grid}>
        {files.map((file) => (
          <li key={file.id}>
            <button
              type="button"
              className={styles.tile}
              aria-pressed={picked.some(({ id }) => id === file.id)}
              onClick={() => toggle(file)}
            >
              <FileThumbnail file={file} />
              <span className={styles.tileName}>{file.name}</span>
              <span className={styles.tileSize}>{describeFile(file)}</span>
            </button>
          </li>
        ))}
      </ul>
      <div className={styles.pickerFoot}>
        {hasNextPage && (
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.fields.loadMore}
          </Button>
        )}
        {attribute.multiple === true && (
          <Button disabled={picked.length === 0} onClick={() => onPick(picked)}>
            {texts.fields.choose(picked.length)}
          </Button>
        )}
      </div>
    </>
  )
}
