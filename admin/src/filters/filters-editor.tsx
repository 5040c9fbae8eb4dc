/** Edits the filters of a permission or a webhook, as conditions or as JSON. */
import { Button, Textarea } from '@mantine/core'
import { type ComponentType, type ReactNode, useState } from 'react'
import { texts } from '../texts.ts'
import { completeFilter, type Filter, type FilterGroup, filtersParameter, NO_FILTER } from './filter.ts'
import { FilterConditions, startingGroup } from './filter-builder.tsx'
import type { FilterValueProps } from './filter-value.tsx'
import type { Filterable } from './filterable.ts'
import styles from './filters-editor.module.css'
import { groupOfFilters } from './filters-json.ts'

/** As the API accepts them. */
export type Filters = Readonly<Record<string, unknown>>

interface FiltersEditorProps {
  readonly initial: Filters | undefined
  /** Without any, the filters are edited as JSON only. */
  readonly filterables: readonly Filterable[]
  readonly Value?: ComponentType<FilterValueProps>
  /** Whether there may be no filters at all. */
  readonly isOptional?: boolean
  readonly isReadOnly?: boolean
  /** Empty filters when no condition is complete; null when the text is not a JSON object. */
  readonly onChange: (filters: Filters | null) => void
  /** What is said about the filters. */
  readonly status: ReactNode
}

export function FiltersEditor(props: FiltersEditorProps) {
  const { initial, filterables, Value, isOptional = false, isReadOnly = false, onChange, status } = props
  const canBuild = filterables.length > 0 && !isReadOnly
  const start = (group: FilterGroup) => (isOptional ? group : startingGroup(filterables, group))
  /** Null for filters that the builder cannot show. */
  const readGroup = (filters: Filters) => {
    const read = groupOfFilters(filters)
    return read && isComparable(read, filterables) ? read : null
  }
  const [group, setGroup] = useState<FilterGroup | null>(() => {
    const read = readGroup(initial ?? {})
    return canBuild && read ? start(initial ? read : NO_FILTER) : null
  })
  const [json, setJson] = useState(() => jsonOf(initial ?? {}))
  const readable = group ? null : readGroup(parseFilters(json) ?? {})
  const editAsJson = (from: FilterGroup) => {
    setJson(jsonOf(filtersOf(from)))
    setGroup(null)
  }
  return (
    <div className={styles.editor}>
      {group && canBuild ? (
        <FilterConditions
          group={group}
          filterables={filterables}
          {...(Value && { Value })}
          onChange={(next) => {
            setGroup(next)
            onChange(filtersOf(next))
          }}
        />
      ) : (
        <Textarea
          label={texts.filters.json}
          autosize
          minRows={3}
          maxRows={12}
          spellCheck={false}
          readOnly={isReadOnly}
          classNames={{ input: styles.json ?? '' }}
          value={group ? jsonOf(filtersOf(group)) : json}
          onChange={({ currentTarget }) => {
            setGroup(null)
            setJson(currentTarget.value)
            onChange(parseFilters(currentTarget.value))
          }}
        />
      )}
      <div className={styles.status}>
        <span role="status">{status}</span>
        {group && canBuild && (
          <Button size="xs" variant="subtle" color="gray" onClick={() => editAsJson(group)}>
            {texts.filters.asJson}
          </Button>
        )}
        {canBuild && readable && (
          <Button size="xs" variant="subtle" color="gray" onClick={() => setGroup(start(readable))}>
            {texts.filters.asConditions}
          </Button>
        )}
      </div>
    </div>
  )
}

const isComparable = (filter: Filter, filterables: readonly Filterable[]): boolean =>
  filter.kind === 'group'
    ? filter.of.every((each) => isComparable(each, filterables))
    : filterables.some(({ path }) => path === filter.attribute)

const jsonOf = (filters: Filters) =>
  Object.keys(filters).length === 0 ? '' : JSON.stringify(filters, null, 2)

/** The filters of the complete conditions; empty when there are none. */
function filtersOf(group: FilterGroup): Filters {
  const complete = completeFilter(group)
  return complete ? filtersParameter(complete) : {}
}

/** Null when the text is not a JSON object. An empty text means no filters. */
export function parseFilters(json: string): Filters | null {
  if (json.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}
