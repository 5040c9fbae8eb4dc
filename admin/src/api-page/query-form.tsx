/** Builds a query: filters, fields, populate, sort, version and locale. */
import { Checkbox, MultiSelect, NumberInput, Select } from '@mantine/core'
import type { ContentTypeView } from '../api/types.ts'
import { FilterChips } from '../content/list/filter-chips.tsx'
import { completeFilter, NO_FILTER, parseFilterGroup } from '../filters/filter.ts'
import { FilterButton } from '../filters/filter-button.tsx'
import { useMe } from '../shell/me.tsx'
import { modelTexts } from '../texts/model.ts'
import styles from './api-page.module.css'
import { type ApiQuery, populatable, selectable } from './query.ts'

interface QueryFormProps {
  readonly type: ContentTypeView
  readonly query: ApiQuery
  readonly onChange: (query: ApiQuery) => void
}

export function QueryForm({ type, query, onChange }: QueryFormProps) {
  const { locales, settings } = useMe()
  const set = (changed: Partial<ApiQuery>) => onChange({ ...query, ...changed })
  const isList = type.kind === 'collection'
  const { api } = modelTexts
  return (
    <div className={styles.form}>
      {isList && <Filters type={type} query={query} onChange={onChange} />}
      <MultiSelect
        label={api.fields}
        data={selectable(type)}
        value={[...query.fields]}
        onChange={(fields) => set({ fields })}
        placeholder={query.fields.length === 0 ? api.allFields : ''}
        searchable
        clearable
      />
      {populatable(type).length > 0 && (
        <MultiSelect
          label={api.populate}
          data={populatable(type)}
          value={[...query.populate]}
          onChange={(populate) => set({ populate })}
          placeholder={query.populate.length === 0 ? api.nothingPopulated : ''}
          searchable
          clearable
        />
      )}
      {isList && (
        <div className={styles.pair}>
          <Select
            label={api.sort}
            placeholder={api.defaultSort}
            data={selectable(type)}
            value={query.sort === '' ? null : query.sort}
            onChange={(sort) => set({ sort: sort ?? '' })}
            searchable
            clearable
          />
          <NumberInput
            label={api.pageSize}
            value={query.pageSize}
            onChange={(value) => set({ pageSize: Math.max(1, Number(value) || 1) })}
            min={1}
            max={settings.maxPageSize}
            allowDecimal={false}
          />
        </div>
      )}
      {query.sort !== '' && (
        <Checkbox
          label={api.descending}
          checked={query.isDescending}
          onChange={(event) => set({ isDescending: event.currentTarget.checked })}
        />
      )}
      {(type.draftAndPublish || type.localized) && (
        <div className={styles.pair}>
          {type.draftAndPublish && (
            <Select
              label={api.status}
              data={[
                { value: 'published', label: api.published },
                { value: 'draft', label: api.draft },
              ]}
              value={query.status}
              onChange={(status) => set({ status: status === 'draft' ? 'draft' : 'published' })}
              allowDeselect={false}
            />
          )}
          {type.localized && (
            <Select
              label={api.locale}
              data={[...locales.codes]}
              value={query.locale ?? locales.default}
              onChange={(locale) => set({ locale: locale ?? undefined })}
              allowDeselect={false}
            />
          )}
        </div>
      )}
    </div>
  )
}

function Filters({ type, query, onChange }: QueryFormProps) {
  const filter = completeFilter(query.filter)
  const set = (next: ApiQuery['filter'] | undefined) => onChange({ ...query, filter: next ?? NO_FILTER })
  return (
    <div className={styles.filters}>
      <FilterButton type={type} label={modelTexts.api.filters} initial={query.filter} onApply={set} />
      {filter ? (
        <FilterChips
          type={type}
          search={{ filter }}
          onChange={(change) => set(parseFilterGroup(change.filter))}
        />
      ) : (
        <span className={styles.hint}>{modelTexts.api.noFilters}</span>
      )}
    </div>
  )
}
