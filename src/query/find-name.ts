/** Looks up the names in a query, in the model and among what the caller may see. No other code does. */
import {
  type Attribute,
  type Component,
  type ContentType,
  componentOf,
  FILE,
  plainScalar,
  type ScalarAttribute,
  typeOf,
} from '../model/model.ts'
import { isReadable } from '../model/privacy.ts'
import { ID_TYPE } from '../model/scalars/index.ts'
import type { Field, Step } from '../plan/query-tree.ts'
import { columnOf } from '../store/tables/layout.ts'
import { INVALID_RULE, type ParseContext, type ReadAction } from './parse-context.ts'

/** What a name is looked up in: a document, or an entry of a component in a document. */
export type Subject =
  | { readonly kind: 'document'; readonly type: ContentType; readonly action: ReadAction }
  | { readonly kind: 'entry'; readonly type: ContentType; readonly component: Component }

export type Found =
  | { readonly kind: 'field'; readonly field: Field; readonly attribute: ScalarAttribute }
  /** Who created the document or changed it last. */
  | {
      readonly kind: 'author'
      readonly field: Field
      readonly canFilter: boolean
      readonly canPopulate: boolean
    }
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
  /** The documents that use a file, or that refer to a document of this type. */
  | { readonly kind: 'usages'; readonly of: ContentType | null; readonly ofAnyStatus?: true }
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
  /** It exists, but the caller may not see the type that it refers to. */
  | { readonly kind: 'forbidden' }

/** The name under which the server reads the documents that refer to one, or use a file. Attributes cannot have it. */
export const USED_BY = '__usedBy'

export const documentOf = (type: ContentType, action: ReadAction = 'find'): Subject => ({
  kind: 'document',
  type,
  action,
})

/** Whether the caller may see documents of a type in the requested status. */
export function canFind({ scope, status, accessedTypes }: ParseContext, type: ContentType): boolean {
  accessedTypes.add(type.uid)
  const hasDrafts = status === 'draft' && type.draftAndPublish
  return scope.may(type.uid, 'find') && (!hasDrafts || scope.may(type.uid, 'readDrafts'))
}

export const attributesOf = (subject: Subject) =>
  subject.kind === 'document' ? subject.type.attributes : subject.component.attributes

/** What a name means for a subject, or null when there is no such name or it is private. */
export function findName(context: ParseContext, subject: Subject, name: string): Found | null {
  const built = builtIn(context, subject, name)
  if (built) return built
  const attribute = attributesOf(subject).get(name)
  if (!attribute || !canRead(context, subject, attribute) || !isFieldAllowed(context, subject, name))
    return null
  switch (attribute.kind) {
    case 'scalar':
      return { kind: 'field', attribute, field: { name, column: columnOf(name), type: attribute.type } }
    case 'media':
      return related(context, subject, name, FILE, attribute.multiple, 'forward', null)
    case 'relation':
      if (attribute.target === null) return { kind: 'morph', attribute }
      return related(
        context,
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
          component: componentOf(context.model, attribute.component),
        },
      }
    case 'zone':
      return { kind: 'zone', step: { kind: 'entries', attribute: name }, components: attribute.components }
  }
}

/** The admin app also shows the private attributes of documents, which are private to the people who write them. */
function canRead({ isTrusted, scope }: ParseContext, subject: Subject, attribute: Attribute): boolean {
  const isForEditor = scope.isTeam === true && subject.kind === 'document' && subject.type.generated
  return isReadable(attribute, isTrusted || isForEditor)
}

/** What can be populated in addition to the attributes. */
export const extraNames = (subject: Subject): readonly string[] => [
  ...(subject.kind === 'document' && subject.type.localized ? ['localizations'] : []),
  ...(subject.kind === 'document' && subject.type.uid === FILE ? ['related'] : []),
  ...(subject.kind === 'document' && subject.type.showsCreators ? authorFields.keys() : []),
]

/** The path of an unusable name in an error: its own if the caller may know that it exists, else where it was looked up. */
export const errorPath = (found: Found | null, name: string, path: readonly string[]): readonly string[] =>
  found === null || found.kind === 'forbidden' ? path : [...path, name]

/** The names of these kinds that the caller may use, for suggestions. */
export const usableNames = (
  context: ParseContext,
  subject: Subject,
  kinds: readonly Found['kind'][],
): readonly string[] =>
  [...attributesOf(subject).keys(), ...builtInNames.keys(), ...extraNames(subject)].filter((name) => {
    const kind = findName(context, subject, name)?.kind
    return kind !== undefined && kinds.includes(kind)
  })

/** Every readable scalar attribute, without the built-in fields. */
export function readableFields(
  context: ParseContext,
  subject: Subject,
): readonly { field: Field; attribute: ScalarAttribute }[] {
  return [...attributesOf(subject).keys()].flatMap((name) => {
    const found = findName(context, subject, name)
    return found?.kind === 'field' ? [found] : []
  })
}

/** The fields to show when none are requested: null (all) unless a rule limits them. */
export function defaultFields(context: ParseContext, subject: Subject): readonly Field[] | null {
  if (subject.kind === 'entry' || !context.scope.rule(subject.type.uid, subject.action)?.fields) return null
  const builtIn = ['createdAt', 'updatedAt', 'publishedAt', ...(subject.type.localized ? ['locale'] : [])]
  return [
    ...readableFields(context, subject).map(({ field }) => field),
    ...builtIn.flatMap((name) => {
      const found = findName(context, subject, name)
      return found?.kind === 'field' ? [found.field] : []
    }),
  ]
}

function isFieldAllowed(context: ParseContext, subject: Subject, name: string): boolean {
  if (subject.kind === 'entry') return true
  const fields = context.scope.rule(subject.type.uid, subject.action)?.fields
  return !fields || fields.includes(name)
}

function related(
  context: ParseContext,
  subject: Subject,
  name: string,
  targetUid: string,
  many: boolean,
  direction: 'forward' | 'backward',
  ownerAttribute: string | null,
): Found {
  const target = typeOf(context.model, targetUid)
  if (targetUid !== FILE && !canFind(context, target)) return { kind: 'forbidden' }
  const visible = context.rowCondition(target)
  if (visible === INVALID_RULE) return { kind: 'forbidden' }
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

export const builtInFields = {
  id: { name: 'id', column: 'id', type: 'id' },
  documentId: { name: 'documentId', column: 'document_id', type: 'string' },
  createdAt: { name: 'createdAt', column: 'created_at', type: 'datetime' },
  updatedAt: { name: 'updatedAt', column: 'updated_at', type: 'datetime' },
  publishedAt: { name: 'publishedAt', column: 'published_at', type: 'datetime' },
  locale: { name: 'locale', column: 'locale', type: 'string' },
} as const satisfies Readonly<Record<string, Field>>

/** Not among the built-in fields: they are neither served nor sorted by, and only some callers may filter by them. */
const authorFields: ReadonlyMap<string, Field> = new Map(
  [
    ['createdBy', 'created_by'],
    ['updatedBy', 'updated_by'],
  ].map(([name = '', column = '']) => [name, { name, column, type: 'string' }]),
)

const builtInNames = new Map(
  Object.values(builtInFields).map((field): [string, Extract<Found, { kind: 'field' }>] => [
    field.name,
    {
      kind: 'field',
      field,
      attribute: plainScalar(field.name, field.type === 'id' ? ID_TYPE : field.type),
    },
  ]),
)

function builtIn(context: ParseContext, subject: Subject, name: string): Found | null {
  if (subject.kind === 'entry')
    return name === 'id' || name === 'documentId' ? (builtInNames.get(name) ?? null) : null
  if ((name === 'locale' || name === 'localizations') && !subject.type.localized) return null
  if (name === 'localizations') {
    const visible = context.rowCondition(subject.type, subject.action)
    if (visible === INVALID_RULE) return { kind: 'forbidden' }
    return {
      kind: 'related',
      step: { kind: 'localizations', target: subject.type.uid, visible },
      many: true,
      subject,
      media: false,
    }
  }
  const author = authorFields.get(name)
  if (author) {
    const canFilter = context.isTrusted || context.scope.isTeam === true
    const canPopulate = subject.type.showsCreators === true && isFieldAllowed(context, subject, name)
    return canFilter || canPopulate ? { kind: 'author', field: author, canFilter, canPopulate } : null
  }
  if (name === 'related' && subject.type.uid === FILE) return { kind: 'usages', of: null }
  // It also shows drafts. Only with `status=draft` are types left out whose drafts the caller may not read.
  if (name === USED_BY && subject.type.uid === FILE && context.status === 'draft')
    return { kind: 'usages', of: null, ofAnyStatus: true }
  if (name === USED_BY && context.scope.isTeam && subject.type.generated)
    return { kind: 'usages', of: subject.type }
  return builtInNames.get(name) ?? null
}
