/** The command palette: go to a type, create a document, or search the content. */
import '@mantine/spotlight/styles.css'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight } from '@mantine/spotlight'
import { IconArrowRight, IconFileText, IconPlus, IconSearch } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { searchQuery } from '../api/content.ts'
import { titleOf } from '../content/title.ts'
import { texts } from '../texts.ts'
import { useMe } from './me.tsx'

const ICON = { size: 16, stroke: 1.5 }
const RESULTS_PER_TYPE = 4
/** Searching every type of a large model at once would be slow. */
const MAX_TYPES = 12

export function Palette() {
  const { contentTypes } = useMe()
  const navigate = useNavigate()
  const [term, setTerm] = useState('')
  const [searched] = useDebouncedValue(term.trim(), 200)
  const readable = contentTypes.filter(({ actions }) => actions.find)
  const collections = readable.filter(({ kind }) => kind === 'collection')
  const found = useQueries({
    queries: collections.slice(0, MAX_TYPES).map((type) => ({
      ...searchQuery(type, searched, undefined, RESULTS_PER_TYPE),
      enabled: searched.length > 1,
    })),
    combine: (results) =>
      results.flatMap(({ data }, index) => {
        const type = collections[index]
        return type && searched.length > 1 ? (data?.data ?? []).map((document) => ({ type, document })) : []
      }),
  })
  const matches = (label: string) => label.toLowerCase().includes(term.trim().toLowerCase())
  const places = readable.filter(({ view }) => matches(view.label))
  const creatable = collections.filter(
    ({ actions, displayName }) => actions.create && matches(texts.palette.createOne(displayName)),
  )
  const isEmpty = places.length + creatable.length + found.length === 0
  return (
    <Spotlight.Root query={term} onQueryChange={setTerm} shortcut={['mod + K']} scrollable maxHeight="60vh">
      <Spotlight.Search
        placeholder={texts.palette.placeholder}
        aria-label={texts.palette.placeholder}
        leftSection={<IconSearch {...ICON} />}
      />
      <Spotlight.ActionsList>
        {isEmpty && <Spotlight.Empty>{texts.palette.nothing}</Spotlight.Empty>}
        {found.length > 0 && (
          <Spotlight.ActionsGroup label={texts.palette.documents}>
            {found.map(({ type, document }) => (
              <Spotlight.Action
                key={`${type.uid} ${document.documentId}`}
                label={titleOf(type, document)}
                description={type.displayName}
                leftSection={<IconFileText {...ICON} />}
                onClick={() =>
                  void navigate({
                    to: '/content/$type/$documentId',
                    params: { type: type.path, documentId: document.documentId },
                  })
                }
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {places.length > 0 && (
          <Spotlight.ActionsGroup label={texts.palette.goTo}>
            {places.map((type) => (
              <Spotlight.Action
                key={type.uid}
                label={type.view.label}
                leftSection={<IconArrowRight {...ICON} />}
                onClick={() => void navigate({ to: '/content/$type', params: { type: type.path } })}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {creatable.length > 0 && (
          <Spotlight.ActionsGroup label={texts.palette.create}>
            {creatable.map((type) => (
              <Spotlight.Action
                key={type.uid}
                label={texts.palette.createOne(type.displayName)}
                leftSection={<IconPlus {...ICON} />}
                onClick={() =>
                  void navigate({
                    to: '/content/$type/$documentId',
                    params: { type: type.path, documentId: 'new' },
                  })
                }
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
