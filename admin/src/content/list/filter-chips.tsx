/** The filters of a list as readable chips, each with a button that removes it. */
import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ContentTypeView } from '../../api/types.ts'
import { type Filter, type FilterCondition, hasValue } from '../../filters/filter.ts'
import { type Filterable, filterablesOf } from '../../filters/filterable.ts'
import { operatorText } from '../../filters/operator-text.ts'
import { useSchema } from '../../shell/me.tsx'
import { texts } from '../../texts.ts'
import { formatInstant } from '../dates.ts'
import styles from './list-screen.module.css'
import type { ListSearch } from './list-search.ts'

interface FilterChipsProps {
  readonly type: ContentTypeView
  readonly search: ListSearch
  readonly onChange: (change: Partial<Record<keyof ListSearch, unknown>>) => void
}

export function FilterChips({ type, search: { filter }, onChange }: FilterChipsProps) {
  const schema = useSchema()
  if (!filter) return null
  const filterables = filterablesOf(schema, type)
  const remove = (index: number) => {
    const of = filter.of.filter((_, at) => at !== index)
    onChange({ filter: of.length === 0 ? undefined : { ...filter, of } })
  }
  return (
    <div className={styles.chips}>
      {filter.of.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity but their place.
        <span key={index} className={styles.chip}>
          {index > 0 && filter.match === 'any' && <i>or&nbsp;</i>}
          <span>{describe(each, filterables)}</span>
          <ActionIcon
            size="sm"
            radius="xl"
            onClick={() => remove(index)}
            aria-label={texts.list.removeFilter}
          >
            <IconX size={12} stroke={1.75} />
          </ActionIcon>
        </span>
      ))}
    </div>
  )
}

function describe(filter: Filter, filterables: readonly Filterable[]): string {
  if (filter.kind === 'condition') return describeCondition(filter, filterables)
  return filter.of.map((each) => describe(each, filterables)).join(filter.match === 'any' ? ' or ' : ' and ')
}

function describeCondition(
  { attribute, operator, value }: FilterCondition,
  filterables: readonly Filterable[],
) {
  const filterable = filterables.find(({ path }) => path === attribute)
  const label = filterable?.label ?? attribute
  return `${label} ${operatorText(operator, filterable)}${hasValue(operator) ? ` ${valueText(value, filterable)}` : ''}`
}

function valueText(value: string, filterable: Filterable | undefined): string {
  if (filterable?.filter.input === 'boolean') return value === 'true' ? texts.yes : texts.no
  const isInstant = filterable?.filter.input === 'datetime-local' && !Number.isNaN(Date.parse(value))
  return isInstant ? formatInstant(value) : value
}
