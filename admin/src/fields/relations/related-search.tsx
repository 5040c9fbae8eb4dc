/** Searches documents to relate to. */
import { Combobox, Loader, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { searchQuery } from '../../api/content/content.ts'
import type { ContentDocument, ContentTypeView } from '../../api/types.ts'
import { StatusBadge } from '../../content/status-badge.tsx'
import { titleOf } from '../../content/title.ts'
import { useForm } from '../../form/hooks.ts'
import { texts } from '../../texts.ts'
import styles from './relations.module.css'

/** Those that are chosen already are read too, but not offered. */
const MOST_READ = 100

interface RelatedSearchProps {
  readonly label: string
  readonly targets: readonly ContentTypeView[]
  /** Whether the documents can be of several types, which are then part of the value. */
  readonly namesType: boolean
  readonly chosen: ReadonlySet<string>
  readonly keyOf: (document: ContentDocument) => string
  readonly onAdd: (document: ContentDocument) => void
}

export function RelatedSearch({ label, targets, namesType, chosen, keyOf, onAdd }: RelatedSearchProps) {
  const { locale } = useForm()
  const [term, setTerm] = useState('')
  const [searched] = useDebouncedValue(term.trim(), 200)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const { found, isLoading } = useQueries({
    queries: targets.map((type) => ({
      ...searchQuery(type, searched, locale, Math.min((namesType ? 6 : 20) + chosen.size, MOST_READ)),
      enabled: combobox.dropdownOpened,
    })),
    combine: (results) => ({
      isLoading: results.some((result) => result.isFetching),
      found: results.flatMap(({ data }, index) => {
        const type = targets[index]
        return type
          ? (data?.data ?? []).map((document) => ({
              type,
              document: namesType ? { ...document, __type: type.uid } : document,
            }))
          : []
      }),
    }),
  })
  const offered = found.filter(({ document }) => !chosen.has(keyOf(document)))
  const add = (key: string) => {
    const picked = offered.find(({ document }) => keyOf(document) === key)
    if (!picked) return
    onAdd(picked.document)
    setTerm('')
    combobox.closeDropdown()
  }
  return (
    <Combobox store={combobox} onOptionSubmit={add}>
      <Combobox.Target>
        <TextInput
          className={styles.search}
          value={term}
          onChange={(event) => {
            setTerm(event.currentTarget.value)
            combobox.openDropdown()
            combobox.resetSelectedOption()
          }}
          onFocus={() => combobox.openDropdown()}
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          placeholder={texts.fields.searchRelated}
          aria-label={`${label}: ${texts.fields.searchRelated}`}
          leftSection={<IconSearch size={15} stroke={1.5} />}
          rightSection={isLoading && combobox.dropdownOpened && <Loader size={14} color="gray" />}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options mah={280} style={{ overflowY: 'auto' }}>
          {offered.map(({ type, document }) => (
            <Combobox.Option key={keyOf(document)} value={keyOf(document)}>
              <span className={styles.option}>
                <span dir="auto">{titleOf(type, document)}</span>
                {namesType && <span className={styles.type}>{type.displayName}</span>}
                {type.draftAndPublish && document.__meta && <StatusBadge status={document.__meta.status} />}
              </span>
            </Combobox.Option>
          ))}
          {offered.length === 0 && !isLoading && (
            <Combobox.Empty>
              {found.length > 0 ? texts.fields.allRelatedChosen : texts.fields.noRelated}
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
