/**
 * Schemas of what answers show: documents, components, entries of zones. A populated document is drawn with its own
 * fields only, though it may show more: types refer to each other in circles that no reader of the document can follow.
 */
import { type ContentType, componentOf, FILE } from '../../../model/model.ts'
import { documentOf, type Subject } from '../../../query/find-name.ts'
import { type DocumentBuilder, type Entry, entryOf, type Visible } from '../document-builder.ts'
import { fileField } from './files.ts'
import { responseScalar } from './scalars.ts'
import {
  anyOf,
  arrayOf,
  dateTime,
  integer,
  nullable,
  nullSchema,
  openObject,
  type Properties,
  type Schema,
  string,
} from './schema.ts'

const POPULATED = 'Present when it is populated.'

const ID: Properties = { id: integer }

/** A document at the top of an answer. */
export const documentSchema = (builder: DocumentBuilder, type: ContentType): Schema =>
  builder.sharedSchema(builder.schemaName(type.uid), () =>
    openObject({ ...ID, ...documentProperties(builder, type) }, ['id', 'documentId']),
  )

/** The answer to a create, which has no `id` unless the configuration asks for the established shape. */
export function createdSchema(builder: DocumentBuilder, type: ContentType): Schema {
  if (builder.config.api.rest.compat === 'strapi') return documentSchema(builder, type)
  return builder.sharedSchema(`${builder.schemaName(type.uid)}Created`, () =>
    openObject(documentProperties(builder, type), ['documentId']),
  )
}

/** A document inside another. */
const relatedSchema = (builder: DocumentBuilder, type: ContentType): Schema =>
  builder.sharedSchema(`${builder.schemaName(type.uid)}Related`, () => ({
    ...openObject({ ...ID, ...fieldProperties(builder, type) }, ['id', 'documentId']),
    description:
      'Its own relations, media, components and zones are present when they are populated in turn.',
  }))

function documentProperties(builder: DocumentBuilder, type: ContentType): Properties {
  const subject = documentOf(type)
  const hasMeta = builder.config.api.rest.compat === 'none' && type.generated && !type.attributes.has('meta')
  return {
    ...fieldProperties(builder, type),
    ...Object.fromEntries(
      builder.visibleAttributes(subject).flatMap(([name, found]) => {
        const schema = populatedSchema(builder, subject, found)
        return schema ? [[name, schema]] : []
      }),
    ),
    ...(type.localized
      ? {
          localizations: arrayOf(relatedSchema(builder, type), `The document in other locales. ${POPULATED}`),
        }
      : {}),
    ...(hasMeta ? { meta: { type: 'object' } } : {}),
  }
}

/** What a document shows without being asked. */
function fieldProperties(builder: DocumentBuilder, type: ContentType): Properties {
  return {
    documentId: { type: 'string', description: 'Names the document in paths and bodies.' },
    ...scalarProperties(builder, documentOf(type)),
    createdAt: dateTime,
    updatedAt: dateTime,
    publishedAt: { ...nullable(dateTime), description: 'Null for drafts.' },
    ...(type.localized ? { locale: { ...string, examples: [builder.model.locales.default] } } : {}),
  }
}

function scalarProperties(builder: DocumentBuilder, subject: Subject): Properties {
  const isFile = subject.kind === 'document' && subject.type.uid === FILE
  return Object.fromEntries(
    builder.visibleAttributes(subject).flatMap(([name, found]) => {
      if (found.kind !== 'field') return []
      const schema = responseScalar(builder, found.attribute)
      return [[name, isFile ? fileField(builder, name, schema) : schema]]
    }),
  )
}

/** Null for what is shown without being populated. */
function populatedSchema(builder: DocumentBuilder, subject: Subject, found: Visible): Schema | null {
  switch (found.kind) {
    case 'field':
      return null
    case 'related':
      return populated(builder, relatedSchema(builder, found.subject.type), found.many)
    case 'component':
      return found.subject.kind === 'entry'
        ? populated(builder, componentSchema(builder, found.subject), found.many)
        : null
    case 'zone':
      return { ...zoneSchema(builder, subject, found.components), description: POPULATED }
    case 'morph':
      return { ...morphSchema(builder, found.attribute.many), description: POPULATED }
    case 'usages':
      return arrayOf({ type: 'object' }, `The documents that show the file. ${POPULATED}`)
  }
}

const populated = (builder: DocumentBuilder, schema: Schema, many: boolean): Schema => ({
  ...(many ? anyOf(arrayOf(schema), countSchema(builder)) : nullable(schema)),
  description: POPULATED,
})

/** What `count: true` in `populate` gives instead of the documents. */
const countSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('Count', () => openObject({ count: integer }, ['count']))

function componentSchema(builder: DocumentBuilder, entry: Entry): Schema {
  const { uid } = entry.component
  const withDocumentId = builder.config.api.rest.compat === 'none'
  return builder.sharedSchema(builder.schemaName(uid), () =>
    openObject(
      {
        ...ID,
        ...(withDocumentId ? { documentId: string } : {}),
        ...scalarProperties(builder, entry),
        ...Object.fromEntries(
          builder.visibleAttributes(entry).flatMap(([name, found]) => {
            const schema = populatedSchema(builder, entry, found)
            return schema ? [[name, schema]] : []
          }),
        ),
      },
      ['id', ...(withDocumentId ? ['documentId'] : [])],
    ),
  )
}

function zoneSchema(builder: DocumentBuilder, owner: Subject, components: readonly string[]): Schema {
  const entries = components.map((uid) =>
    marked(componentSchema(builder, entryOf(owner, componentOf(builder.model, uid))), '__component', uid),
  )
  return anyOf(arrayOf(anyOf(...entries)), countSchema(builder))
}

function morphSchema(builder: DocumentBuilder, many: boolean): Schema {
  const documents = morphTargets(builder).map((type) =>
    marked(relatedSchema(builder, type), '__type', type.uid),
  )
  if (many) return arrayOf(documents.length > 0 ? anyOf(...documents) : {})
  return anyOf(...documents, nullSchema)
}

/** The types that a polymorphic relation can show to the caller. */
export const morphTargets = ({ model, scope }: DocumentBuilder): ContentType[] =>
  [...model.types.values()].filter((type) => type.generated && scope.may(type.uid, 'find'))

const marked = (schema: Schema, key: string, value: string): Schema => ({
  allOf: [schema, openObject({ [key]: { const: value } }, [key])],
})
