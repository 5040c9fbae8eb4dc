/** Edits a media attribute: files in their order, from the library or uploaded by dropping or pasting them. */
import { ActionIcon, Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconFile, IconPhoto, IconUpload, IconX } from '@tabler/icons-react'
import { type DragEvent, useRef, useState } from 'react'
import { isImage, thumbnailOf, uploadFile } from '../../api/media.ts'
import { messageOf } from '../../api/request.ts'
import type { MediaFile } from '../../api/types.ts'
import { useValue } from '../../form/hooks.ts'
import { useMe } from '../../shell/me.tsx'
import { texts } from '../../texts.ts'
import type { FieldProps } from '../field-type.ts'
import { FieldFrame } from '../shared/field-frame.tsx'
import { SortableItem, SortableList } from '../shared/sortable-list.tsx'
import { acceptOf, filesOf } from './files.ts'
import styles from './media.module.css'
import { MediaPicker } from './media-picker.tsx'

/** Files that are uploaded at the same time. */
const CONCURRENT_UPLOADS = 3

export default function MediaInput(props: FieldProps) {
  const { path, attribute, isReadOnly } = props
  const { permissions } = useMe()
  const [value, setValue] = useValue(path)
  const [isPicking, setIsPicking] = useState(false)
  const [uploading, setUploading] = useState<readonly string[]>([])
  const [isOver, setIsOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const files = filesOf(value)
  const latest = useRef(files)
  latest.current = files
  const isMany = attribute.multiple === true
  const update = (next: readonly MediaFile[]) => setValue(isMany ? next : (next.at(-1) ?? null))
  const mayUpload = permissions.upload.create && !isReadOnly

  const upload = async (chosen: readonly File[]) => {
    const waiting = [...(isMany ? chosen : chosen.slice(0, 1))]
    setUploading(waiting.map(({ name }) => name))
    const work = async () => {
      for (let file = waiting.shift(); file; file = waiting.shift()) {
        const { name } = file
        try {
          const stored = await uploadFile(file)
          // Another upload may have finished since this one started.
          const next = isMany ? [...latest.current, stored] : [stored]
          latest.current = next
          update(next)
        } catch (error) {
          notifications.show({ color: 'red', title: name, message: messageOf(error), autoClose: 8_000 })
        }
        setUploading((names) => names.filter((each) => each !== name))
      }
    }
    await Promise.all(Array.from({ length: CONCURRENT_UPLOADS }, work))
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    if (mayUpload) void upload([...event.dataTransfer.files])
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
          if (mayUpload && pasted.length > 0) void upload(pasted)
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
        {uploading.map((name) => (
          <p key={name} className={styles.uploading} role="status">
            {texts.fields.uploading(name)}
          </p>
        ))}
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
            void upload(chosen)
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

/** An image, or an icon for other files. */
export function FileThumbnail({ file }: { readonly file: MediaFile }) {
  return isImage(file) ? (
    <img
      className={styles.thumbnail}
      src={thumbnailOf(file)}
      alt={file.alternativeText ?? ''}
      loading="lazy"
    />
  ) : (
    <span className={styles.thumbnail}>
      <IconFile size={20} stroke={1.25} aria-hidden />
    </span>
  )
}

/** Such as "1200 × 800 · 84 kB". */
export function describeFile({ width, height, size }: MediaFile): string {
  const length = size < 1000 ? `${Math.round(size)} kB` : `${(size / 1000).toFixed(1)} MB`
  return width !== null && height !== null ? `${width} × ${height} · ${length}` : length
}
