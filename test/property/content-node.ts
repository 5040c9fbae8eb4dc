/** Versions of documents and entries of components, as the naive evaluator keeps them. */
import type { Json } from '../reference/recording.ts'
import type { RandomAttribute, RandomShape, RandomType } from './random-model.ts'

export type Status = 'draft' | 'published'

/** A link to a document. `since` gives the order on the other side of the relation. */
export interface Link {
  readonly to: string
  readonly since: number
}

/** A version of a document, or an entry of a component inside it. */
export interface ContentNode {
  readonly shape: RandomShape
  scalars: Record<string, Json>
  links: Record<string, readonly Link[]>
  entries: Record<string, readonly ContentNode[]>
  /** Null on entries. */
  readonly version: {
    readonly type: RandomType
    readonly key: string
    readonly locale: string
    readonly status: Status
  } | null
}

/** Numeric ids are assigned by the server. */
export type IdOf = (key: string, locale: string, status: Status) => number

/** The versions that a query sees. */
export interface View {
  readonly status: Status
  readonly locale: string
}

export const required = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('The query names something that the model does not have')
  return value
}

export const attributeOf = (node: ContentNode, name: string): RandomAttribute =>
  required(node.shape.attributes[name])

export const isMany = (attribute: RandomAttribute | null) =>
  attribute === null ||
  (attribute.kind === 'relation' && attribute.many) ||
  (attribute.kind === 'component' && attribute.repeatable)

export function isVisible({ type, locale, status }: NonNullable<ContentNode['version']>, view: View) {
  return (
    (!type.drafts || status === view.status) &&
    (!type.localized || view.locale === '*' || locale === view.locale)
  )
}

export function servedFields({ shape, version }: ContentNode): string[] {
  const scalars = Object.entries(shape.attributes)
    .filter(
      ([, attribute]) => attribute.kind === 'scalar' && !attribute.private && attribute.type !== 'password',
    )
    .map(([name]) => name)
  if (!version) return scalars
  return [...scalars, 'createdAt', 'updatedAt', 'publishedAt', ...(version.type.localized ? ['locale'] : [])]
}

export function servedValue(node: ContentNode, name: string): Json {
  if (!node.version) return node.scalars[name] ?? null
  if (name === 'createdAt' || name === 'updatedAt') return '{{time}}'
  if (name === 'publishedAt') return node.version.status === 'draft' ? null : '{{time}}'
  if (name === 'locale') return node.version.locale
  return node.scalars[name] ?? null
}

const isLocalized = (attribute: RandomAttribute) => attribute.kind !== 'relation' && attribute.localized

/** Copies what all locales of a document share: everything except relations and localized attributes. */
export function copyShared(from: ContentNode, to: ContentNode) {
  const source = copyOf(from)
  for (const [name, attribute] of Object.entries(from.shape.attributes)) {
    if (attribute.kind === 'relation' || isLocalized(attribute)) continue
    if (attribute.kind === 'scalar') to.scalars[name] = source.scalars[name] ?? null
    else to.entries[name] = source.entries[name] ?? []
  }
}

export const copyOf = ({
  scalars,
  links,
  entries,
}: ContentNode): Pick<ContentNode, 'scalars' | 'links' | 'entries'> => ({
  scalars: { ...scalars },
  links: { ...links },
  entries: { ...entries },
})

export type FieldType = Extract<RandomAttribute, { kind: 'scalar' }>['type']

export function typeOfField({ shape }: ContentNode, name: string): FieldType {
  const attribute = shape.attributes[name]
  return attribute?.kind === 'scalar' ? attribute.type : name === 'id' ? 'integer' : 'string'
}
