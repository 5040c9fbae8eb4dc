/** Edits a media attribute: files in their order, from the library or uploaded by dropping or pasting them. */
import { ActionIcon, Button } from '@mantine/core'
import { IconPhoto, IconUpload, IconX } from '@tabler/icons-react'
import { type DragEvent, useRef, useState } from 'react'
import type { MediaFile } from '../../api/types.ts'
import { useForm, useValue } from '../../form/hooks.ts'
import { describeFile, FileThumbnail } from '../../media/files/file-thumbnail.tsx'
import { UploadPanel } from '../../media/uploads/upload-panel.tsx'
import { useUploads } from '../../media/uploads/use-uploads.ts'
import { useMe } from '../../shell/me.tsx'
import { texts } from '../../texts.ts'
import type { FieldProps } from '../field-type.ts'
import { FieldFrame } from '../shared/field-frame.tsx'
import { SortableItem, SortableList } from '../shared/sortable-list.tsx'
import { acceptOf, filesOf } from './files.ts'
import styles from './media.module.css'
import { MediaPicker } from './media-picker.tsx'

export default function MediaInput(props: FieldProps) {
  const { path, attribute, isReadOnly } = props
  const { permissions } = useMe()
  const [value, setValue] = useValue(path)
  const { pending } = useForm()
  const [isPicking, setIsPicking] = useState(false)
  const [isOver, setIsOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const files = filesOf(value)
  const latest = useRef(files)
  latest.current = files
  const isMany = attribute.multiple === true
  const update = (next: readonly MediaFile[]) => setValue(isMany ? next : (next.at(-1) ?? null))
  const mayUpload = permissions.upload.create && !isReadOnly

  const queue = useUploads((stored) => {
    // Another upload may have finished since this one started.
    const next = isMany ? [...latest.current, stored] : [stored]
    latest.current = next
    update(next)
  })
  const upload = (chosen: readonly File[]) => {
    queue.add(isMany ? chosen : chosen.slice(0, 1), '/')
    pending.add(queue.settled())
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    if (mayUpload) upload([...event.dataTransfer.files])
  }
  return (
    <FieldFrame {...props}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the buttons inside do the same. */}
      <div
        className={styles.drop}
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(mayUpload)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
        onPaste={(event) => {
          const pasted = [...event.clipboardData.files]
          if (mayUpload && pasted.length > 0) upload(pasted)
        }}
      >
        {files.length > 0 && (
          <SortableList
            items={files}
            keyOf={({ id }) => String(id)}
            onReorder={update}
            className={styles.files}
          >
            {files.map((file) => (
              <SortableItem
                key={file.id}
                id={String(file.id)}
                isDisabled={isReadOnly || files.length < 2}
                className={styles.file}
              >
                {(handle) => (
                  <>
                    {handle}
                    <FileThumbnail file={file} />
                    <span className={styles.name}>
                      {file.name}
                      <span>{describeFile(file)}</span>
                    </span>
                    {!isReadOnly && (
                      <ActionIcon
                        size="sm"
                        onClick={() => update(files.filter(({ id }) => id !== file.id))}
                        aria-label={`${texts.fields.remove}: ${file.name}`}
                      >
                        <IconX size={14} stroke={1.5} />
                      </ActionIcon>
                    )}
                  </>
                )}
              </SortableItem>
            ))}
          </SortableList>
        )}
        <UploadPanel queue={queue} isInline />
        {!isReadOnly && (
          <div className={styles.actions}>
            {permissions.upload.find && (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconPhoto size={14} stroke={1.5} />}
                onClick={() => setIsPicking(true)}
              >
                {files.length > 0 && !isMany ? texts.fields.replace : texts.fields.chooseFile}
              </Button>
            )}
            {mayUpload && (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconUpload size={14} stroke={1.5} />}
                onClick={() => input.current?.click()}
              >
                {texts.fields.upload}
              </Button>
            )}
          </div>
        )}
        <input
          ref={input}
          type="file"
          hidden
          aria-label={texts.fields.upload}
          multiple={isMany}
          accept={acceptOf(attribute)}
          onChange={(event) => {
            const chosen = [...(event.currentTarget.files ?? [])]
            event.currentTarget.value = ''
            upload(chosen)
          }}
        />
      </div>
      <MediaPicker
        isOpen={isPicking}
        onClose={() => setIsPicking(false)}
        attribute={attribute}
        onPick={(picked) =>
          update(
            isMany ? [...files, ...picked.filter(({ id }) => !files.some((file) => file.id === id))] : picked,
          )
        }
      />
    </FieldFrame>
  )
}
