/** Schemas of what answers show: documents, components, entries of zones. */
import { type Component, type ContentType, componentOf, FILE } from '../../model/model.ts'
import { documentOf, type Subject } from '../../query/names.ts'
import type { Drawing, Visible } from './drawing.ts'
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
const DOCUMENT_ID: Schema = { type: 'string', description: 'Names the document in paths and bodies.' }

/** A document of a type as reads and updates show it. */
export const documentSchema = (d: Drawing, type: ContentType): Schema =>
  d.shared(d.nameOf(type.uid), () =>
    open({ id: integer, ...documentProperties(d, type) }, ['id', 'documentId']),
  )

/** The answer to a create, which has no `id` unless the configuration asks for the established shape. */
export function createdSchema(d: Drawing, type: ContentType): Schema {
  if (d.config.api.rest.compat === 'strapi') return documentSchema(d, type)
  return d.shared(`${d.nameOf(type.uid)}Created`, () => open(documentProperties(d, type), ['documentId']))
}

function documentProperties(d: Drawing, type: ContentType): Properties {
  const subject = documentOf(type)
  const hasMeta = d.config.api.rest.compat === 'none' && type.generated && !type.attributes.has('meta')
  return {
    documentId: DOCUMENT_ID,
    ...attributeProperties(d, subject),
    createdAt: instant,
    updatedAt: instant,
    publishedAt: { ...nullable(instant), description: 'Null for drafts.' },
    ...(type.localized ? { locale: { ...text, examples: [d.model.locales.default] } } : {}),
    ...(type.localized
      ? {
          localizations: list(documentSchema(d, type), `The document in other locales. ${POPULATED}`),
        }
      : {}),
    ...(hasMeta
      ? { meta: { type: 'object', description: 'Only at the top of an answer, not in populated documents.' } }
      : {}),
  }
}

function attributeProperties(d: Drawing, subject: Subject): Properties {
  return Object.fromEntries(
    d.seen(subject).map(([name, found]) => [name, attributeSchema(d, subject, name, found)]),
  )
}

function attributeSchema(d: Drawing, subject: Subject, name: string, found: Visible): Schema {
  switch (found.kind) {
    case 'field':
      return subject.kind === 'document' && subject.type.uid === FILE
        ? fileField(d, name, servedScalar(d, found.attribute))
        : servedScalar(d, found.attribute)
    case 'related':
      return populated(d, documentSchema(d, found.subject.type), found.many)
    case 'component':
      return found.subject.kind === 'entry'
        ? populated(d, componentSchema(d, found.subject), found.many)
        : nothing
    case 'zone':
      return { ...zoneSchema(d, subject, found.components), description: POPULATED }
    case 'morph':
      return { ...morphSchema(d, found.attribute.many), description: POPULATED }
  }
}

const populated = (d: Drawing, schema: Schema, many: boolean): Schema => ({
  ...(many ? anyOf(list(schema), countSchema(d)) : nullable(schema)),
  description: POPULATED,
})

/** What `count: true` in `populate` gives instead of the documents. */
const countSchema = (d: Drawing): Schema => d.shared('Count', () => open({ count: integer }, ['count']))

/** An entry of a component as answers show it. */
export function componentSchema(d: Drawing, subject: Extract<Subject, { kind: 'entry' }>): Schema {
  return d.shared(d.nameOf(subject.component.uid), () => entrySchema(d, subject))
}

function entrySchema(d: Drawing, subject: Extract<Subject, { kind: 'entry' }>): Schema {
  const seed = d.config.api.rest.compat === 'none'
  return open({ id: integer, ...(seed ? { documentId: text } : {}), ...attributeProperties(d, subject) }, [
    'id',
    ...(seed ? ['documentId'] : []),
  ])
}

function zoneSchema(d: Drawing, owner: Subject, components: readonly string[]): Schema {
  const entries = components.map((uid) =>
    marked(componentSchema(d, entryOf(owner.type, componentOf(d.model, uid))), '__component', uid),
  )
  return anyOf(list(anyOf(...entries)), countSchema(d))
}

const entryOf = (type: ContentType, component: Component) => ({ kind: 'entry', type, component }) as const

function morphSchema(d: Drawing, many: boolean): Schema {
  const documents = morphTargets(d).map((type) => marked(documentSchema(d, type), '__type', type.uid))
  if (many) return list(documents.length > 0 ? anyOf(...documents) : {})
  return anyOf(...documents, nothing)
}

/** The types that a polymorphic relation can show to the caller. */
export const morphTargets = ({ model, scope }: Drawing): ContentType[] =>
  [...model.types.values()].filter((type) => type.generated && scope.may(type.uid, 'find'))

const marked = (schema: Schema, key: string, value: string): Schema => ({
  allOf: [schema, open({ [key]: { const: value } }, [key])],
})
