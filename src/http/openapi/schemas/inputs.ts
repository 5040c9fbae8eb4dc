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
import type { Drawing } from '../document-builder.ts'
import { morphTargets } from './documents.ts'
import { sentScalar } from './scalars.ts'
import { anyOf, closed, integer, list, nothing, type Properties, type Schema, text } from './schema.ts'

/** `{data: {…}}` with the attributes that the caller may write. */
export function bodySchema(d: Drawing, type: ContentType, action: 'create' | 'update'): Schema {
  const writable = d.scope.rule(type.uid, action)?.fields
  const name = `${d.nameOf(type.uid)}Input`
  const data = writable
    ? closed(attributeProperties(d, type, (attribute) => writable.includes(attribute.name)))
    : d.shared(name, () => closed(attributeProperties(d, type)))
  return { type: 'object', required: ['data'], properties: { data } }
}

const INTERNAL_OF_USERS = ['provider', 'resetPasswordToken', 'confirmationToken']
/** What makes an account powerful is for tokens, or for users whose permission names it. */
const DECISIVE = ['role', 'blocked', 'confirmed']

/** A user as the users interface takes it: attributes at the top, without `data`. */
export function userInput(d: Drawing, action: 'create' | 'update'): Schema {
  const writable = d.scope.rule(USER, action)?.fields
  const trusted = d.scope.principal.kind === 'token' || d.scope.principal.kind === 'system'
  const takes = ({ name }: Attribute) =>
    !INTERNAL_OF_USERS.includes(name) &&
    (writable ? writable.includes(name) : trusted || !DECISIVE.includes(name))
  return closed(attributeProperties(d, typeOf(d.model, USER), takes))
}

function attributeProperties(
  d: Drawing,
  shape: Shape,
  writable: (attribute: Attribute) => boolean = () => true,
): Properties {
  return Object.fromEntries(
    [...shape.attributes.values()].filter(writable).flatMap((attribute) => {
      const schema = attributeSchema(d, attribute)
      return schema ? [[attribute.name, schema] as const] : []
    }),
  )
}

/** Null for what the caller may not write. */
function attributeSchema(d: Drawing, attribute: Attribute): Schema | null {
  switch (attribute.kind) {
    case 'scalar':
      return sentScalar(d, attribute)
    case 'media':
      return { ...mediaInput(d, attribute.multiple), ...requiredSentence(attribute) }
    case 'relation':
      return relationSchema(d, attribute)
    case 'component':
      return componentSchema(d, attribute)
    case 'zone':
      return zoneSchema(d, attribute)
  }
}

const requiredSentence = ({ required }: Attribute): Schema =>
  required ? { description: 'Required when publishing.' } : {}

function componentSchema(d: Drawing, attribute: ComponentAttribute): Schema {
  const entry = entryInput(d, attribute.component)
  return {
    ...(attribute.repeatable
      ? { type: ['array', 'null'], items: entry, ...bounds(attribute) }
      : anyOf(entry, nothing)),
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

const entryInput = (d: Drawing, uid: string): Schema =>
  d.shared(`${d.nameOf(uid)}Input`, () =>
    closed({
      id: ENTRY_ID,
      documentId: text,
      // Entries of zones say which component they are.
      __component: { const: uid },
      ...attributeProperties(d, componentOf(d.model, uid)),
    }),
  )

function zoneSchema(d: Drawing, attribute: ZoneAttribute): Schema {
  const entries = attribute.components.map((uid) => ({
    allOf: [entryInput(d, uid), { type: 'object', required: ['__component'] }],
  }))
  return {
    type: ['array', 'null'],
    items: anyOf(...entries),
    ...bounds(attribute),
    ...requiredSentence(attribute),
  }
}

function relationSchema(d: Drawing, attribute: RelationAttribute): Schema | null {
  if (attribute.target === null) return attribute.many ? morphInput(d) : null
  if (!d.scope.may(attribute.target, 'find')) return null
  return { ...(attribute.many ? toMany(d) : toOne(d)), ...requiredSentence(attribute) }
}

/** A document by its numeric id or its documentId. */
const referenceSchema = (d: Drawing): Schema =>
  d.shared('Reference', () => ({
    description: 'A document: its documentId, its numeric id, or an object with one of them.',
    anyOf: [text, integer, closed({ id: anyOf(integer, text), locale: text, status: text }, ['id']), named],
  }))

const named: Schema = closed({ documentId: text, locale: text, status: text }, ['documentId'])

const POSITION: Schema = {
  description: 'Where it goes, with exactly one of these keys; at the end when absent.',
  anyOf: [
    closed({ before: anyOf(text, integer) }, ['before']),
    closed({ after: anyOf(text, integer) }, ['after']),
    closed({ start: { const: true } }, ['start']),
    closed({ end: { const: true } }, ['end']),
  ],
}

const connectSchema = (d: Drawing): Schema =>
  d.shared('Connect', () => ({
    description:
      'A document to connect, and its position. Applied in order, against the list as it then stands.',
    anyOf: [
      referenceSchema(d),
      closed({ id: anyOf(integer, text), position: POSITION, locale: text, status: text }, ['id']),
      closed({ documentId: text, position: POSITION, locale: text, status: text }, ['documentId']),
    ],
  }))

const operations = (connect: Schema, reference: Schema): readonly Schema[] => [
  closed({ set: list(reference, 'Replaces the whole list, in this order.') }, ['set']),
  closed({
    connect: list(connect, 'Added to what is there.'),
    disconnect: list(reference, 'Taken from what is there.'),
  }),
]

const toMany = (d: Drawing): Schema =>
  d.shared('ToManyInput', () => ({
    description: 'A list of documents replaces all; connect and disconnect change some; null clears.',
    anyOf: [list(referenceSchema(d)), ...operations(connectSchema(d), referenceSchema(d)), nothing],
  }))

const toOne = (d: Drawing): Schema =>
  d.shared('ToOneInput', () => ({
    description: 'A document, or null for none. Of several the last counts.',
    anyOf: [referenceSchema(d), ...operations(connectSchema(d), referenceSchema(d)), nothing],
  }))

function morphInput(d: Drawing): Schema {
  const __type: Schema = { type: 'string', enum: morphTargets(d).map(({ uid }) => uid) }
  const reference = anyOf(
    closed({ __type, id: anyOf(integer, text) }, ['__type', 'id']),
    closed({ __type, documentId: text }, ['__type', 'documentId']),
  )
  const connect = anyOf(
    closed({ __type, id: anyOf(integer, text), position: POSITION }, ['__type', 'id']),
    closed({ __type, documentId: text, position: POSITION }, ['__type', 'documentId']),
  )
  return anyOf(list(reference), ...operations(connect, reference), nothing)
}

function mediaInput(d: Drawing, multiple: boolean): Schema {
  const file = d.shared('MediaInput', () => ({
    description: 'A file that was uploaded: its id or documentId.',
    anyOf: [
      integer,
      text,
      closed({ id: anyOf(integer, text) }, ['id']),
      closed({ documentId: text }, ['documentId']),
    ],
  }))
  return multiple ? anyOf(list(file), nothing) : anyOf(file, nothing)
}
