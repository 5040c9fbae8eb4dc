/** A content-type or component: its attributes in order, and where it is used. */
import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconArrowLeft, IconDots, IconPlus, IconSettings, IconTrash } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { SortableList } from '../../fields/shared/sortable-list.tsx'
import { useMe } from '../../shell/me.tsx'
import { Message, NotFound } from '../../shell/states.tsx'
import { modelTexts } from '../../texts/model.ts'
import { texts } from '../../texts.ts'
import { AttributeDrawer } from '../attributes/attribute-drawer.tsx'
import type { AttributeTypeName } from '../attributes/attribute-types.ts'
import { TypePicker } from '../attributes/type-picker.tsx'
import { reorderAttributes } from '../draft/attributes.ts'
import { isLocalized, isSingle, isType, nameOf, type Schema } from '../draft/schema.ts'
import { referencesTo } from '../draft/schemas.ts'
import modelStyles from '../model.module.css'
import { useModel } from '../model-context.tsx'
import { AttributeRow } from './attribute-row.tsx'
import { DeleteSchemaDialog } from './delete-schema-dialog.tsx'
import { SchemaDialog } from './schema-dialog.tsx'
import styles from './schema-page.module.css'

/** What is open beside the list of attributes. */
type Opened =
  | { readonly kind: 'picker' | 'settings' | 'delete' }
  | { readonly kind: 'attribute'; readonly name: string }
  | { readonly kind: 'new'; readonly type: AttributeTypeName }

export function SchemaScreen() {
  const { uid } = useParams({ from: '/signed-in/model/$uid' })
  const { draft } = useModel()
  const schema = draft.schemas.get(uid)
  if (!schema) return <NotFound />
  return <SchemaPage key={uid} schema={schema} />
}

function SchemaPage({ schema }: { readonly schema: Schema }) {
  const { uid } = schema
  const { isEditable, reason, change } = useModel()
  const [opened, setOpened] = useState<Opened | null>(null)
  const mayEdit = isEditable && !schema.builtIn
  const names = Object.keys(schema.attributes)
  const close = () => setOpened(null)
  return (
    <>
      <SchemaHeader schema={schema} mayEdit={mayEdit} onOpen={(kind) => setOpened({ kind })} />
      {schema.builtIn ? (
        <p className={modelStyles.notice}>{modelTexts.builtInNote}</p>
      ) : (
        reason !== null && <p className={modelStyles.notice}>{modelTexts.readOnly(reason)}</p>
      )}
      <div className={styles.columns}>
        <section aria-label={modelTexts.attributes(names.length)}>
          {names.length === 0 && (
            <Message title={modelTexts.attribute.empty}>{modelTexts.attribute.emptyHint}</Message>
          )}
          <SortableList
            items={names}
            keyOf={(name) => name}
            onReorder={(order) => change((draft) => reorderAttributes(draft, uid, order))}
            className={styles.attributes}
          >
            {names.map((name) => (
              <AttributeRow
                key={name}
                schema={schema}
                name={name}
                mayEdit={mayEdit}
                onOpen={() => setOpened({ kind: 'attribute', name })}
              />
            ))}
          </SortableList>
        </section>
        <UsedIn uid={uid} />
      </div>
      {opened?.kind === 'picker' && (
        <TypePicker schema={schema} onPick={(type) => setOpened({ kind: 'new', type })} onClose={close} />
      )}
      {opened?.kind === 'new' && (
        <AttributeDrawer
          key={`${opened.type} ${names.length}`}
          schema={schema}
          name={null}
          type={opened.type}
          isReadOnly={false}
          onClose={close}
          onAnother={() => setOpened({ kind: 'picker' })}
        />
      )}
      {opened?.kind === 'attribute' && (
        <AttributeDrawer
          schema={schema}
          name={opened.name}
          type={null}
          isReadOnly={!mayEdit}
          onClose={close}
        />
      )}
      {opened?.kind === 'settings' && (
        <SchemaDialog kind={isType(uid) ? 'type' : 'component'} uid={uid} onClose={close} />
      )}
      {opened?.kind === 'delete' && <DeleteSchemaDialog schema={schema} onClose={close} />}
    </>
  )
}

interface SchemaHeaderProps {
  readonly schema: Schema
  readonly mayEdit: boolean
  readonly onOpen: (kind: 'settings' | 'delete' | 'picker') => void
}

function SchemaHeader({ schema, mayEdit, onOpen }: SchemaHeaderProps) {
  const { contentTypes } = useMe()
  const type = contentTypes.find(({ uid }) => uid === schema.uid)
  const { flags } = modelTexts
  const facts = [
    schema.uid,
    type && `/api/${type.path}`,
    isSingle(schema) && flags.single,
    schema.options?.draftAndPublish === true && flags.draftAndPublish,
    isLocalized(schema) && flags.localized,
  ].filter((fact) => typeof fact === 'string')
  return (
    <header className={styles.header}>
      <Link to="/model" className={styles.back} aria-label={modelTexts.back}>
        <IconArrowLeft size={18} stroke={1.5} />
      </Link>
      <div className={styles.titles}>
        <h1 className={styles.title}>{nameOf(schema)}</h1>
        <p className={styles.facts}>{facts.join(' · ')}</p>
      </div>
      {type && (
        <>
          <Button
            variant="subtle"
            color="gray"
            px={10}
            renderRoot={(props) => <Link to="/content/$type" params={{ type: type.path }} {...props} />}
          >
            {modelTexts.openContent}
          </Button>
          <Button
            variant="subtle"
            color="gray"
            px={10}
            renderRoot={(props) => <Link to="/content/$type/api" params={{ type: type.path }} {...props} />}
          >
            {modelTexts.openApi}
          </Button>
          <Button
            variant="subtle"
            color="gray"
            px={10}
            renderRoot={(props) => <Link to="/content/$type/view" params={{ type: type.path }} {...props} />}
          >
            {modelTexts.openView}
          </Button>
        </>
      )}
      {mayEdit && (
        <>
          <Button
            variant="default"
            leftSection={<IconSettings size={16} stroke={1.5} />}
            onClick={() => onOpen('settings')}
          >
            {modelTexts.settings}
          </Button>
          <Button leftSection={<IconPlus size={16} stroke={1.75} />} onClick={() => onOpen('picker')}>
            {modelTexts.attribute.add}
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon size="lg" aria-label={texts.edit.more}>
                <IconDots size={18} stroke={1.5} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                c="var(--danger)"
                leftSection={<IconTrash size={16} stroke={1.5} />}
                onClick={() => onOpen('delete')}
              >
                {modelTexts.delete}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </>
      )}
    </header>
  )
}

function UsedIn({ uid }: { readonly uid: string }) {
  const { draft } = useModel()
  const references = referencesTo(draft, uid)
  return (
    <aside className={styles.aside}>
      <h2 className={styles.asideTitle}>{modelTexts.usedIn}</h2>
      {references.length === 0 && <p className={styles.hint}>{modelTexts.notUsed}</p>}
      <ul className={styles.uses}>
        {references.map(({ schema, attribute }) => (
          <li key={`${schema.uid} ${attribute}`}>
            <Link to="/model/$uid" params={{ uid: schema.uid }}>
              {nameOf(schema)}
            </Link>
            <span>{attribute}</span>
          </li>
        ))}
      </ul>
    </aside>
  )
}
