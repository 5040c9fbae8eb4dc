/** Checks the keys of a body. The first key that is not allowed is refused before anything else is checked. */
import { errors } from '../../errors.ts'
import type { Attribute, ContentType, Model, RelationAttribute, Shape } from '../../model/model.ts'
import { isPublic } from '../../model/privacy.ts'
import { nearest } from '../../project/suggest.ts'
import { isObject } from '../../project/values.ts'
import type { Scope } from '../../query/scope.ts'
import { OPERATIONS } from '../relations/operation.ts'

/** Accepted at the top level because responses have them, and ignored. */
const IGNORED = new Set(['publishedAt', 'locale'])
const ENTRY_KEYS = new Set(['id', 'documentId', '__component'])
const NO_KEYS: ReadonlySet<string> = new Set()
const DOCUMENT_KEYS: ReadonlySet<string> = new Set(['locale', 'status', 'position'])

type JsonObject = Readonly<Record<string, unknown>>

interface KeyContext {
  readonly model: Model
  readonly scope: Scope
}

const invalidKey = (key: string, path: readonly string[], known: readonly string[] = []) =>
  errors.invalidKey({
    key,
    path: path.length > 0 ? path.join('.') : null,
    source: 'body',
    meant: nearest(key, known),
  })

/** The keys to suggest for an unknown one: those that the caller may know of. */
const suggestedKeys = ({ scope }: KeyContext, { attributes }: Shape): readonly string[] =>
  [...attributes.values()].flatMap((attribute) => {
    const isHidden =
      !isPublic(attribute) ||
      attribute.writable === false ||
      (attribute.kind === 'relation' && attribute.target !== null && !scope.may(attribute.target, 'find'))
    return isHidden ? [] : [attribute.name]
  })

/** Refuses the first key of `data` that the type does not have or the caller may not write. */
export function checkKeys(
  model: Model,
  type: ContentType,
  data: JsonObject,
  scope: Scope,
  writable: readonly string[] | undefined,
) {
  for (const key of Object.keys(data)) {
    if (IGNORED.has(key)) continue
    if (writable && !writable.includes(key)) throw invalidKey(key, [], writable)
    checkKey({ model, scope }, type, key, data[key], [])
  }
}

function checkKey(context: KeyContext, shape: Shape, key: string, value: unknown, path: readonly string[]) {
  const attribute = shape.attributes.get(key)
  if (!attribute || attribute.writable === false) throw invalidKey(key, path, suggestedKeys(context, shape))
  checkValue(context, attribute, value, [...path, key])
}

function checkValue(context: KeyContext, attribute: Attribute, value: unknown, path: readonly string[]) {
  switch (attribute.kind) {
    case 'scalar':
      return
    case 'media':
      return checkReferences(value, path, NO_KEYS)
    case 'relation':
      return checkRelation(context, attribute, value, path)
    case 'component':
      for (const entry of Array.isArray(value) ? value : [value]) {
        checkEntry(context, context.model.components.get(attribute.component), entry, path)
      }
      return
    case 'zone':
      for (const entry of Array.isArray(value) ? value : []) {
        const name: unknown = isObject(entry) ? entry.__component : null
        checkEntry(context, context.model.components.get(typeof name === 'string' ? name : ''), entry, path)
      }
  }
}

function checkEntry(
  context: KeyContext,
  component: Shape | undefined,
  entry: unknown,
  path: readonly string[],
) {
  if (!component || !isObject(entry)) return
  for (const key of Object.keys(entry)) {
    if (!ENTRY_KEYS.has(key)) checkKey(context, component, key, entry[key], path)
  }
}

/** A relation that the caller may not read is refused like an unknown key, and so is a polymorphic to-one. */
function checkRelation(
  { model, scope }: KeyContext,
  attribute: RelationAttribute,
  value: unknown,
  path: readonly string[],
) {
  const hidden = () => invalidKey(attribute.name, path)
  if (attribute.side === 'owner' && attribute.morph && !attribute.many) throw hidden()
  if (attribute.target !== null && !scope.may(attribute.target, 'find')) throw hidden()
  const allowed = attribute.morph ? new Set([...DOCUMENT_KEYS, '__type']) : DOCUMENT_KEYS
  checkReferences(value, path, allowed, (item) => {
    if (attribute.target !== null) return
    // A position names the type of its anchor as an item names its own.
    for (const type of [item.__type, isObject(item.position) ? item.position.__type : null])
      if (typeof type === 'string' && model.types.has(type) && !scope.may(type, 'find')) throw hidden()
  })
}

/**
 * Checks the objects that name documents: the value itself, the items of a list, or those under an operation. An object
 * with an id may be a whole document as a response shows it, so its other keys are ignored.
 */
function checkReferences(
  value: unknown,
  path: readonly string[],
  allowed: ReadonlySet<string>,
  also: (item: JsonObject) => void = () => {},
) {
  const check = (item: unknown) => {
    if (!isObject(item)) return
    const isNamed = 'id' in item || 'documentId' in item
    for (const key of Object.keys(item)) if (!isNamed && !allowed.has(key)) throw invalidKey(key, path)
    also(item)
  }
  const checkAll = (items: unknown) => (Array.isArray(items) ? items : [items]).forEach(check)
  if (!isObject(value) || !OPERATIONS.some((key) => key in value)) return checkAll(value)
  for (const key of Object.keys(value)) {
    if (key === 'options') continue
    if (!OPERATIONS.includes(key)) throw invalidKey(key, path)
    checkAll(value[key])
  }
}
