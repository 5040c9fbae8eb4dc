/** Builds the filter of a list: conditions and nested groups. */
import { ActionIcon, Button, Select } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type ComponentType, useId, useState } from 'react'
import type { ContentTypeView } from '../api/types.ts'
import type { Operator } from '../fields/field-type.ts'
import { useSchema } from '../shell/me.tsx'
import { texts } from '../texts.ts'
import { type Filter, type FilterCondition, type FilterGroup, hasValue } from './filter.ts'
import styles from './filter-builder.module.css'
import { FilterValue, type FilterValueProps, IN_POPOVER } from './filter-value.tsx'
import { type Filterable, filterablesOf } from './filterable.ts'
import { operatorText } from './operator-text.ts'

interface FilterBuilderProps {
  readonly type: ContentTypeView
  readonly initial: FilterGroup
  readonly onApply: (filter: FilterGroup) => void
}

export function FilterBuilder({ type, initial, onApply }: FilterBuilderProps) {
  const schema = useSchema()
  const filterables = filterablesOf(schema, type)
  const [group, setGroup] = useState<FilterGroup>(startingGroup(filterables, initial))
  return (
    <form
      className={styles.builder}
      onSubmit={(event) => {
        event.preventDefault()
        onApply(group)
      }}
    >
      <FilterConditions group={group} filterables={filterables} onChange={setGroup} />
      <div className={styles.actions}>
        <Button variant="subtle" color="gray" onClick={() => onApply({ ...group, of: [] })}>
          {texts.list.clearFilters}
        </Button>
        <Button type="submit">{texts.list.apply}</Button>
      </div>
    </form>
  )
}

/** The group to start with: an empty one gets a first condition to fill in. */
export const startingGroup = (filterables: readonly Filterable[], group: FilterGroup): FilterGroup =>
  group.of.length > 0 ? group : { ...group, of: [newCondition(filterables)] }

interface FilterConditionsProps {
  readonly group: FilterGroup
  readonly filterables: readonly Filterable[]
  /** Where the value of a condition is entered. */
  readonly Value?: ComponentType<FilterValueProps>
  readonly onChange: (group: FilterGroup) => void
  readonly onRemove?: () => void
}

export function FilterConditions({
  group,
  filterables,
  Value = FilterValue,
  onChange,
  onRemove,
}: FilterConditionsProps) {
  const id = useId()
  const replace = (index: number, filter: Filter | null) =>
    onChange({ ...group, of: group.of.flatMap((each, at) => (at === index ? (filter ?? []) : each)) })
  const add = (filter: Filter) => onChange({ ...group, of: [...group.of, filter] })
  return (
    <fieldset className={onRemove ? styles.nested : styles.group}>
      <legend className="visually-hidden">{texts.list.match}</legend>
      <div className={styles.match}>
        <span id={id}>{texts.list.match}</span>
        <Select
          {...IN_POPOVER}
          w={90}
          size="xs"
          aria-labelledby={id}
          data={[
            { value: 'all', label: texts.list.matchAll },
            { value: 'any', label: texts.list.matchAny },
          ]}
          value={group.match}
          onChange={(match) => onChange({ ...group, match: match === 'any' ? 'any' : 'all' })}
          allowDeselect={false}
        />
        {onRemove && (
          <ActionIcon onClick={onRemove} aria-label={texts.list.removeFilter}>
            <IconX size={14} stroke={1.5} />
          </ActionIcon>
        )}
      </div>
      {group.of.map((filter, index) =>
        filter.kind === 'group' ? (
          <FilterConditions
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity but their place.
            key={index}
            group={filter}
            filterables={filterables}
            Value={Value}
            onChange={(next) => replace(index, next)}
            onRemove={() => replace(index, null)}
          />
        ) : (
          <ConditionEditor
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity but their place.
            key={index}
            condition={filter}
            filterables={filterables}
            Value={Value}
            onChange={(next) => replace(index, next)}
            onRemove={() => replace(index, null)}
          />
        ),
      )}
      <div className={styles.add}>
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          leftSection={<IconPlus size={14} stroke={1.5} />}
          onClick={() => add(newCondition(filterables))}
        >
          {texts.list.addFilter}
        </Button>
        {!onRemove && (
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            leftSection={<IconPlus size={14} stroke={1.5} />}
            onClick={() =>
              add({
                kind: 'group',
                match: group.match === 'all' ? 'any' : 'all',
                of: [newCondition(filterables)],
              })
            }
          >
            {texts.list.addGroup}
          </Button>
        )}
      </div>
    </fieldset>
  )
}

function newCondition(filterables: readonly Filterable[]): FilterCondition {
  const [first] = filterables
  return {
    kind: 'condition',
    attribute: first?.path ?? '',
    operator: first?.filter.operators[0] ?? '$eq',
    value: '',
  }
}

interface ConditionEditorProps {
  readonly condition: FilterCondition
  readonly filterables: readonly Filterable[]
  readonly Value: ComponentType<FilterValueProps>
  readonly onChange: (condition: FilterCondition) => void
  readonly onRemove: () => void
}

function ConditionEditor({ condition, filterables, Value, onChange, onRemove }: ConditionEditorProps) {
  const filterable = filterables.find(({ path }) => path === condition.attribute)
  const operators = filterable?.filter.operators ?? []
  const isOperator = (value: string | null): value is Operator => operators.some((each) => each === value)
  return (
    <div className={styles.condition}>
      <Select
        {...IN_POPOVER}
        size="xs"
        searchable
        aria-label={texts.list.attribute}
        data={filterables.map(({ path, label }) => ({ value: path, label }))}
        value={condition.attribute}
        onChange={(attribute) => {
          const next = filterables.find(({ path }) => path === attribute)
          if (next)
            onChange({
              ...condition,
              attribute: next.path,
              operator: next.filter.operators[0] ?? '$eq',
              value: '',
            })
        }}
        allowDeselect={false}
      />
      <Select
        {...IN_POPOVER}
        size="xs"
        aria-label={texts.list.operator}
        data={operators.map((value) => ({ value, label: operatorText(value, filterable) }))}
        value={condition.operator}
        onChange={(operator) => isOperator(operator) && onChange({ ...condition, operator })}
        allowDeselect={false}
      />
      {filterable && hasValue(condition.operator) ? (
        <Value
          filterable={filterable}
          value={condition.value}
          onChange={(value) => onChange({ ...condition, value })}
        />
      ) : (
        <span />
      )}
      <ActionIcon onClick={onRemove} aria-label={texts.list.removeFilter}>
        <IconX size={14} stroke={1.5} />
      </ActionIcon>
    </div>
  )
}
