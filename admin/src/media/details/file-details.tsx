/** The content of the details panel, for one file. */
import { Button, Group, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { changeFile, fileQuery, fileUsesQuery, isImage } from '../../api/media.ts'
import { messageOf } from '../../api/request.ts'
import type { MediaFile } from '../../api/types.ts'
import { useMe } from '../../shell/me.tsx'
import { mediaTexts } from '../../texts/media.ts'
import mediaStyles from '../media.module.css'
import styles from './details.module.css'
import { FileActions } from './file-actions.tsx'
import { FileFacts } from './file-facts.tsx'
import { FilePreview } from './file-preview.tsx'
import { UseList } from './use-list.tsx'

interface FileDetailsProps {
  readonly file: MediaFile
  readonly onDirty: (isDirty: boolean) => void
  readonly onChanged: () => void
  readonly onDeleted: () => void
  readonly onOpenFolder: (path: string) => void
}

const valuesOf = ({ name, alternativeText, caption }: MediaFile) => ({
  name,
  alternativeText: alternativeText ?? '',
  caption: caption ?? '',
})

export function FileDetails({ file, onDirty, onChanged, onDeleted, onOpenFolder }: FileDetailsProps) {
  const { permissions } = useMe()
  const queryClient = useQueryClient()
  const { data: uses } = useQuery(fileUsesQuery(file.documentId))
  const saved = valuesOf(file)
  const [values, setValues] = useState(saved)
  const isDirty = JSON.stringify(values) !== JSON.stringify(saved)
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])
  const mayChange = permissions.upload.update || permissions.upload.create
  const changed = async () => {
    await queryClient.invalidateQueries({ queryKey: fileQuery(file.documentId).queryKey })
    onChanged()
  }
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      changeFile(file.documentId, {
        name: values.name.trim() || file.name,
        alternativeText: values.alternativeText === '' ? null : values.alternativeText,
        caption: values.caption === '' ? null : values.caption,
      }),
    onSuccess: async (stored) => {
      setValues(valuesOf(stored))
      notifications.show({ message: mediaTexts.saved })
      await changed()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  const input = (name: keyof typeof values) => ({
    value: values[name],
    readOnly: !mayChange,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      const { value } = event.currentTarget
      setValues((current) => ({ ...current, [name]: value }))
    },
  })
  return (
    <div className={styles.details}>
      <FilePreview file={file} />
      <FileActions file={file} mayChange={mayChange} onChanged={() => void changed()} onDeleted={onDeleted} />
      <form onSubmit={submit} className={styles.form}>
        <TextInput label={mediaTexts.name} maxLength={255} {...input('name')} />
        {isImage(file) && (
          <Textarea
            label={mediaTexts.alternativeText}
            description={mediaTexts.alternativeHint}
            autosize
            minRows={2}
            {...input('alternativeText')}
          />
        )}
        <Textarea label={mediaTexts.caption} autosize minRows={2} {...input('caption')} />
        {error && (
          <p role="alert" className={mediaStyles.problem}>
            {messageOf(error)}
          </p>
        )}
        {mayChange && (
          <Group justify="flex-end">
            <Button type="submit" loading={isPending} disabled={!isDirty}>
              {mediaTexts.save}
            </Button>
          </Group>
        )}
      </form>
      <FileFacts file={file} onOpenFolder={onOpenFolder} />
      <section className={styles.section}>
        <h3>{mediaTexts.usedBy}</h3>
        {uses?.length === 0 && <p className={styles.quiet}>{mediaTexts.usedByNone}</p>}
        {uses && <UseList uses={uses} />}
      </section>
    </div>
  )
}
