/** The model as text and back, so that a database can keep the model its content was written for. */

import type { Attribute, Component, ContentType, Model, ScalarAttribute } from './model.ts'
import { segmentOf } from './schema/check-links.ts'

/** A bigint is kept as text. */
type KeptBound = number | string | null

type KeptAttribute =
  | Exclude<Attribute, ScalarAttribute>
  | (Omit<ScalarAttribute, 'regex' | 'default' | 'min' | 'max'> & {
      readonly regex: string | null
      readonly min: KeptBound
      readonly max: KeptBound
      readonly default?: unknown
    })

type Kept<Shape> = Omit<Shape, 'attributes'> & { readonly attributes: readonly [string, KeptAttribute][] }

interface KeptModel {
  readonly types: readonly [string, Kept<ContentType>][]
  readonly components: readonly [string, Kept<Component>][]
  readonly locales: Model['locales']
}

/** The text of a model, without the schema files it was read from. Equal models have equal texts. */
export const serializeModel = ({ types, components, locales }: Model): string =>
  JSON.stringify({ types, components, locales }, (_key, value: unknown) => {
    if (value instanceof Map) return [...value]
    if (typeof value === 'bigint') return String(value)
    return value instanceof RegExp ? value.source : value
  })

/** The model that a text was made of. */
export function deserializeModel(text: string): Model {
  const kept: KeptModel = JSON.parse(text)
  const types = new Map(kept.types.map(([uid, type]): [string, ContentType] => [uid, restored(type)]))
  const components = new Map(kept.components.map(([uid, one]): [string, Component] => [uid, restored(one)]))
  const generated = [...types.values()].filter((type) => type.generated)
  return {
    types,
    components,
    endpoints: new Map(generated.map((type) => [segmentOf(type), type])),
    locales: kept.locales,
    sources: [],
  }
}

const restored = <Shape extends object>({ attributes, ...shape }: Kept<Shape>) => ({
  ...shape,
  attributes: new Map(
    attributes.map(([name, attribute]): [string, Attribute] => [name, restoredAttribute(attribute)]),
  ),
})

const restoredAttribute = (attribute: KeptAttribute): Attribute =>
  attribute.kind === 'scalar'
    ? {
        ...attribute,
        default: attribute.default,
        regex: attribute.regex === null ? null : new RegExp(attribute.regex),
        min: restoredBound(attribute.min),
        max: restoredBound(attribute.max),
      }
    : attribute

const restoredBound = (bound: KeptBound) => (typeof bound === 'string' ? BigInt(bound) : bound)
