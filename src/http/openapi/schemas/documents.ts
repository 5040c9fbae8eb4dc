/**
 * Schemas of what answers show: documents, components, entries of zones. A populated document is drawn with its own
 * fields only, though it may show more: types refer to each other in circles that no reader of the document can follow.
 */
import { type ContentType, componentOf, FILE } from '../../../model/model.ts'
import { documentOf, type Subject } from '../../../query/find-name.ts'
import { type Drawing, type Entry, entryOf, type Visible } from '../document-builder.ts'
import { fileField } from './files.ts'
import { servedScalar } from './scalars.ts'
import {
  anyOf,
  instant,
  integer,
  list,
  nothing,
  nullable,
  open,
  type Properties,
  type Schema,
  text,
} from './schema.ts'

const POPULATED = 'Present when it is populated.'

const ID: Properties = { id: integer }

/** A document at the top of an answer. */
export const documentSchema = (d: Drawing, type: ContentType): Schema =>
  d.shared(d.nameOf(type.uid), () => open({ ...ID, ...documentProperties(d, type) }, ['id', 'documentId']))

/** The answer to a create, which has no `id` unless the configuration asks for the established shape. */
export function createdSchema(d: Drawing, type: ContentType): Schema {
  if (d.config.api.rest.compat === 'strapi') return documentSchema(d, type)
  return d.shared(`${d.nameOf(type.uid)}Created`, () => open(documentProperties(d, type), ['documentId']))
}

/** A document inside another. */
const relatedSchema = (d: Drawing, type: ContentType): Schema =>
  d.shared(`${d.nameOf(type.uid)}Related`, () => ({
    ...open({ ...ID, ...fieldProperties(d, type) }, ['id', 'documentId']),
    description:
      'Its own relations, media, components and zones are present when they are populated in turn.',
  }))

function documentProperties(d: Drawing, type: ContentType): Properties {
  const subject = documentOf(type)
  const hasMeta = d.config.api.rest.compat === 'none' && type.generated && !type.attributes.has('meta')
  return {
    ...fieldProperties(d, type),
    ...Object.fromEntries(
      d.seen(subject).flatMap(([name, found]) => {
        const schema = populatedSchema(d, subject, found)
        return schema ? [[name, schema]] : []
      }),
    ),
    ...(type.localized
      ? { localizations: list(relatedSchema(d, type), `The document in other locales. ${POPULATED}`) }
      : {}),
    ...(hasMeta ? { meta: { type: 'object' } } : {}),
  }
}

/** What a document shows without being asked. */
function fieldProperties(d: Drawing, type: ContentType): Properties {
  return {
    documentId: { type: 'string', description: 'Names the document in paths and bodies.' },
    ...scalarProperties(d, documentOf(type)),
    createdAt: instant,
    updatedAt: instant,
    publishedAt: { ...nullable(instant), description: 'Null for drafts.' },
    ...(type.localized ? { locale: { ...text, examples: [d.model.locales.default] } } : {}),
  }
}

function scalarProperties(d: Drawing, subject: Subject): Properties {
  const isFile = subject.kind === 'document' && subject.type.uid === FILE
  return Object.fromEntries(
    d.seen(subject).flatMap(([name, found]) => {
      if (found.kind !== 'field') return []
      const schema = servedScalar(d, found.attribute)
      return [[name, isFile ? fileField(d, name, schema) : schema]]
    }),
  )
}

/** Null for what is shown without being populated. */
function populatedSchema(d: Drawing, subject: Subject, found: Visible): Schema | null {
  switch (found.kind) {
    case 'field':
      return null
    case 'related':
      return populated(d, relatedSchema(d, found.subject.type), found.many)
    case 'component':
      return found.subject.kind === 'entry'
        ? populated(d, componentSchema(d, found.subject), found.many)
        : null
    case 'zone':
      return { ...zoneSchema(d, subject, found.components), description: POPULATED }
    case 'morph':
      return { ...morphSchema(d, found.attribute.many), description: POPULATED }
    case 'usages':
      return list({ type: 'object' }, `The documents that show the file. ${POPULATED}`)
  }
}

const populated = (d: Drawing, schema: Schema, many: boolean): Schema => ({
  ...(many ? anyOf(list(schema), countSchema(d)) : nullable(schema)),
  description: POPULATED,
})

/** What `count: true` in `populate` gives instead of the documents. */
const countSchema = (d: Drawing): Schema => d.shared('Count', () => open({ count: integer }, ['count']))

function componentSchema(d: Drawing, entry: Entry): Schema {
  const { uid } = entry.component
  const withDocumentId = d.config.api.rest.compat === 'none'
  return d.shared(d.nameOf(uid), () =>
    open(
      {
        ...ID,
        ...(withDocumentId ? { documentId: text } : {}),
        ...scalarProperties(d, entry),
        ...Object.fromEntries(
          d.seen(entry).flatMap(([name, found]) => {
            const schema = populatedSchema(d, entry, found)
            return schema ? [[name, schema]] : []
          }),
        ),
      },
      ['id', ...(withDocumentId ? ['documentId'] : [])],
    ),
  )
}

function zoneSchema(d: Drawing, owner: Subject, components: readonly string[]): Schema {
  const entries = components.map((uid) =>
    marked(componentSchema(d, entryOf(owner, componentOf(d.model, uid))), '__component', uid),
  )
  return anyOf(list(anyOf(...entries)), countSchema(d))
}

function morphSchema(d: Drawing, many: boolean): Schema {
  const documents = morphTargets(d).map((type) => marked(relatedSchema(d, type), '__type', type.uid))
  if (many) return list(documents.length > 0 ? anyOf(...documents) : {})
  return anyOf(...documents, nothing)
}

/** The types that a polymorphic relation can show to the caller. */
export const morphTargets = ({ model, scope }: Drawing): ContentType[] =>
  [...model.types.values()].filter((type) => type.generated && scope.may(type.uid, 'find'))

const marked = (schema: Schema, key: string, value: string): Schema => ({
  allOf: [schema, open({ [key]: { const: value } }, [key])],
})
