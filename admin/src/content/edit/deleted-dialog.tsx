/** Someone has deleted the document that is open: the person creates it again from what is in the form. */
import { Button, Group, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ContentTypeView } from '../../api/types.ts'
import { texts } from '../../texts.ts'
import type { Editor } from './use-editor.ts'

interface DeletedDialogProps {
  readonly editor: Editor
  readonly type: ContentTypeView
}

export function DeletedDialog({ editor, type }: DeletedDialogProps) {
  const { asksToCreateAgain, setAsksToCreateAgain, createAgain, report } = editor
  const { mutate, isPending } = useMutation({ mutationFn: createAgain, onError: report })
  const { actions, kind } = type
  const mayCreate = kind === 'single' ? actions.update : actions.create
  return (
    <Modal
      opened={asksToCreateAgain}
      onClose={() => setAsksToCreateAgain(false)}
      title={texts.gone.title}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <p>{mayCreate ? texts.gone.text : texts.gone.textReadOnly}</p>
      {mayCreate && kind === 'collection' && actions.readHistory && <p>{texts.gone.restoreHint}</p>}
      <Group justify="flex-end" gap={8} mt={20}>
        <Button variant="default" onClick={() => setAsksToCreateAgain(false)}>
          {texts.gone.back}
        </Button>
        {mayCreate && (
          <Button loading={isPending} onClick={() => mutate()} data-autofocus>
            {texts.gone.create}
          </Button>
        )}
      </Group>
    </Modal>
  )
}
