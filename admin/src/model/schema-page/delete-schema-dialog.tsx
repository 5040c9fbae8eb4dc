/** Removes a content-type or component from the model, after showing what refers to it. */
import { Button, Modal } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { modelTexts } from '../../texts/model.ts'
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
      title={modelTexts.schema.deleteTitle(nameOf(schema))}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      {references.length > 0 && (
        <>
          <p>{modelTexts.schema.deleteReferences}</p>
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
      <p>{modelTexts.schema.deleteText}</p>
      <Button color="red" onClick={() => void remove()}>
        {modelTexts.schema.deleteConfirm}
      </Button>
    </Modal>
  )
}
