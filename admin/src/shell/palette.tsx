/** The command palette: go to a type or another screen, create a document, or search the content. */
import '@mantine/spotlight/styles.css'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { IconArrowRight, IconFileText, IconPlus, IconSearch } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { searchQuery } from '../api/content/content.ts'
import type { Me } from '../api/types.ts'
import { titleOf } from '../content/title.ts'
import { permittedSections } from '../settings/sections.ts'
import { texts } from '../texts.ts'
import { OVERLAY } from '../theme/theme.ts'
import { useMe } from './me.tsx'
import { permittedPlaces } from './navigation/places.ts'
import styles from './palette.module.css'

const ICON = { size: 16, stroke: 1.5 }
const RESULTS_PER_TYPE = 4
/** Searching every type of a large model would be slow. */
const MAX_TYPES = 12

export const openPalette = spotlight.open

export default function Palette() {
  const me = useMe()
  const { contentTypes } = me
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
  const types = readable.filter(({ view }) => matches(view.label))
  const screens = screensOf(me, term.trim() !== '').filter(({ label }) => matches(label))
  const creatable = collections.filter(
    ({ actions, displayName }) => actions.create && matches(texts.palette.createOne(displayName)),
  )
  const isEmpty = types.length + screens.length + creatable.length + found.length === 0
  return (
    <Spotlight.Root
      query={term}
      onQueryChange={setTerm}
      shortcut={null}
      scrollable
      maxHeight="60vh"
      centered={false}
      yOffset="12vh"
      overlayProps={OVERLAY}
      classNames={{ actionsGroup: styles.group ?? '' }}
      attributes={{ content: { 'aria-label': texts.shortcuts.palette } }}
    >
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
        {types.length + screens.length > 0 && (
          <Spotlight.ActionsGroup label={texts.palette.goTo}>
            {types.map((type) => (
              <Spotlight.Action
                key={type.uid}
                label={type.view.label}
                leftSection={<IconArrowRight {...ICON} />}
                onClick={() => void navigate({ to: '/content/$type', params: { type: type.path } })}
              />
            ))}
            {screens.map(({ to, label }) => (
              <Spotlight.Action
                key={to}
                label={label}
                leftSection={<IconArrowRight {...ICON} />}
                onClick={() => void navigate({ to })}
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

/** The screens that are not content. The sections of the settings only when something is searched. */
const screensOf = (me: Me, isSearching: boolean) => [
  ...permittedPlaces(me),
  ...(isSearching
    ? permittedSections(me).map(({ to, label }) => ({ to, label: `${texts.navigation.settings}: ${label}` }))
    : []),
]
