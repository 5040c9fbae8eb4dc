/** Versions of documents and entries of components as the naive evaluator keeps them, and what they have. */
import type { Json } from '../reference/recording.ts'
import type { WorldAttribute, WorldShape, WorldType } from './world.ts'

export type Status = 'draft' | 'published'

/** A link to a document, and when it was made: the order of the other side. */
export interface Link {
  readonly to: string
  readonly since: number
}

/** A version of a document, or an entry of a component inside it. */
export interface Thing {
  readonly shape: WorldShape
  scalars: Record<string, Json>
  links: Record<string, readonly Link[]>
  entries: Record<string, readonly Thing[]>
  /** Null on entries. */
  readonly version: {
    readonly type: WorldType
    readonly key: string
    readonly locale: string
    readonly status: Status
  } | null
}

/** Numeric ids are given by the server, so it is asked for them. */
export type IdOf = (key: string, locale: string, status: Status) => number

/** How far a walk has come: which versions it shows. */
export interface View {
  readonly status: Status
  readonly locale: string
}

export const found = <T>(thing: T | undefined): T => {
  if (thing === undefined) throw new Error('The question names something that the world does not have')
  return thing
}

export const attributeOf = (thing: Thing, name: string): WorldAttribute => found(thing.shape.attributes[name])

export const isMany = (attribute: WorldAttribute | null) =>
  attribute === null ||
  (attribute.kind === 'relation' && attribute.many) ||
  (attribute.kind === 'component' && attribute.repeatable)

export function isShown({ type, locale, status }: NonNullable<Thing['version']>, view: View) {
  return (
    (!type.drafts || status === view.status) &&
    (!type.localized || view.locale === '*' || locale === view.locale)
  )
}

export function servedFields({ shape, version }: Thing): string[] {
  const scalars = Object.entries(shape.attributes)
    .filter(
      ([, attribute]) => attribute.kind === 'scalar' && !attribute.private && attribute.type !== 'password',
    )
    .map(([name]) => name)
  if (!version) return scalars
  return [...scalars, 'createdAt', 'updatedAt', 'publishedAt', ...(version.type.localized ? ['locale'] : [])]
}

export function servedValue(thing: Thing, name: string): Json {
  if (!thing.version) return thing.scalars[name] ?? null
  if (name === 'createdAt' || name === 'updatedAt') return '{{time}}'
  if (name === 'publishedAt') return thing.version.status === 'draft' ? null : '{{time}}'
  if (name === 'locale') return thing.version.locale
  return thing.scalars[name] ?? null
}

const isLocalized = (attribute: WorldAttribute) => attribute.kind !== 'relation' && attribute.localized

/** Copies what the locales of a document have in common: all but relations and localized attributes. */
export function copyShared(from: Thing, to: Thing) {
  const source = copyOf(from)
  for (const [name, attribute] of Object.entries(from.shape.attributes)) {
    if (attribute.kind === 'relation' || isLocalized(attribute)) continue
    if (attribute.kind === 'scalar') to.scalars[name] = source.scalars[name] ?? null
    else to.entries[name] = source.entries[name] ?? []
  }
}

export const copyOf = ({ scalars, links, entries }: Thing): Pick<Thing, 'scalars' | 'links' | 'entries'> => ({
  scalars: { ...scalars },
  links: { ...links },
  entries: { ...entries },
})

export type FieldType = Extract<WorldAttribute, { kind: 'scalar' }>['type']

export function typeOfField({ shape }: Thing, name: string): FieldType {
  const attribute = shape.attributes[name]
  return attribute?.kind === 'scalar' ? attribute.type : name === 'id' ? 'integer' : 'string'
}
