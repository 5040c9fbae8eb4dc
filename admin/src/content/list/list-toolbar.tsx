/** The tools above a list: search, filters, status, views, columns and export. */
import { Select } from '@mantine/core'
import type { ContentTypeView } from '../../api/types.ts'
import { NO_FILTER } from '../../filters/filter.ts'
import { FilterButton } from '../../filters/filter-button.tsx'
import screen from '../../parts/screen.module.css'
import { SearchInput } from '../../parts/search-input.tsx'
import { texts } from '../../texts.ts'
import type { Column } from './columns.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import styles from './list-screen.module.css'
import type { ListSearch } from './list-search.ts'
import { ViewsMenu } from './views-menu.tsx'

const STATUSES = ['draft', 'modified', 'published'] as const

interface ListToolbarProps {
  readonly type: ContentTypeView
  readonly search: ListSearch
  readonly columns: readonly Column[]
  readonly onChange: (change: Partial<Record<keyof ListSearch, unknown>>) => void
}

export function ListToolbar({ type, search, columns, onChange }: ListToolbarProps) {
  return (
    <div className={screen.toolbar}>
      <SearchInput
        className={styles.search}
        value={search.q ?? ''}
        onChange={(q) => onChange({ q: q === '' ? undefined : q })}
        label={texts.list.search}
        placeholder={texts.list.search}
        clearLabel={texts.list.clearSearch}
      />
      <FilterButton
        type={type}
        label={texts.list.filter}
        initial={search.filter ?? NO_FILTER}
        onApply={(filter) => onChange({ filter })}
      />
      {type.draftAndPublish && (
        <Select
          w={140}
          data={STATUSES.map((value) => ({ value, label: texts.status[value] }))}
          value={search.status ?? null}
          onChange={(status) => onChange({ status: status ?? undefined })}
          placeholder={texts.list.status}
          aria-label={texts.list.status}
          clearable
        />
      )}
      <span className={styles.spacer} />
      <ViewsMenu type={type} search={search} />
      <div className={styles.columns}>
        <ColumnsMenu type={type} columns={columns} onChange={(names) => onChange({ columns: names })} />
      </div>
    </div>
  )
}
