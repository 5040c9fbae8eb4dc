/** Deletes a document after showing what refers to it. */
import { Button, Group, Modal } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { deleteDocument, usedByQuery } from '../../../api/content/content.ts'
import { messageOf } from '../../../api/request.ts'
import type { ContentDocument, ContentTypeView } from '../../../api/types.ts'
import { useSchema } from '../../../shell/me.tsx'
import { texts } from '../../../texts.ts'
import styles from '../side-panel.module.css'
import type { Editor } from '../use-editor.ts'

const SHOWN_USES = 8

interface DeleteDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly editor: Editor
  readonly type: ContentTypeView
  readonly locale: string | undefined
  readonly document: ContentDocument
  readonly onDeleted: () => void
}

export function DeleteDialog({
  isOpen,
  onClose,
  editor,
  type,
  locale,
  document,
  onDeleted,
}: DeleteDialogProps) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const schema = useSchema()
  const count = document.__meta?.usedBy ?? 0
  const { data: uses } = useQuery({ ...usedByQuery(editor.address), enabled: isOpen && count > 0 })
  const otherLocales = Object.keys(document.__meta?.locales ?? {}).filter((code) => code !== locale)
  const { mutate, isPending } = useMutation({
    mutationFn: (deleted: string | undefined) => deleteDocument(editor.address, deleted),
    onSuccess: async () => {
      onDeleted()
      notifications.show({ message: texts.edit.deleted })
      await queryClient.invalidateQueries({ queryKey: ['list', type.uid] })
      await navigate({ to: type.kind === 'single' ? '/' : '/content/$type', params: { type: type.path } })
    },
    onError: (error) => notifications.show({ color: 'red', message: messageOf(error) }),
  })
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={texts.edit.deleteTitle}
      size={480}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <p>{texts.edit.deleteText(type.kind === 'collection' && type.actions.readHistory)}</p>
      {count > 0 && (
        <>
          <b>{texts.edit.usedBy(count)}</b>
          <p>{texts.edit.usedByHint}</p>
          <ul className={styles.uses}>
            {uses?.data.slice(0, SHOWN_USES).map((use) => (
              <li key={`${use.type} ${use.documentId}`}>
                <bdi>{use.title || texts.list.untitled}</bdi> ·{' '}
                {schema.types.get(use.type)?.displayName ?? use.type}
              </li>
            ))}
            {count > SHOWN_USES && <li>{texts.edit.moreUses(count - SHOWN_USES)}</li>}
          </ul>
        </>
      )}
      <Group justify="flex-end" gap={8} mt={20}>
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        {locale !== undefined && otherLocales.length > 0 && (
          <Button variant="default" c="var(--danger)" loading={isPending} onClick={() => mutate(locale)}>
            {texts.edit.deleteLocale(locale)}
          </Button>
        )}
        <Button color="red" loading={isPending} onClick={() => mutate(type.localized ? '*' : undefined)}>
          {otherLocales.length > 0 ? texts.edit.deleteAll : texts.edit.delete}
        </Button>
      </Group>
    </Modal>
  )
}
