/** Schemas of request bodies: documents, components, zones, relations and media. */
import {
  type Attribute,
  type ComponentAttribute,
  type ContentType,
  componentOf,
  type RelationAttribute,
  type Shape,
  typeOf,
  USER,
  type ZoneAttribute,
} from '../../../model/model.ts'
import type { DocumentBuilder } from '../document-builder.ts'
import { morphTargets } from './documents.ts'
import { inputScalar } from './scalars.ts'
import {
  anyOf,
  arrayOf,
  closedObject,
  integer,
  nullSchema,
  type Properties,
  type Schema,
  string,
} from './schema.ts'

/** `{data: {…}}` with the attributes that the caller may write. */
export const bodySchema = (
  builder: DocumentBuilder,
  type: ContentType,
  action: 'create' | 'update',
): Schema => ({ type: 'object', required: ['data'], properties: { data: dataSchema(builder, type, action) } })

/** The attributes of a document that the caller may write. */
export function dataSchema(builder: DocumentBuilder, type: ContentType, action: 'create' | 'update'): Schema {
  const writable = builder.scope.rule(type.uid, action)?.fields
  const name = `${builder.schemaName(type.uid)}Input`
  return writable
    ? closedObject(attributeProperties(builder, type, (attribute) => writable.includes(attribute.name)))
    : builder.sharedSchema(name, () => closedObject(attributeProperties(builder, type)))
}

const INTERNAL_OF_USERS = ['provider', 'resetPasswordToken', 'confirmationToken']
/** Writable only with a token, or with a permission that names the attribute. */
const PRIVILEGED = ['role', 'blocked', 'confirmed']

/** The body for a user has the attributes at the top level, without `data`. */
export function userInput(builder: DocumentBuilder, action: 'create' | 'update'): Schema {
  const writable = builder.scope.rule(USER, action)?.fields
  const isTrusted = builder.scope.principal.kind === 'token' || builder.scope.principal.kind === 'system'
  const isWritable = ({ name }: Attribute) =>
    !INTERNAL_OF_USERS.includes(name) &&
    (writable ? writable.includes(name) : isTrusted || !PRIVILEGED.includes(name))
  return closedObject(attributeProperties(builder, typeOf(builder.model, USER), isWritable))
}

function attributeProperties(
  builder: DocumentBuilder,
  shape: Shape,
  writable: (attribute: Attribute) => boolean = () => true,
): Properties {
  return Object.fromEntries(
    [...shape.attributes.values()].filter(writable).flatMap((attribute) => {
      const schema = attributeSchema(builder, attribute)
      return schema ? [[attribute.name, schema] as const] : []
    }),
  )
}

/** Null for what the caller may not write. */
function attributeSchema(builder: DocumentBuilder, attribute: Attribute): Schema | null {
  if (attribute.writable === false) return null
  switch (attribute.kind) {
    case 'scalar':
      return inputScalar(builder, attribute)
    case 'media':
      return { ...mediaInput(builder, attribute.multiple), ...requiredDescription(attribute) }
    case 'relation':
      return relationSchema(builder, attribute)
    case 'component':
      return componentSchema(builder, attribute)
    case 'zone':
      return zoneSchema(builder, attribute)
  }
}

const requiredDescription = ({ required }: Attribute): Schema =>
  required ? { description: 'Required when publishing.' } : {}

function componentSchema(builder: DocumentBuilder, attribute: ComponentAttribute): Schema {
  const entry = entryInput(builder, attribute.component)
  return {
    ...(attribute.repeatable
      ? { type: ['array', 'null'], items: entry, ...bounds(attribute) }
      : anyOf(entry, nullSchema)),
    ...requiredDescription(attribute),
  }
}

interface Bounded {
  readonly required: boolean
  readonly min: number | null
  readonly max: number | null
}

/** An optional list may be empty, whatever its `min`. */
const bounds = ({ required, min, max }: Bounded): Schema => ({
  ...(min === null || !required ? {} : { minItems: min }),
  ...(max === null ? {} : { maxItems: max }),
})

const ENTRY_ID: Schema = {
  ...integer,
  description:
    'The id of an existing entry, which keeps the attributes that you do not send. Without an id, a new entry is created.',
}

const entryInput = (builder: DocumentBuilder, uid: string): Schema =>
  builder.sharedSchema(`${builder.schemaName(uid)}Input`, () =>
    closedObject({
      id: ENTRY_ID,
      documentId: string,
      __component: { const: uid },
      ...attributeProperties(builder, componentOf(builder.model, uid)),
    }),
  )

function zoneSchema(builder: DocumentBuilder, attribute: ZoneAttribute): Schema {
  const entries = attribute.components.map((uid) => ({
    allOf: [entryInput(builder, uid), { type: 'object', required: ['__component'] }],
  }))
  return {
    type: ['array', 'null'],
    items: anyOf(...entries),
    ...bounds(attribute),
    ...requiredDescription(attribute),
  }
}

function relationSchema(builder: DocumentBuilder, attribute: RelationAttribute): Schema | null {
  if (attribute.target === null) return attribute.many ? morphInput(builder) : null
  if (!builder.scope.may(attribute.target, 'find')) return null
  return { ...(attribute.many ? toMany(builder) : toOne(builder)), ...requiredDescription(attribute) }
}

const referenceSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('Reference', () => ({
    description: 'A document: its documentId, its numeric id, or an object with one of the two.',
    anyOf: [
      string,
      integer,
      closedObject({ id: anyOf(integer, string), locale: string, status: string }, ['id']),
      byDocumentId,
    ],
  }))

const byDocumentId: Schema = closedObject({ documentId: string, locale: string, status: string }, [
  'documentId',
])

export const POSITION: Schema = {
  description: 'The position in the list, with exactly one of these keys. The default is the end.',
  anyOf: [
    closedObject({ before: anyOf(string, integer) }, ['before']),
    closedObject({ after: anyOf(string, integer) }, ['after']),
    closedObject({ start: { const: true } }, ['start']),
    closedObject({ end: { const: true } }, ['end']),
  ],
}

const connectSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('Connect', () => ({
    description:
      'A document to connect, and its position. Applied in order, each to the result of the previous one.',
    anyOf: [
      referenceSchema(builder),
      closedObject({ id: anyOf(integer, string), position: POSITION, locale: string, status: string }, [
        'id',
      ]),
      closedObject({ documentId: string, position: POSITION, locale: string, status: string }, [
        'documentId',
      ]),
    ],
  }))

const operations = (connect: Schema, reference: Schema): readonly Schema[] => [
  closedObject({ set: arrayOf(reference, 'Replaces the list, in this order.') }, ['set']),
  closedObject({
    connect: arrayOf(connect, 'Documents to add.'),
    disconnect: arrayOf(reference, 'Documents to remove.'),
  }),
]

const toMany = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('ToManyInput', () => ({
    description:
      'A list of documents replaces the relation, connect and disconnect change it, null clears it.',
    anyOf: [
      arrayOf(referenceSchema(builder)),
      ...operations(connectSchema(builder), referenceSchema(builder)),
      nullSchema,
    ],
  }))

const toOne = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('ToOneInput', () => ({
    description: 'A document, or null for none. If there are several, the last one is used.',
    anyOf: [
      referenceSchema(builder),
      ...operations(connectSchema(builder), referenceSchema(builder)),
      nullSchema,
    ],
  }))

function morphInput(builder: DocumentBuilder): Schema {
  const __type: Schema = { type: 'string', enum: morphTargets(builder).map(({ uid }) => uid) }
  const reference = anyOf(
    closedObject({ __type, id: anyOf(integer, string) }, ['__type', 'id']),
    closedObject({ __type, documentId: string }, ['__type', 'documentId']),
  )
  const connect = anyOf(
    closedObject({ __type, id: anyOf(integer, string), position: POSITION }, ['__type', 'id']),
    closedObject({ __type, documentId: string, position: POSITION }, ['__type', 'documentId']),
  )
  return anyOf(arrayOf(reference), ...operations(connect, reference), nullSchema)
}

function mediaInput(builder: DocumentBuilder, multiple: boolean): Schema {
  const file = builder.sharedSchema('MediaInput', () => ({
    description: 'An uploaded file: its id or documentId.',
    anyOf: [
      integer,
      string,
      closedObject({ id: anyOf(integer, string) }, ['id']),
      closedObject({ documentId: string }, ['documentId']),
    ],
  }))
  return multiple ? anyOf(arrayOf(file), nullSchema) : anyOf(file, nullSchema)
}
