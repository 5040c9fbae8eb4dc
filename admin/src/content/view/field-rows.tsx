/** The fields of the form in their order, each with its label, help text and width. */
import { Checkbox, Select, TextInput } from '@mantine/core'
import type { FieldView } from '../../api/types.ts'
import { SortableItem, SortableList } from '../../fields/shared/sortable-list.tsx'
import { viewTexts as words } from '../../texts/content/view.ts'
import styles from './view.module.css'

interface FieldRowsProps {
  readonly fields: readonly FieldView[]
  readonly onChange: (fields: readonly FieldView[]) => void
}

const WIDTHS = [3, 4, 6, 8, 9, 12] as const

export function FieldRows({ fields, onChange }: FieldRowsProps) {
  const set = (name: string, changed: Partial<FieldView>) =>
    onChange(fields.map((field) => (field.name === name ? { ...field, ...changed } : field)))
  return (
    <SortableList items={fields} keyOf={({ name }) => name} onReorder={onChange} className={styles.fields}>
      {fields.map(({ name, label, help, width, hidden }) => (
        <SortableItem key={name} id={name} isDisabled={false} className={styles.field}>
          {(handle) => (
            <>
              {handle}
              <code className={styles.name}>{name}</code>
              <TextInput
                aria-label={words.fieldLabel(name)}
                value={label}
                maxLength={500}
                onChange={(event) => set(name, { label: event.currentTarget.value })}
              />
              <TextInput
                aria-label={words.help(name)}
                placeholder={words.helpPlaceholder}
                value={help ?? ''}
                maxLength={500}
                onChange={(event) => set(name, { help: event.currentTarget.value || null })}
              />
              <Select
                aria-label={words.width(name)}
                data={WIDTHS.map((each) => ({ value: String(each), label: words.widths[each] }))}
                value={String(width)}
                onChange={(value) =>
                  set(name, { width: WIDTHS.find((each) => String(each) === value) ?? width })
                }
                allowDeselect={false}
              />
              <Checkbox
                aria-label={words.hiddenOf(name)}
                label={words.hidden}
                checked={hidden}
                onChange={(event) => set(name, { hidden: event.currentTarget.checked })}
              />
            </>
          )}
        </SortableItem>
      ))}
    </SortableList>
  )
}
