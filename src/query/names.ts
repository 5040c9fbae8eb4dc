/** Names in a query are looked up here: in the model, and in what the caller may see. There is no other look-up. */
import {
  type Attribute,
  type Component,
  type ContentType,
  componentOf,
  FILE,
  type ScalarAttribute,
  typeOf,
} from '../model/model.ts'
import { plainScalar } from '../model/scalar.ts'
import type { Field, Step } from '../plan/tree.ts'
import { columnOf } from '../store/tables/layout.ts'
import { type ReadAction, type Reading, UNFIT } from './parse-context.ts'

/** What names are looked up in: a document of a type, or an entry of a component inside a document of a type. */
export type Subject =
  | { readonly kind: 'document'; readonly type: ContentType; readonly action: ReadAction }
  | { readonly kind: 'entry'; readonly type: ContentType; readonly component: Component }

export type Found =
  | { readonly kind: 'field'; readonly field: Field; readonly attribute: ScalarAttribute }
  /** Related documents of one type. */
  | {
      readonly kind: 'related'
      readonly step: Extract<Step, { kind: 'edges' | 'localizations' }>
      readonly many: boolean
      readonly subject: Subject
      readonly media: boolean
    }
  /** Related documents of any type. */
  | { readonly kind: 'morph'; readonly attribute: Extract<Attribute, { kind: 'relation' }> }
  /** The documents that show a file. */
  | { readonly kind: 'showing' }
  | {
      readonly kind: 'component'
      readonly step: Extract<Step, { kind: 'entries' }>
      readonly many: boolean
      readonly subject: Subject
    }
  | {
      readonly kind: 'zone'
      readonly step: Extract<Step, { kind: 'entries' }>
      readonly components: readonly string[]
    }
  /** It exists, but the caller may not see the type behind it. */
  | { readonly kind: 'forbidden' }

export const documentOf = (type: ContentType, action: ReadAction = 'find'): Subject => ({
  kind: 'document',
  type,
  action,
})

/** Whether the caller may see documents of a type in the status asked for. */
export function maySee({ scope, status, reached }: Reading, type: ContentType): boolean {
  reached.add(type.uid)
  const hasDrafts = status === 'draft' && type.draftAndPublish
  return scope.may(type.uid, 'find') && (!hasDrafts || scope.may(type.uid, 'readDrafts'))
}

export const attributesOf = (subject: Subject) =>
  subject.kind === 'document' ? subject.type.attributes : subject.component.attributes

/** What a name means for a subject, or null when there is no such name or it is private. */
export function find(reading: Reading, subject: Subject, name: string): Found | null {
  const built = builtIn(reading, subject, name)
  if (built) return built
  const attribute = attributesOf(subject).get(name)
  if (!attribute || (attribute.private && !reading.trusted) || !readable(reading, subject, name)) return null
  switch (attribute.kind) {
    case 'scalar':
      return attribute.type === 'password'
        ? null
        : { kind: 'field', attribute, field: { name, column: columnOf(name), type: attribute.type } }
    case 'media':
      return related(reading, subject, name, FILE, attribute.multiple, 'forward', null)
    case 'relation':
      if (attribute.target === null) return { kind: 'morph', attribute }
      return related(
        reading,
        subject,
        name,
        attribute.target,
        attribute.many,
        attribute.side === 'owner' ? 'forward' : 'backward',
        attribute.other,
      )
    case 'component':
      return {
        kind: 'component',
        step: { kind: 'entries', attribute: name },
        many: attribute.repeatable,
        subject: {
          kind: 'entry',
          type: subject.type,
          component: componentOf(reading.model, attribute.component),
        },
      }
    case 'zone':
      return { kind: 'zone', step: { kind: 'entries', attribute: name }, components: attribute.components }
  }
}

/** What can be populated in something beside its attributes. */
export const addedNames = (subject: Subject): readonly string[] => [
  ...(subject.kind === 'document' && subject.type.localized ? ['localizations'] : []),
  ...(subject.kind === 'document' && subject.type.uid === FILE ? ['related'] : []),
]

/** Where a name is that cannot be used: at its own place if the caller may know of it, else where it was looked for. */
export const placeOf = (found: Found | null, name: string, path: readonly string[]): readonly string[] =>
  found === null || found.kind === 'forbidden' ? path : [...path, name]

/** The names of a subject that the caller may use, of these kinds; for what was probably meant. */
export const usableNames = (
  reading: Reading,
  subject: Subject,
  kinds: readonly Found['kind'][],
): readonly string[] =>
  [...attributesOf(subject).keys(), ...builtInNames.keys(), ...addedNames(subject)].filter((name) => {
    const kind = find(reading, subject, name)?.kind
    return kind !== undefined && kinds.includes(kind)
  })

/** Every scalar that may be read, without the built-in ones. */
export function readableFields(
  reading: Reading,
  subject: Subject,
): readonly { field: Field; attribute: ScalarAttribute }[] {
  return [...attributesOf(subject).keys()].flatMap((name) => {
    const found = find(reading, subject, name)
    return found?.kind === 'field' ? [found] : []
  })
}

/** The fields to show when none are asked for: null (all) unless a rule narrows them. */
export function allFields(reading: Reading, subject: Subject): readonly Field[] | null {
  if (subject.kind === 'entry' || !reading.scope.rule(subject.type.uid, subject.action)?.fields) return null
  const builtIn = ['createdAt', 'updatedAt', 'publishedAt', ...(subject.type.localized ? ['locale'] : [])]
  return [
    ...readableFields(reading, subject).map(({ field }) => field),
    ...builtIn.flatMap((name) => {
      const found = find(reading, subject, name)
      return found?.kind === 'field' ? [found.field] : []
    }),
  ]
}

function readable(reading: Reading, subject: Subject, name: string): boolean {
  if (subject.kind === 'entry') return true
  const fields = reading.scope.rule(subject.type.uid, subject.action)?.fields
  return !fields || fields.includes(name)
}

function related(
  reading: Reading,
  subject: Subject,
  name: string,
  targetUid: string,
  many: boolean,
  direction: 'forward' | 'backward',
  ownerAttribute: string | null,
): Found {
  const target = typeOf(reading.model, targetUid)
  if (targetUid !== FILE && !maySee(reading, target)) return { kind: 'forbidden' }
  const visible = reading.visible(target)
  if (visible === UNFIT) return { kind: 'forbidden' }
  const relation =
    direction === 'forward'
      ? {
          type: subject.type.uid,
          component: subject.kind === 'entry' ? subject.component.uid : null,
          attribute: name,
        }
      : { type: targetUid, component: null, attribute: ownerAttribute ?? name }
  return {
    kind: 'related',
    step: { kind: 'edges', direction, relation, target: targetUid, visible },
    many,
    subject: documentOf(target),
    media: targetUid === FILE,
  }
}

const builtInFields: Readonly<Record<string, Field>> = {
  id: { name: 'id', column: 'id', type: 'id' },
  documentId: { name: 'documentId', column: 'document_id', type: 'string' },
  createdAt: { name: 'createdAt', column: 'created_at', type: 'datetime' },
  updatedAt: { name: 'updatedAt', column: 'updated_at', type: 'datetime' },
  publishedAt: { name: 'publishedAt', column: 'published_at', type: 'datetime' },
  locale: { name: 'locale', column: 'locale', type: 'string' },
}

const builtInNames = new Map(
  Object.values(builtInFields).map((field): [string, Extract<Found, { kind: 'field' }>] => [
    field.name,
    {
      kind: 'field',
      field,
      attribute: plainScalar(field.name, field.type === 'id' ? 'integer' : field.type),
    },
  ]),
)

function builtIn(reading: Reading, subject: Subject, name: string): Found | null {
  if (subject.kind === 'entry')
    return name === 'id' || name === 'documentId' ? (builtInNames.get(name) ?? null) : null
  if ((name === 'locale' || name === 'localizations') && !subject.type.localized) return null
  if (name === 'localizations') {
    const visible = reading.visible(subject.type, subject.action)
    if (visible === UNFIT) return { kind: 'forbidden' }
    return {
      kind: 'related',
      step: { kind: 'localizations', target: subject.type.uid, visible },
      many: true,
      subject,
      media: false,
    }
  }
  if (name === 'related' && subject.type.uid === FILE) return { kind: 'showing' }
  return builtInNames.get(name) ?? null
}
