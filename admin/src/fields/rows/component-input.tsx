/** Edits a component: one entry, or a list of entries. */
import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useForm } from '../../form/hooks.ts'
import { join } from '../../form/path.ts'
import { texts } from '../../texts.ts'
import type { FieldProps } from '../field-type.ts'
import { FieldFrame } from '../shared/field-frame.tsx'
import { EntryFields } from './entry-fields.tsx'
import { PasteButton } from './paste-button.tsx'
import { RowList, useRows } from './row-list.tsx'
import styles from './rows.module.css'

export default function ComponentInput(props: FieldProps) {
  return props.attribute.repeatable ? <RepeatedInput {...props} /> : <SingleInput {...props} />
}

function SingleInput(props: FieldProps) {
  const { path, attribute, isReadOnly, label } = props
  const { rows, actions } = useRows(path)
  const [row] = rows
  const component = attribute.component ?? ''
  return (
    <FieldFrame
      {...props}
      aside={
        row &&
        !isReadOnly && (
          <ActionIcon
            size="sm"
            onClick={() => actions.remove(row)}
            aria-label={`${texts.fields.remove}: ${label}`}
          >
            <IconTrash size={15} stroke={1.5} />
          </ActionIcon>
        )
      }
    >
      {row ? (
        <div className={styles.single}>
          <EntryFields path={join(path, row.key)} component={row.component} isReadOnly={isReadOnly} />
        </div>
      ) : (
        !isReadOnly && (
          <div className={styles.add}>
            <AddButton label={texts.fields.add(label)} onClick={() => actions.add(component)} />
            <PasteButton components={[component]} actions={actions} />
          </div>
        )
      )}
    </FieldFrame>
  )
}

function RepeatedInput(props: FieldProps) {
  const { path, attribute, isReadOnly } = props
  const { openRows } = useForm()
  const { rows, actions } = useRows(path)
  const component = attribute.component ?? ''
  return (
    <FieldFrame {...props} aside={<span className={styles.count}>{texts.fields.entries(rows.length)}</span>}>
      <RowList path={path} rows={rows} actions={actions} isReadOnly={isReadOnly} isZone={false} />
      {!isReadOnly && (
        <div className={styles.add}>
          <AddButton label={texts.fields.addEntry} onClick={() => openRows.open(actions.add(component))} />
          <PasteButton components={[component]} actions={actions} />
        </div>
      )}
    </FieldFrame>
  )
}

function AddButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <Button size="xs" variant="default" leftSection={<IconPlus size={14} stroke={1.5} />} onClick={onClick}>
      {label}
    </Button>
  )
}
