/** The value that a condition compares with, entered as its attribute requires. */
import { Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { searchQuery } from '../api/content/content.ts'
import type { ContentTypeView } from '../api/types.ts'
import { titleOf } from '../content/title.ts'
import { fromLocal, toLocal } from '../fields/dates/local-instant.ts'
import { useMe, useSchema } from '../shell/me.tsx'
import { texts } from '../texts.ts'
import type { Filterable } from './filterable.ts'

/** Keeps options inside the popover of the builder, which a click outside of it would close. */
export const IN_POPOVER = { comboboxProps: { withinPortal: false } }

export interface FilterValueProps {
  readonly filterable: Filterable
  readonly value: string
  readonly onChange: (value: string) => void
}

export function FilterValue({ filterable, value, onChange }: FilterValueProps) {
  const schema = useSchema()
  const { filter, attribute } = filterable
  const common = { size: 'xs', 'aria-label': texts.list.value } as const
  if (filter.input === 'boolean' || filter.input === 'choice') {
    const choices =
      filter.input === 'boolean'
        ? [
            { value: 'true', label: texts.yes },
            { value: 'false', label: texts.no },
          ]
        : [...(attribute?.enum ?? [])]
    return (
      <Select
        {...IN_POPOVER}
        {...common}
        data={choices}
        value={value || null}
        onChange={(next) => onChange(next ?? '')}
      />
    )
  }
  const target = filter.input === 'document' ? schema.types.get(attribute?.target ?? '') : undefined
  if (target) return <DocumentValue type={target} value={value} onChange={onChange} />
  if (filter.input === 'datetime-local')
    return (
      <TextInput
        {...common}
        type="datetime-local"
        value={toLocal(value)}
        onChange={({ currentTarget }) => onChange(fromLocal(currentTarget.value) ?? '')}
      />
    )
  const type = filter.input === 'date' || filter.input === 'time' ? filter.input : 'text'
  return (
    <TextInput
      {...common}
      type={type}
      inputMode={filter.input === 'number' ? 'decimal' : 'text'}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

interface DocumentValueProps {
  readonly type: ContentTypeView
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A related document, found by searching. */
function DocumentValue({ type, value, onChange }: DocumentValueProps) {
  const { locales } = useMe()
  const [term, setTerm] = useState('')
  const [searched] = useDebouncedValue(term, 200)
  const { data } = useQuery(searchQuery(type, searched, locales.default))
  const found = (data?.data ?? []).map((document) => ({
    value: document.documentId,
    label: titleOf(type, document),
  }))
  const isListed = value === '' || found.some((each) => each.value === value)
  return (
    <Select
      {...IN_POPOVER}
      size="xs"
      aria-label={texts.list.value}
      searchable
      searchValue={term}
      onSearchChange={setTerm}
      filter={({ options }) => options}
      data={isListed ? found : [{ value, label: value }, ...found]}
      value={value || null}
      onChange={(next) => onChange(next ?? '')}
    />
  )
}
