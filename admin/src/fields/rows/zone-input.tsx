/** Edits a dynamic zone: a list of entries, added by searching the components that it allows. */
import { Button, Popover, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { ComponentView } from '../../api/types.ts'
import { useForm } from '../../form/hooks.ts'
import { texts } from '../../texts.ts'
import type { FieldProps } from '../field-type.ts'
import { FieldFrame } from '../shared/field-frame.tsx'
import { PasteButton } from './paste-button.tsx'
import { RowList, useRows } from './row-list.tsx'
import styles from './rows.module.css'

export default function ZoneInput(props: FieldProps) {
  const { path, attribute, isReadOnly } = props
  const { openRows } = useForm()
  const { rows, actions } = useRows(path)
  const components = attribute.components ?? []
  return (
    <FieldFrame {...props} aside={<span className={styles.count}>{texts.fields.entries(rows.length)}</span>}>
      <RowList path={path} rows={rows} actions={actions} isReadOnly={isReadOnly} isZone />
      {!isReadOnly && (
        <div className={styles.add}>
          <ComponentPicker uids={components} onPick={(uid) => openRows.open(actions.add(uid))} />
          <PasteButton components={components} actions={actions} />
        </div>
      )}
    </FieldFrame>
  )
}

interface ComponentPickerProps {
  readonly uids: readonly string[]
  readonly onPick: (uid: string) => void
}

function ComponentPicker({ uids, onPick }: ComponentPickerProps) {
  const { schema } = useForm()
  const [isOpen, setIsOpen] = useState(false)
  const [term, setTerm] = useState('')
  const found = uids
    .flatMap((uid) => schema.components.get(uid) ?? [])
    .filter(({ displayName, uid }) => `${displayName} ${uid}`.toLowerCase().includes(term.toLowerCase()))
  const pick = ({ uid }: ComponentView) => {
    onPick(uid)
    setIsOpen(false)
    setTerm('')
  }
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-start" width={300} trapFocus>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} stroke={1.5} />}
          onClick={() => setIsOpen((open) => !open)}
        >
          {texts.fields.addBlock}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={8}>
        <TextInput
          value={term}
          onChange={(event) => setTerm(event.currentTarget.value)}
          onKeyDown={(event) => {
            const [first] = found
            if (event.key !== 'Enter' || !first) return
            event.preventDefault()
            pick(first)
          }}
          placeholder={texts.fields.searchComponents}
          aria-label={texts.fields.searchComponents}
          data-autofocus
        />
        <ul className={styles.components}>
          {found.map((component) => (
            <li key={component.uid}>
              <button type="button" className={styles.componentChoice} onClick={() => pick(component)}>
                {component.displayName}
                <span>{component.category}</span>
              </button>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  )
}
