/** Sets attributes of several documents to the same values. */
import { Button, Group, Modal, MultiSelect } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { messageOf } from '../../../api/request.ts'
import type { AttributeView, ContentTypeView } from '../../../api/types.ts'
import { FormProvider } from '../../../form/hooks.ts'
import { createOpenRows } from '../../../form/open-rows.ts'
import { createPendingWork } from '../../../form/pending-work.ts'
import { createFormStore } from '../../../form/store.ts'
import { inputOf } from '../../../form/values/document-values.ts'
import { useSchema } from '../../../shell/me.tsx'
import { texts } from '../../../texts.ts'
import { FormField } from '../../edit/form/form-field.tsx'
import { labelFromName } from '../../edit/form/labels.ts'
import styles from './bulk-edit-dialog.module.css'

interface BulkEditDialogProps {
  readonly type: ContentTypeView
  readonly count: number
  readonly locale: string | undefined
  readonly isPending: boolean
  readonly onClose: () => void
  readonly onSubmit: (data: Readonly<Record<string, unknown>>) => void
}

/** Attributes that several documents can have the same value of. */
const isEditableInBulk = ({ type, unique, writable }: AttributeView) =>
  writable.update && unique !== true && type !== 'uid'

export default function BulkEditDialog(props: BulkEditDialogProps) {
  const { type, count, locale, isPending, onClose, onSubmit } = props
  const schema = useSchema()
  const [store] = useState(() => createFormStore(new Map()))
  const [openRows] = useState(createOpenRows)
  const [pending] = useState(createPendingWork)
  const [isWaiting, setIsWaiting] = useState(false)
  const [names, setNames] = useState<readonly string[]>([])
  const submit = () => {
    const inputError = store.inputError()
    if (inputError !== undefined) return void notifications.show({ color: 'red', message: inputError })
    setIsWaiting(true)
    pending
      .finished()
      .then(
        () => onSubmit(inputOf(schema, chosen, store)),
        (error: unknown) => notifications.show({ color: 'red', message: messageOf(error) }),
      )
      .finally(() => setIsWaiting(false))
  }
  const views = new Map(type.view.fields.map((view) => [view.name, view]))
  const editable = type.attributes.filter(isEditableInBulk)
  const chosen = names.flatMap((name) => editable.find((attribute) => attribute.name === name) ?? [])
  const labelOf = (name: string) => views.get(name)?.label ?? labelFromName(name)
  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.bulk.editTitle(count)}
      size="lg"
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <FormProvider value={{ store, openRows, pending, schema, locale, isNew: false }}>
        <div className={styles.form}>
          <MultiSelect
            label={texts.bulk.fields}
            description={type.draftAndPublish ? texts.bulk.draftsHelp : texts.bulk.fieldsHelp}
            data={editable.map(({ name }) => ({ value: name, label: labelOf(name) }))}
            value={[...names]}
            onChange={setNames}
            searchable
            data-autofocus
          />
          {chosen.map((attribute) => (
            <FormField
              key={attribute.name}
              path={attribute.name}
              attribute={attribute}
              view={views.get(attribute.name)}
              isReadOnly={false}
            />
          ))}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onClose}>
              {texts.cancel}
            </Button>
            <Button disabled={chosen.length === 0} loading={isPending || isWaiting} onClick={submit}>
              {texts.bulk.change(count)}
            </Button>
          </Group>
        </div>
      </FormProvider>
    </Modal>
  )
}
