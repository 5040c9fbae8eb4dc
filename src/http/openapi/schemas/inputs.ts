/** Schemas of what bodies send: the data of a document, components, entries of zones, relations, media. */
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
export function bodySchema(builder: DocumentBuilder, type: ContentType, action: 'create' | 'update'): Schema {
  const writable = builder.scope.rule(type.uid, action)?.fields
  const name = `${builder.schemaName(type.uid)}Input`
  const data = writable
    ? closedObject(attributeProperties(builder, type, (attribute) => writable.includes(attribute.name)))
    : builder.sharedSchema(name, () => closedObject(attributeProperties(builder, type)))
  return { type: 'object', required: ['data'], properties: { data } }
}

const INTERNAL_OF_USERS = ['provider', 'resetPasswordToken', 'confirmationToken']
/** What makes an account powerful is for tokens, or for users whose permission names it. */
const DECISIVE = ['role', 'blocked', 'confirmed']

/** A user as the users interface takes it: attributes at the top, without `data`. */
export function userInput(builder: DocumentBuilder, action: 'create' | 'update'): Schema {
  const writable = builder.scope.rule(USER, action)?.fields
  const trusted = builder.scope.principal.kind === 'token' || builder.scope.principal.kind === 'system'
  const takes = ({ name }: Attribute) =>
    !INTERNAL_OF_USERS.includes(name) &&
    (writable ? writable.includes(name) : trusted || !DECISIVE.includes(name))
  return closedObject(attributeProperties(builder, typeOf(builder.model, USER), takes))
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
  switch (attribute.kind) {
    case 'scalar':
      return inputScalar(builder, attribute)
    case 'media':
      return { ...mediaInput(builder, attribute.multiple), ...requiredSentence(attribute) }
    case 'relation':
      return relationSchema(builder, attribute)
    case 'component':
      return componentSchema(builder, attribute)
    case 'zone':
      return zoneSchema(builder, attribute)
  }
}

const requiredSentence = ({ required }: Attribute): Schema =>
  required ? { description: 'Required when publishing.' } : {}

function componentSchema(builder: DocumentBuilder, attribute: ComponentAttribute): Schema {
  const entry = entryInput(builder, attribute.component)
  return {
    ...(attribute.repeatable
      ? { type: ['array', 'null'], items: entry, ...bounds(attribute) }
      : anyOf(entry, nullSchema)),
    ...requiredSentence(attribute),
  }
}

interface Bounded {
  readonly required: boolean
  readonly min: number | null
  readonly max: number | null
}

/** What may be missing may be an empty list, whatever its least length. */
const bounds = ({ required, min, max }: Bounded): Schema => ({
  ...(min === null || !required ? {} : { minItems: min }),
  ...(max === null ? {} : { maxItems: max }),
})

const ENTRY_ID: Schema = {
  ...integer,
  description:
    'Of an entry that the document has: it is changed and keeps what is not sent. Without it, a new entry.',
}

const entryInput = (builder: DocumentBuilder, uid: string): Schema =>
  builder.sharedSchema(`${builder.schemaName(uid)}Input`, () =>
    closedObject({
      id: ENTRY_ID,
      documentId: string,
      // Entries of zones say which component they are.
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
    ...requiredSentence(attribute),
  }
}

function relationSchema(builder: DocumentBuilder, attribute: RelationAttribute): Schema | null {
  if (attribute.target === null) return attribute.many ? morphInput(builder) : null
  if (!builder.scope.may(attribute.target, 'find')) return null
  return { ...(attribute.many ? toMany(builder) : toOne(builder)), ...requiredSentence(attribute) }
}

/** A document by its numeric id or its documentId. */
const referenceSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('Reference', () => ({
    description: 'A document: its documentId, its numeric id, or an object with one of them.',
    anyOf: [
      string,
      integer,
      closedObject({ id: anyOf(integer, string), locale: string, status: string }, ['id']),
      named,
    ],
  }))

const named: Schema = closedObject({ documentId: string, locale: string, status: string }, ['documentId'])

const POSITION: Schema = {
  description: 'Where it goes, with exactly one of these keys; at the end when absent.',
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
      'A document to connect, and its position. Applied in order, against the list as it then stands.',
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
  closedObject({ set: arrayOf(reference, 'Replaces the whole list, in this order.') }, ['set']),
  closedObject({
    connect: arrayOf(connect, 'Added to what is there.'),
    disconnect: arrayOf(reference, 'Taken from what is there.'),
  }),
]

const toMany = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('ToManyInput', () => ({
    description: 'A list of documents replaces all; connect and disconnect change some; null clears.',
    anyOf: [
      arrayOf(referenceSchema(builder)),
      ...operations(connectSchema(builder), referenceSchema(builder)),
      nullSchema,
    ],
  }))

const toOne = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('ToOneInput', () => ({
    description: 'A document, or null for none. Of several the last counts.',
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
    description: 'A file that was uploaded: its id or documentId.',
    anyOf: [
      integer,
      string,
      closedObject({ id: anyOf(integer, string) }, ['id']),
      closedObject({ documentId: string }, ['documentId']),
    ],
  }))
  return multiple ? anyOf(arrayOf(file), nullSchema) : anyOf(file, nullSchema)
}
