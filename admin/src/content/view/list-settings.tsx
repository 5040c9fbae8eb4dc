/** What names a document, and the columns and the order of a list. */
import { MultiSelect, SegmentedControl, Select } from '@mantine/core'
import type { ContentTypeView, TypeView } from '../../api/types.ts'
import { viewTexts as words } from '../../texts/content/view.ts'
import { availableColumns, type Column } from '../list/columns.ts'
import styles from './view.module.css'

interface SettingProps {
  readonly type: ContentTypeView
  readonly view: TypeView
  readonly onChange: (changed: Partial<TypeView>) => void
}

const optionOf = ({ name, label }: Column) => ({ value: name, label })

const NOT_TITLES = new Set(['media', 'relation', 'json', 'blocks'])

export function MainField({ type, view, onChange }: SettingProps) {
  const isTitle = ({ name, attribute }: Column) =>
    attribute ? !NOT_TITLES.has(attribute.type) : name === 'documentId'
  return (
    <Select
      label={words.mainField}
      description={words.mainFieldHint}
      data={availableColumns(type).filter(isTitle).map(optionOf)}
      value={view.mainField}
      onChange={(mainField) => mainField !== null && onChange({ mainField })}
      allowDeselect={false}
      inputWrapperOrder={['label', 'input', 'description']}
    />
  )
}

export function ListSettings({ type, view, onChange }: SettingProps) {
  const available = availableColumns(type)
  const [sortedBy = 'id', order = 'asc'] = view.defaultSort.split(':')
  const sort = (name: string, direction: string) => onChange({ defaultSort: `${name}:${direction}` })
  return (
    <section className={styles.section}>
      <h2>{words.list}</h2>
      <MultiSelect
        label={words.columns}
        description={words.columnsHint}
        data={available.filter(({ name }) => name !== view.mainField).map(optionOf)}
        value={view.columns.filter((name) => name !== view.mainField)}
        onChange={(names) => onChange({ columns: [view.mainField, ...names] })}
        inputWrapperOrder={['label', 'input', 'description']}
        searchable
      />
      <div className={styles.sort}>
        <Select
          label={words.sort}
          data={[
            { value: 'id', label: words.byId },
            ...available.filter(({ isSortable }) => isSortable).map(optionOf),
          ]}
          value={sortedBy}
          onChange={(name) => name !== null && sort(name, order)}
          allowDeselect={false}
        />
        <SegmentedControl
          aria-label={words.order}
          data={[
            { value: 'asc', label: words.ascending },
            { value: 'desc', label: words.descending },
          ]}
          value={order}
          onChange={(direction) => sort(sortedBy, direction)}
        />
      </div>
    </section>
  )
}
