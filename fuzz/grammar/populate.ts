/** `populate`, `fields` and `sort` derived from the model, in every syntax. */
import fc from 'fast-check'
import type { Attribute, Model, Shape } from '../../src/model/model.ts'
import {
  BOOLEANS,
  fieldNames,
  hostileNames,
  named,
  oddTrees,
  remembering,
  shapesBehind,
  type Tree,
} from './trees.ts'
import { without } from './values.ts'

export interface SelectionGrammar {
  sort(shape: Shape): fc.Arbitrary<Tree>
  fields(shape: Shape): fc.Arbitrary<Tree>
  populate(shape: Shape, depth: number): fc.Arbitrary<Tree>
}

const counts = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('1', '2', '3') },
  { weight: 1, arbitrary: fc.constantFrom('0', '-1', '1000', 'x', '') },
)
const directions = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('', ':asc', ':desc') },
  { weight: 1, arbitrary: fc.constantFrom(':DESC', ':up', ':', ':asc:desc') },
)

/** All selections of a model; `filters` also appear below populated attributes. */
export function selectionGrammar(
  model: Model,
  filters: (shape: Shape, depth: number) => fc.Arbitrary<Tree>,
): SelectionGrammar {
  const once = remembering()

  /** A field, or a field of a relation or component. */
  function paths(shape: Shape): fc.Arbitrary<string> {
    const ways = [...shape.attributes.values()].flatMap((attribute) =>
      shapesBehind(model, attribute).map((behind) =>
        fieldNames(behind).map((field) => `${attribute.name}.${field}`),
      ),
    )
    return fc.oneof(
      { weight: 8, arbitrary: fieldNames(shape) },
      { weight: 3, arbitrary: ways.length > 0 ? fc.oneof(...ways) : fieldNames(shape) },
      { weight: 1, arbitrary: hostileNames },
    )
  }

  const sort = (shape: Shape) =>
    once(`sort ${shape.uid}`, () => {
      const one = fc.tuple(paths(shape), directions).map(([path, direction]) => path + direction)
      const nested = fc
        .tuple(paths(shape), fc.constantFrom('asc', 'desc', 'desc', 'DESC', '', 'up'))
        .map(([path, direction]) =>
          path.split('.').reduceRight<Tree>((inner, name) => ({ [name]: inner }), direction),
        )
      return fc.oneof(
        { weight: 8, arbitrary: one },
        { weight: 6, arbitrary: fc.array(one, { minLength: 1, maxLength: 3 }) },
        { weight: 4, arbitrary: nested },
        { weight: 1, arbitrary: oddTrees },
      )
    })

  const fields = (shape: Shape) =>
    once(`fields ${shape.uid}`, () =>
      fc.oneof(
        { weight: 8, arbitrary: fc.array(fieldNames(shape), { minLength: 1, maxLength: 4 }) },
        { weight: 2, arbitrary: fc.oneof(fieldNames(shape), fc.constant('*')) },
        { weight: 1, arbitrary: fc.array(hostileNames, { maxLength: 2 }) },
        { weight: 1, arbitrary: oddTrees },
      ),
    )

  /** The options of a populated attribute. */
  const options = (shape: Shape, depth: number): fc.Arbitrary<Tree> =>
    once(`options ${shape.uid} ${depth}`, () => {
      const ones = [
        { weight: 4, arbitrary: named('populate', populate(shape, depth - 1)) },
        { weight: 3, arbitrary: named('fields', fields(shape)) },
        { weight: 3, arbitrary: named('filters', filters(shape, Math.min(depth, 1))) },
        { weight: 2, arbitrary: named('sort', sort(shape)) },
        { weight: 1, arbitrary: named('limit', counts) },
        { weight: 1, arbitrary: named('start', counts) },
        { weight: 1, arbitrary: named('count', fc.constantFrom(...BOOLEANS)) },
      ]
      return fc
        .array(fc.oneof(...ones), { minLength: 1, maxLength: 3 })
        .map((trees): Tree => Object.assign({}, ...trees))
    })

  const isWide = ({ kind, private: hidden }: Attribute) => kind !== 'scalar' && !hidden

  function nested(attribute: Attribute, depth: number): fc.Arbitrary<Tree> {
    const behind = shapesBehind(model, attribute)
    const shared = behind.length > 0 ? fc.oneof(...behind.map((one) => options(one, depth))) : oddTrees
    const detailed = fc
      .record(Object.fromEntries(behind.map((one) => [one.uid, options(one, depth)])), { requiredKeys: [] })
      .map((on): Tree => ({ on: without<Tree>(on) }))
    const zone = attribute.kind === 'zone'
    return named(
      attribute.name,
      fc.oneof(
        { weight: zone ? 1 : 8, arbitrary: shared },
        { weight: zone ? 8 : 1, arbitrary: detailed },
        { weight: 2, arbitrary: fc.constantFrom<Tree>('true', '*', 'true', '*', 'false', '', '1') },
        { weight: 1, arbitrary: oddTrees },
      ),
    )
  }

  const populate = (shape: Shape, depth: number): fc.Arbitrary<Tree> =>
    once(`populate ${shape.uid} ${depth}`, () => {
      const wide = [...shape.attributes.values()].filter(isWide)
      const names = fc.constantFrom(...wide.map(({ name }) => name), 'localizations')
      const flat = fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom<Tree>('*', 'true', '*', 'false', '') },
        { weight: 8, arbitrary: fc.array(names, { minLength: 1, maxLength: 4 }) },
        { weight: 2, arbitrary: fc.array(fc.oneof(names, paths(shape)), { minLength: 1, maxLength: 3 }) },
        { weight: 1, arbitrary: fc.constant('createdBy') },
        { weight: 1, arbitrary: oddTrees },
      )
      if (depth <= 0 || wide.length === 0) return flat
      const one = fc.oneof(...wide.map((attribute) => nested(attribute, depth)))
      return fc.oneof(
        { weight: 6, arbitrary: flat },
        { weight: 10, arbitrary: one },
        { weight: 4, arbitrary: fc.tuple(one, one).map(([a, b]) => Object.assign({}, Object(a), Object(b))) },
        { weight: 1, arbitrary: fc.tuple(hostileNames, oddTrees).map(([name, tree]) => ({ [name]: tree })) },
      )
    })

  return { sort, fields, populate }
}
