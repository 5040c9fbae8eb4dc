/** Edits a relation: an ordered list of related documents with their status, and a search to add more. */
import { ActionIcon, Button } from '@mantine/core'
import { IconPencil, IconPlus, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { AttributeView, ContentDocument, ContentTypeView } from '../../api/types.ts'
import { StatusBadge } from '../../content/status-badge.tsx'
import { useForm, useValue } from '../../form/hooks.ts'
import { isPolymorphic, isToMany } from '../../form/schema.ts'
import { texts } from '../../texts.ts'
import type { FieldProps } from '../field-type.ts'
import { FieldFrame } from '../shared/field-frame.tsx'
import { relatedOf, relatedTitle, relatedType } from './related.ts'
import { RelatedList } from './related-list.tsx'
import { RelatedSearch } from './related-search.tsx'
import styles from './relations.module.css'

const DocumentDrawer = lazy(() => import('../../content/edit/document-drawer.tsx'))

const keyOf = ({ __type, documentId }: ContentDocument) =>
  `${typeof __type === 'string' ? __type : ''} ${documentId}`

export default function RelationInput(props: FieldProps) {
  const { path, attribute, isReadOnly, label } = props
  const { schema, locale } = useForm()
  const [value, setValue] = useValue(path)
  const related = relatedOf(value)
  const isMany = isToMany(attribute)
  const update = (documents: readonly ContentDocument[]) =>
    setValue(isMany ? documents : (documents.at(-1) ?? null))
  const targets = isPolymorphic(attribute)
    ? [...schema.types.values()].filter(({ kind, actions }) => kind === 'collection' && actions.find)
    : [schema.types.get(attribute.target ?? '')].filter((type) => type?.actions.find === true)
  const [only] = targets
  const canCreate = targets.length === 1 && only?.kind === 'collection' && only.actions.create
  /** The document in the drawer; an id of null creates one. */
  const [opened, setOpened] = useState<OpenedDocument | null>(null)
  /** What was saved in the drawer. The relation itself does not change with it. */
  const [edited, setEdited] = useState<ReadonlyMap<string, ContentDocument>>(new Map())
  const takeSaved = (saved: ContentDocument) => {
    const document = isPolymorphic(attribute) && opened ? { ...saved, __type: opened.type.uid } : saved
    setEdited((before) => new Map([...before, [keyOf(document), document]]))
    if (!related.some((each) => keyOf(each) === keyOf(document)))
      update(isMany ? [...related, document] : [document])
  }
  return (
    <FieldFrame
      {...props}
      aside={isMany && related.length > 0 && <span className={styles.count}>{related.length}</span>}
    >
      {related.length > 0 && (
        <RelatedList related={related} keyOf={keyOf} isSortable={!isReadOnly && isMany} onReorder={update}>
          {(document, handle) => (
            <>
              {handle}
              <RelatedCard attribute={attribute} document={edited.get(keyOf(document)) ?? document} />
              <EditRelatedButton attribute={attribute} document={document} onOpen={setOpened} />
              {!isReadOnly && (
                <ActionIcon
                  size="sm"
                  onClick={() => update(related.filter((each) => each !== document))}
                  aria-label={`${texts.fields.remove}: ${relatedTitle(schema, attribute, document)}`}
                >
                  <IconX size={14} stroke={1.5} />
                </ActionIcon>
              )}
            </>
          )}
        </RelatedList>
      )}
      {!isReadOnly && targets.length > 0 && (isMany || related.length === 0) && (
        <div className={styles.add}>
          <RelatedSearch
            label={label}
            targets={targets.flatMap((type) => type ?? [])}
            namesType={isPolymorphic(attribute)}
            chosen={new Set(related.map(keyOf))}
            keyOf={keyOf}
            onAdd={(document) => update(isMany ? [...related, document] : [document])}
          />
          {canCreate && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={14} stroke={1.75} />}
              onClick={() => setOpened({ type: only, documentId: null })}
            >
              {texts.fields.createRelated(only.displayName)}
            </Button>
          )}
        </div>
      )}
      {opened && (
        <Suspense>
          <DocumentDrawer {...opened} locale={locale} onSaved={takeSaved} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </FieldFrame>
  )
}

interface OpenedDocument {
  readonly type: ContentTypeView
  readonly documentId: string | null
}

interface EditRelatedButtonProps extends RelatedCardProps {
  readonly onOpen: (opened: OpenedDocument) => void
}

function EditRelatedButton({ attribute, document, onOpen }: EditRelatedButtonProps) {
  const { schema } = useForm()
  const type = relatedType(schema, attribute, document)
  if (!type?.actions.update || type.kind !== 'collection') return null
  const title = relatedTitle(schema, attribute, document)
  return (
    <ActionIcon
      size="sm"
      onClick={() => onOpen({ type, documentId: document.documentId })}
      aria-label={texts.fields.editRelated(title)}
    >
      <IconPencil size={14} stroke={1.5} />
    </ActionIcon>
  )
}

interface RelatedCardProps {
  readonly attribute: AttributeView
  readonly document: ContentDocument
}

function RelatedCard({ attribute, document }: RelatedCardProps) {
  const { schema, locale } = useForm()
  const type = relatedType(schema, attribute, document)
  const title = relatedTitle(schema, attribute, document)
  return (
    <>
      {type ? (
        <Link
          to="/content/$type/$documentId"
          params={{ type: type.path, documentId: document.documentId }}
          search={type.localized && locale !== undefined ? { locale } : {}}
          className={styles.title}
          dir="auto"
        >
          {title}
        </Link>
      ) : (
        <span className={styles.title} dir="auto">
          {title}
        </span>
      )}
      {isPolymorphic(attribute) && type && <span className={styles.type}>{type.displayName}</span>}
      {type?.draftAndPublish && document.__meta && <StatusBadge status={document.__meta.status} />}
    </>
  )
}
