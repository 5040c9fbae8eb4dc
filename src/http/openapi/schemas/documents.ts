/**
 * Schemas of documents, components and zones in responses. A populated document has only its fields in its schema, though
 * a response may include more: types refer to each other in circles that tools cannot follow.
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

const POPULATED = 'Present if populated.'

const ID: Properties = { id: integer }

export const documentSchema = (builder: DocumentBuilder, type: ContentType): Schema =>
  builder.sharedSchema(builder.schemaName(type.uid), () =>
    openObject({ ...ID, ...documentProperties(builder, type) }, ['id', 'documentId']),
  )

/** The response to a create has no `id`, except with `compat: "strapi"`. */
export function createdSchema(builder: DocumentBuilder, type: ContentType): Schema {
  if (builder.config.api.rest.compat === 'strapi') return documentSchema(builder, type)
  return builder.sharedSchema(`${builder.schemaName(type.uid)}Created`, () =>
    openObject(documentProperties(builder, type), ['documentId']),
  )
}

const relatedSchema = (builder: DocumentBuilder, type: ContentType): Schema =>
  builder.sharedSchema(`${builder.schemaName(type.uid)}Related`, () => ({
    ...openObject({ ...ID, ...fieldProperties(builder, type) }, ['id', 'documentId']),
    description: 'Its relations, media, components and zones are present if populated.',
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
    ...(type.showsCreators ? { createdBy: creatorSchema(builder), updatedBy: creatorSchema(builder) } : {}),
    ...(hasMeta ? { meta: { type: 'object' } } : {}),
  }
}

function fieldProperties(builder: DocumentBuilder, type: ContentType): Properties {
  return {
    documentId: { type: 'string', description: 'Identifies the document in paths and bodies.' },
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

/** Null for fields, which are not populated. */
function populatedSchema(builder: DocumentBuilder, subject: Subject, found: Visible): Schema | null {
  switch (found.kind) {
    case 'field':
    case 'author':
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
      return arrayOf({ type: 'object' }, `The documents that use the file. ${POPULATED}`)
  }
}

/** The user who created a document or changed it last. */
const creatorSchema = (builder: DocumentBuilder): Schema => ({
  ...nullable(
    builder.sharedSchema('Creator', () =>
      openObject(
        {
          id: integer,
          documentId: string,
          firstname: nullable(string),
          lastname: nullable(string),
          username: string,
        },
        ['id', 'documentId', 'username'],
      ),
    ),
  ),
  description: POPULATED,
})

const populated = (builder: DocumentBuilder, schema: Schema, many: boolean): Schema => ({
  ...(many ? anyOf(arrayOf(schema), countSchema(builder)) : nullable(schema)),
  description: POPULATED,
})

/** The result of `count: true` in `populate`. */
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
    withConstant(
      componentSchema(builder, entryOf(owner, componentOf(builder.model, uid))),
      '__component',
      uid,
    ),
  )
  return anyOf(arrayOf(anyOf(...entries)), countSchema(builder))
}

function morphSchema(builder: DocumentBuilder, many: boolean): Schema {
  const documents = morphTargets(builder).map((type) =>
    withConstant(relatedSchema(builder, type), '__type', type.uid),
  )
  if (many) return anyOf(arrayOf(documents.length > 0 ? anyOf(...documents) : {}), countSchema(builder))
  return anyOf(...documents, nullSchema)
}

/** The types that a caller may see in a polymorphic relation. */
export const morphTargets = ({ model, scope }: DocumentBuilder): ContentType[] =>
  [...model.types.values()].filter((type) => type.generated && scope.may(type.uid, 'find'))

const withConstant = (schema: Schema, key: string, value: string): Schema => ({
  allOf: [schema, openObject({ [key]: { const: value } }, [key])],
})
