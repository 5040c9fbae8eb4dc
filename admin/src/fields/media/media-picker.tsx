/** Chooses files of the media library, or uploads new ones to it. */
import { Button, Modal } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { filesQuery } from '../../api/media.ts'
import { messageOf } from '../../api/request.ts'
import type { AttributeView, MediaFile } from '../../api/types.ts'
import { FileSearch } from '../../media/file-search.tsx'
import { describeFile, FileThumbnail } from '../../media/files/file-thumbnail.tsx'
import { Breadcrumbs } from '../../media/folders/breadcrumbs.tsx'
import { FolderRow } from '../../media/folders/folder-row.tsx'
import { allowedParameters, fileParameters } from '../../media/media-search.ts'
import { DropArea } from '../../media/uploads/drop-area.tsx'
import { UploadPanel } from '../../media/uploads/upload-panel.tsx'
import { useUploads } from '../../media/uploads/use-uploads.ts'
import { useMe } from '../../shell/me.tsx'
import { Loading } from '../../shell/states.tsx'
import { mediaTexts } from '../../texts/media.ts'
import { texts } from '../../texts.ts'
import { acceptOf, isAllowed } from './files.ts'
import styles from './media.module.css'

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
  const { permissions } = useMe()
  const queryClient = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [term, setTerm] = useState('')
  const [folder, setFolder] = useState('/')
  const [picked, setPicked] = useState<readonly MediaFile[]>([])
  const isMany = attribute.multiple === true
  const { filters, ...parameters } = fileParameters({ folder, ...(term !== '' && { q: term }) })
  const { filter, ...allowed } = allowedParameters(attribute.allowedTypes ?? [])
  const conditions = [filters, filter].filter((one) => one !== undefined)
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    filesQuery({
      ...parameters,
      ...allowed,
      ...(conditions.length > 0 && { filters: { $and: conditions } }),
    }),
  )
  const files = data?.pages.flatMap((page) => page.data) ?? []
  const toggle = (file: MediaFile) => {
    if (!isMany) return onPick([file])
    setPicked((current) =>
      current.some(({ id }) => id === file.id)
        ? current.filter(({ id }) => id !== file.id)
        : [...current, file],
    )
  }
  const queue = useUploads((file) => {
    void queryClient.invalidateQueries({ queryKey: ['files'] })
    if (!isAllowed(attribute, file)) return
    if (isMany) setPicked((current) => [...current, file])
    else onPick([file])
  })
  const upload = permissions.upload.create ? (chosen: readonly File[]) => queue.add(chosen, folder) : null
  return (
    <DropArea folder={folder} onFiles={upload}>
      <div className={styles.pickerTools}>
        <FileSearch value={term} onChange={setTerm} />
        {upload && (
          <>
            <Button
              variant="default"
              leftSection={<IconUpload size={14} stroke={1.5} />}
              onClick={() => input.current?.click()}
            >
              {mediaTexts.upload}
            </Button>
            <input
              ref={input}
              type="file"
              hidden
              multiple={isMany}
              accept={acceptOf(attribute)}
              aria-label={mediaTexts.upload}
              onChange={(event) => {
                upload([...(event.currentTarget.files ?? [])])
                event.currentTarget.value = ''
              }}
            />
          </>
        )}
      </div>
      {term === '' && <Breadcrumbs folder={folder} onOpen={setFolder} />}
      <UploadPanel queue={queue} isInline />
      {error && <p role="alert">{messageOf(error)}</p>}
      <div className={styles.pickerBody}>
        {term === '' && <FolderRow parent={folder} onOpen={setFolder} />}
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
      </div>
      <div className={styles.pickerFoot}>
        {hasNextPage && (
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.fields.loadMore}
          </Button>
        )}
        {isMany && (
          <Button disabled={picked.length === 0} onClick={() => onPick(picked)}>
            {texts.fields.choose(picked.length)}
          </Button>
        )}
      </div>
    </DropArea>
  )
}
