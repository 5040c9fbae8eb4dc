/** All content-types and components, as cards or as a diagram of their relations. */
import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { Loading, Message } from '../../shell/states.tsx'
import { modelTexts } from '../../texts/model.ts'
import { categoryOf, isSingle, isType, nameOf, type Schema } from '../draft/schema.ts'
import styles from '../model.module.css'
import { useModel } from '../model-context.tsx'
import { SchemaDialog } from '../schema-page/schema-dialog.tsx'
import overview from './overview.module.css'
import { SchemaCard } from './schema-card.tsx'

const Diagram = lazy(() => import('../diagram/diagram.tsx').then((module) => ({ default: module.Diagram })))

export function OverviewScreen() {
  const { draft, isEditable, reason } = useModel()
  const { view } = useSearch({ from: '/signed-in/model/' })
  const navigate = useNavigate()
  const [term, setTerm] = useState('')
  const [creating, setCreating] = useState<'type' | 'component' | null>(null)
  const schemas = [...draft.schemas.values()].filter((schema) => matches(schema, term.trim().toLowerCase()))
  const isEmpty = ![...draft.schemas.values()].some(({ builtIn }) => !builtIn)
  return (
    <>
      <header className={overview.header}>
        <h1 className={overview.title}>{modelTexts.title}</h1>
        {isEditable && (
          <>
            <Button variant="default" onClick={() => setCreating('component')}>
              {modelTexts.newComponent}
            </Button>
            <Button leftSection={<IconPlus size={16} stroke={1.75} />} onClick={() => setCreating('type')}>
              {modelTexts.newType}
            </Button>
          </>
        )}
      </header>
      {reason !== null && <p className={styles.notice}>{modelTexts.readOnly(reason)}</p>}
      <div className={overview.toolbar}>
        <TextInput
          className={overview.search}
          value={term}
          onChange={(event) => setTerm(event.currentTarget.value)}
          placeholder={modelTexts.search}
          aria-label={modelTexts.search}
          leftSection={<IconSearch size={16} stroke={1.5} />}
        />
        <SegmentedControl
          aria-label={modelTexts.showAs}
          data={[
            { value: 'cards', label: modelTexts.cards },
            { value: 'diagram', label: modelTexts.diagram },
          ]}
          value={view ?? 'cards'}
          onChange={(value) =>
            void navigate({
              to: '/model',
              search: value === 'diagram' ? { view: 'diagram' } : {},
              replace: true,
            })
          }
        />
      </div>
      {isEmpty ? (
        <Message title={modelTexts.emptyTitle}>{modelTexts.emptyText}</Message>
      ) : schemas.length === 0 ? (
        <Message title={modelTexts.nothingFound} />
      ) : view === 'diagram' ? (
        <Suspense fallback={<Loading />}>
          <Diagram schemas={schemas} />
        </Suspense>
      ) : (
        groupsOf(schemas).map(({ name, members }) => (
          <section key={name} className={overview.group}>
            <h2 className={overview.groupName}>{name}</h2>
            <ul className={overview.cards}>
              {members.map((schema) => (
                <SchemaCard key={schema.uid} schema={schema} />
              ))}
            </ul>
          </section>
        ))
      )}
      {creating && <SchemaDialog kind={creating} uid={null} onClose={() => setCreating(null)} />}
    </>
  )
}

const matches = (schema: Schema, term: string) =>
  [schema.uid, nameOf(schema), ...Object.keys(schema.attributes)].some((text) =>
    text.toLowerCase().includes(term),
  )

/** Collections, single types, components by category, then what the server brings. */
function groupsOf(schemas: readonly Schema[]) {
  const sorted = schemas.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)))
  const own = sorted.filter(({ builtIn }) => !builtIn)
  const types = own.filter(({ uid }) => isType(uid))
  const components = own.filter(({ uid }) => !isType(uid))
  const categories = [...new Set(components.map(categoryOf))].sort()
  return [
    { name: modelTexts.collections, members: types.filter((schema) => !isSingle(schema)) },
    { name: modelTexts.singles, members: types.filter(isSingle) },
    ...categories.map((category) => ({
      name: `${modelTexts.components}: ${category}`,
      members: components.filter((schema) => categoryOf(schema) === category),
    })),
    { name: modelTexts.builtIn, members: sorted.filter(({ builtIn }) => builtIn) },
  ].filter(({ members }) => members.length > 0)
}
