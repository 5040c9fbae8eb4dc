/** Parameters as trees, their encoding in a query string, and the names that a model provides. */
import fc from 'fast-check'
import type { Attribute, Model, Shape } from '../../src/model/model.ts'
import type { Parameter } from '../request.ts'
import { HOSTILE_NAMES } from './samples.ts'
import { words } from './values.ts'

/** A parameter before it is encoded in bracket notation. */
export type Tree = string | readonly Tree[] | { readonly [key: string]: Tree }

const isList = (tree: Tree): tree is readonly Tree[] => Array.isArray(tree)

export const BOOLEANS = ['true', 'false', '1', '0', 't', 'F', '', 'maybe', 'null']
export const TIMES = ['createdAt', 'updatedAt', 'publishedAt']

export const hostileNames = fc.constantFrom(...HOSTILE_NAMES)
/** Values that are almost never valid. */
export const oddTrees: fc.Arbitrary<Tree> = fc.oneof(
  fc.constantFrom<Tree>(
    '',
    '*',
    'true',
    [],
    [''],
    {},
    { '': '' },
    { 0: 'a', 2: 'b' },
    { a: { b: 'c' } },
    [['a']],
    { on: {} },
  ),
  words,
  fc.tuple(hostileNames, words).map(([name, value]) => ({ [name]: value })),
)

/** A tree with one key. */
export const named = (name: string, values: fc.Arbitrary<Tree>): fc.Arbitrary<Tree> =>
  values.map((value) => ({ [name]: value }))

const isOpen = (attribute: Attribute) =>
  attribute.kind === 'scalar' && !attribute.private && attribute.type !== 'password'

/** Field names: mostly permitted ones, sometimes others. */
export function fieldNames(shape: Shape): fc.Arbitrary<string> {
  const attributes = [...shape.attributes.values()]
  const open = attributes.filter(isOpen).map(({ name }) => name)
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...open, 'id') },
    { weight: 1, arbitrary: fc.constantFrom(...TIMES, 'documentId', 'locale') },
    { weight: 1, arbitrary: fc.constantFrom(...shape.attributes.keys(), 'id') },
  )
}

/** The shapes that an attribute leads to. */
export function shapesBehind(model: Model, attribute: Attribute): Shape[] {
  const uids =
    attribute.kind === 'relation'
      ? attribute.target === null
        ? []
        : [attribute.target]
      : attribute.kind === 'component'
        ? [attribute.component]
        : attribute.kind === 'zone'
          ? attribute.components
          : attribute.kind === 'media'
            ? ['plugin::upload.file']
            : []
  return uids.flatMap((uid) => model.types.get(uid) ?? model.components.get(uid) ?? [])
}

/** Caches arbitraries, one per shape and depth. */
export function remembering(): (key: string, make: () => fc.Arbitrary<Tree>) => fc.Arbitrary<Tree> {
  const remembered = new Map<string, fc.Arbitrary<Tree>>()
  return (key, make) => {
    const known = remembered.get(key) ?? make()
    remembered.set(key, known)
    return known
  }
}

/** Encodes a tree in bracket notation; `bits` select among equivalent encodings. */
export function flatten(tree: Tree, name: string, bits: number): Parameter[] {
  const style = (bits & 1) === 0 ? 'brackets' : 'whole'
  if (typeof tree === 'string') return [{ name, value: tree, style }]
  if (isList(tree)) {
    if ((bits & 6) === 2 && tree.every((item) => typeof item === 'string'))
      return [{ name, value: tree.join(','), style }]
    const place = (index: number) => ((bits & 6) === 4 ? '[]' : (bits & 6) === 6 ? '' : `[${index}]`)
    return tree.flatMap((item, index) => flatten(item, name + place(index), bits))
  }
  return Object.entries(tree).flatMap(([key, child]) => flatten(child, `${name}[${key}]`, bits))
}
