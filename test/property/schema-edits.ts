/** Random edits of a random model that keep content: what the schema files declare, and the content that must result. */
import fc from 'fast-check'
import type { ScalarTypeName } from '../../src/model/model.ts'
import type { Json, JsonObject } from '../reference/recording.ts'
import { type Dump, mapNodes } from './dump.ts'
import type { FormerNames, RandomAttribute, RandomModel, RandomShape, RandomType } from './random-model.ts'

export interface SchemaEdit {
  readonly title: string
  readonly next: RandomModel
  readonly former: FormerNames
  /** The content that all versions must have after the migration. */
  expected(before: Dump): Dump
}

const NEW_SCALARS: readonly ScalarTypeName[] = [
  'string',
  'integer',
  'json',
  'datetime',
  'biginteger',
  'blocks',
]

const unchanged = (value: Json) => value

/** Conversions that keep every value, and how it looks in the other type. */
const CONVERSIONS: readonly (readonly [ScalarTypeName, ScalarTypeName, (value: Json) => Json])[] = [
  ['string', 'text', unchanged],
  ['string', 'richtext', unchanged],
  ['text', 'richtext', unchanged],
  ['email', 'text', unchanged],
  ['email', 'string', unchanged],
  ['enumeration', 'string', unchanged],
  ['enumeration', 'text', unchanged],
  ['integer', 'biginteger', String],
  ['integer', 'float', unchanged],
  ['integer', 'decimal', unchanged],
  ['integer', 'string', String],
  ['biginteger', 'string', unchanged],
  ['date', 'string', unchanged],
  ['date', 'datetime', (value) => `${value}T00:00:00.000Z`],
]

export function editOf(model: RandomModel, step: number): fc.Arbitrary<SchemaEdit> {
  const shapes = [...model.types, ...model.components]
  const fresh = `x${step}`
  const edits = shapes.flatMap((shape) => [
    'drafts' in shape ? renameType(model, shape, fresh) : renameComponent(model, shape, fresh),
    add(model, shape, fresh),
    reorder(model, shape),
    ...Object.entries(shape.attributes).flatMap(([name, attribute]) => [
      rename(model, shape, name, fresh),
      ...(attribute.kind === 'relation' ? [] : [remove(model, shape, name)]),
      ...(attribute.kind === 'scalar' ? convert(model, shape, name, attribute) : []),
      ...(attribute.kind === 'component' ? [repeat(model, shape, name, attribute)] : []),
    ]),
  ])
  return fc.oneof(...edits)
}

/** The model with one name in place of another wherever it stands for a type or a component. */
function withName(model: RandomModel, from: string, to: string): RandomModel {
  const named = (name: string) => (name === from ? to : name)
  const attributeOf = (attribute: RandomAttribute): RandomAttribute => {
    switch (attribute.kind) {
      case 'scalar':
        return attribute
      case 'relation':
        return { ...attribute, target: attribute.target === null ? null : named(attribute.target) }
      case 'component':
        return { ...attribute, component: named(attribute.component) }
      case 'zone':
        return { ...attribute, components: attribute.components.map(named) }
    }
  }
  const changed = <Shape extends RandomShape>(shape: Shape): Shape => ({
    ...shape,
    name: named(shape.name),
    attributes: Object.fromEntries(
      Object.entries(shape.attributes).map(([name, attribute]) => [name, attributeOf(attribute)]),
    ),
  })
  return { types: model.types.map(changed), components: model.components.map(changed) }
}

const renameType = (model: RandomModel, { name: from }: RandomShape, to: string): fc.Arbitrary<SchemaEdit> =>
  fc.constant({
    title: `rename type ${from} to ${to}`,
    next: withName(model, from, to),
    former: { shapes: { [to]: from } },
    expected: (before) =>
      Object.fromEntries(
        Object.entries(before).map(([view, documents]) => {
          const [type = '', ...others] = view.split(' ')
          return [[type === from ? to : type, ...others].join(' '), documents]
        }),
      ),
  })

function renameComponent(model: RandomModel, shape: RandomShape, fresh: string): fc.Arbitrary<SchemaEdit> {
  const [from, to] = [shape.name, `part.${fresh}`]
  return fc.constant({
    title: `rename component ${from} to ${to}`,
    next: withName(model, from, to),
    former: { shapes: { [to]: from } },
    expected: mapped(model, shape, (values) =>
      '__component' in values ? { ...values, __component: to } : values,
    ),
  })
}

/** The model with other attributes of a shape. */
function withAttributes(
  { types, components }: RandomModel,
  { name }: RandomShape,
  change: (attributes: RandomShape['attributes']) => RandomShape['attributes'],
): RandomModel {
  const changed = <Shape extends RandomShape>(shape: Shape): Shape =>
    shape.name === name ? { ...shape, attributes: change(shape.attributes) } : shape
  return { types: types.map(changed), components: components.map(changed) }
}

/** Every document of a type, or every entry of a component, with other values. */
const mapped =
  (model: RandomModel, shape: RandomShape, change: (values: JsonObject) => JsonObject) =>
  (before: Dump): Dump =>
    mapNodes(before, model, shape.name, change)

function add(model: RandomModel, shape: RandomShape, fresh: string): fc.Arbitrary<SchemaEdit> {
  return fc
    .record({ type: fc.constantFrom(...NEW_SCALARS), localized: fc.boolean(), isFirst: fc.boolean() })
    .map(({ type, localized, isFirst }) => {
      const attribute: RandomAttribute = { kind: 'scalar', type, localized, private: false }
      return {
        title: `add ${type} ${fresh} to ${shape.name}`,
        next: withAttributes(model, shape, (attributes) =>
          isFirst ? { [fresh]: attribute, ...attributes } : { ...attributes, [fresh]: attribute },
        ),
        former: {},
        expected: mapped(model, shape, (values) => ({ ...values, [fresh]: null })),
      }
    })
}

const reorder = (model: RandomModel, shape: RandomShape): fc.Arbitrary<SchemaEdit> =>
  fc
    .shuffledSubarray(Object.entries(shape.attributes), { minLength: Object.keys(shape.attributes).length })
    .map((entries) => ({
      title: `reorder ${shape.name}`,
      next: withAttributes(model, shape, () => Object.fromEntries(entries)),
      former: {},
      expected: (before) => before,
    }))

function remove(model: RandomModel, shape: RandomShape, name: string): fc.Arbitrary<SchemaEdit> {
  const without = <Value>({ [name]: _, ...others }: Readonly<Record<string, Value>>) => others
  return fc.constant({
    title: `remove ${name} from ${shape.name}`,
    next: withAttributes(model, shape, without),
    former: {},
    expected: mapped(model, shape, without),
  })
}

const renamedKey = <Value>(values: Readonly<Record<string, Value>>, from: string, to: string) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key === from ? to : key, value]))

function rename(model: RandomModel, shape: RandomShape, from: string, to: string): fc.Arbitrary<SchemaEdit> {
  const next = withAttributes(model, shape, (attributes) => renamedKey(attributes, from, to))
  return fc.constant({
    title: `rename ${shape.name}.${from} to ${to}`,
    next: withOtherSide(next, shape, from, to),
    former: { attributes: { [shape.name]: { [to]: from } } },
    expected: mapped(model, shape, (values) => renamedKey(values, from, to)),
  })
}

/** The other side of a two-way relation names the renamed side. */
function withOtherSide(model: RandomModel, shape: RandomShape, from: string, to: string): RandomModel {
  const attribute = shape.attributes[from]
  if (attribute?.kind !== 'relation') return model
  const other = attribute.inverse ?? attribute.inverseOf
  const key = attribute.inverse === null ? 'inverse' : 'inverseOf'
  if (other === null) return model
  const change = (type: RandomType): RandomType => {
    const side = type.attributes[other]
    // Names of relations are unique in the model.
    return side?.kind === 'relation' && side[key] === from
      ? { ...type, attributes: { ...type.attributes, [other]: { ...side, [key]: to } } }
      : type
  }
  return { ...model, types: model.types.map(change) }
}

function convert(
  model: RandomModel,
  shape: RandomShape,
  name: string,
  attribute: Extract<RandomAttribute, { kind: 'scalar' }>,
): fc.Arbitrary<SchemaEdit>[] {
  return CONVERSIONS.filter(([from]) => from === attribute.type).map(([from, to, converted]) =>
    fc.constant({
      title: `convert ${shape.name}.${name} from ${from} to ${to}`,
      next: withAttributes(model, shape, (attributes) => ({
        ...attributes,
        [name]: { ...attribute, type: to },
      })),
      former: {},
      expected: mapped(model, shape, (values) => {
        const value = values[name] ?? null
        return name in values ? { ...values, [name]: value === null ? null : converted(value) } : values
      }),
    }),
  )
}

/** A single component becomes a list, or a list becomes its first entry. */
function repeat(
  model: RandomModel,
  shape: RandomShape,
  name: string,
  attribute: Extract<RandomAttribute, { kind: 'component' }>,
): fc.Arbitrary<SchemaEdit> {
  const repeatable = !attribute.repeatable
  return fc.constant({
    title: `make ${shape.name}.${name} ${repeatable ? 'repeatable' : 'single'}`,
    next: withAttributes(model, shape, (attributes) => ({
      ...attributes,
      [name]: { ...attribute, repeatable },
    })),
    former: {},
    expected: mapped(model, shape, (values) => {
      const value = values[name] ?? null
      const list = Array.isArray(value) ? value : value === null ? [] : [value]
      return { ...values, [name]: repeatable ? list : (list[0] ?? null) }
    }),
  })
}
