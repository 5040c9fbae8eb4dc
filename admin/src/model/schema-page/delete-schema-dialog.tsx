/** Removes a content-type or component from the model, after showing what refers to it. */
import { Button, Modal } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { texts } from '../../texts.ts'
import { nameOf, type Schema } from '../draft/schema.ts'
import { referencesTo, removeSchema } from '../draft/schemas.ts'
import { useModel } from '../model-context.tsx'
import styles from './schema-page.module.css'

interface DeleteSchemaDialogProps {
  readonly schema: Schema
  readonly onClose: () => void
}

export function DeleteSchemaDialog({ schema, onClose }: DeleteSchemaDialogProps) {
  const { draft, change } = useModel()
  const navigate = useNavigate()
  const references = referencesTo(draft, schema.uid)
  const remove = async () => {
    await navigate({ to: '/model' })
    change((current) => removeSchema(current, schema.uid))
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.model.schema.deleteTitle(nameOf(schema))}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      {references.length > 0 && (
        <>
          <p>{texts.model.schema.deleteReferences}</p>
          <ul className={styles.uses}>
            {references.map(({ schema: { uid, ...each }, attribute }) => (
              <li key={`${uid} ${attribute}`}>
                <b>{nameOf({ uid, ...each })}</b>
                <span>{attribute}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <p>{texts.model.schema.deleteText}</p>
      <Button color="red" onClick={() => void remove()}>
        {texts.model.schema.deleteConfirm}
      </Button>
    </Modal>
  )
}
