/** Serializes the model, so that a database can store the model that its content was written for. */

import type { Attribute, Component, ContentType, Model, ScalarAttribute } from './model.ts'
import { segmentOf } from './naming.ts'
import { Pattern } from './pattern/pattern.ts'

/** A bigint is serialized as a string. */
type SerializedBound = number | string | null

type SerializedAttribute =
  | Exclude<Attribute, ScalarAttribute>
  | (Omit<ScalarAttribute, 'regex' | 'default' | 'min' | 'max'> & {
      readonly regex: string | null
      readonly min: SerializedBound
      readonly max: SerializedBound
      readonly default?: unknown
    })

type Serialized<Shape> = Omit<Shape, 'attributes'> & {
  readonly attributes: readonly [string, SerializedAttribute][]
}

interface SerializedModel {
  readonly types: readonly [string, Serialized<ContentType>][]
  readonly components: readonly [string, Serialized<Component>][]
  readonly locales: Model['locales']
}

/** Equal models give equal texts. The schema files are not included. */
export const serializeModel = ({ types, components, locales }: Model): string =>
  JSON.stringify({ types, components, locales }, (_key, value: unknown) => {
    if (value instanceof Map) return [...value]
    return typeof value === 'bigint' ? String(value) : value
  })

export function deserializeModel(text: string): Model {
  const serialized: SerializedModel = JSON.parse(text)
  const types = new Map(
    serialized.types.map(([uid, type]): [string, ContentType] => [uid, deserializeShape(type)]),
  )
  const components = new Map(
    serialized.components.map(([uid, one]): [string, Component] => [uid, deserializeShape(one)]),
  )
  const generated = [...types.values()].filter((type) => type.generated)
  return {
    types,
    components,
    endpoints: new Map(generated.map((type) => [segmentOf(type), type])),
    locales: serialized.locales,
    sources: [],
  }
}

const deserializeShape = <Shape extends object>({ attributes, ...shape }: Serialized<Shape>) => ({
  ...shape,
  attributes: new Map(
    attributes.map(([name, attribute]): [string, Attribute] => [name, deserializeAttribute(attribute)]),
  ),
})

const deserializeAttribute = (attribute: SerializedAttribute): Attribute =>
  attribute.kind === 'scalar'
    ? {
        ...attribute,
        default: attribute.default,
        regex: attribute.regex === null ? null : new Pattern(attribute.regex),
        min: deserializeBound(attribute.min),
        max: deserializeBound(attribute.max),
      }
    : attribute

const deserializeBound = (bound: SerializedBound) => (typeof bound === 'string' ? BigInt(bound) : bound)
