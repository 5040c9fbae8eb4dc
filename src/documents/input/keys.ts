/** Which keys a body may have. Told one at a time, before anything else about the body. */
import { errors } from '../../errors.ts'
import type { Attribute, ContentType, Model, RelationAttribute, Shape } from '../../model/model.ts'
import { nearest } from '../../project/suggest.ts'
import { isObject } from '../../project/values.ts'
import type { Scope } from '../../query/scope.ts'
import { OPERATIONS } from '../relations/operation.ts'

/** Accepted at the top because answers carry them, and ignored. */
const IGNORED = new Set(['publishedAt', 'locale'])
const OF_ENTRIES = new Set(['id', 'documentId', '__component'])
const OF_FILES = new Set(['id', 'documentId'])
const OF_DOCUMENTS = new Set(['id', 'documentId', 'locale', 'status', 'position'])

type Sent = Readonly<Record<string, unknown>>

interface Reading {
  readonly model: Model
  readonly scope: Scope
}

const refuse = (key: string, path: readonly string[], known: readonly string[] = []) =>
  errors.invalidKey({
    key,
    path: path.length > 0 ? path.join('.') : null,
    source: 'body',
    meant: nearest(key, known),
  })

/** The keys that may be sent, as far as the caller may know of them; for what was probably meant. */
const usableKeys = ({ scope }: Reading, { attributes }: Shape): readonly string[] =>
  [...attributes.values()].flatMap((attribute) => {
    const isHidden =
      attribute.private ||
      (attribute.kind === 'relation' && attribute.target !== null && !scope.may(attribute.target, 'find'))
    return isHidden ? [] : [attribute.name]
  })

/** Refuses the first key of `data` that the type does not have or the caller may not write. */
export function checkKeys(
  model: Model,
  type: ContentType,
  data: Sent,
  scope: Scope,
  writable: readonly string[] | undefined,
) {
  for (const key of Object.keys(data)) {
    if (IGNORED.has(key)) continue
    if (writable && !writable.includes(key)) throw refuse(key, [], writable)
    checkKey({ model, scope }, type, key, data[key], [])
  }
}

function checkKey(reading: Reading, shape: Shape, key: string, value: unknown, path: readonly string[]) {
  const attribute = shape.attributes.get(key)
  if (!attribute) throw refuse(key, path, usableKeys(reading, shape))
  checkValue(reading, attribute, value, [...path, key])
}

function checkValue(reading: Reading, attribute: Attribute, value: unknown, path: readonly string[]) {
  switch (attribute.kind) {
    case 'scalar':
      return
    case 'media':
      return checkNames(value, path, OF_FILES)
    case 'relation':
      return checkRelation(reading, attribute, value, path)
    case 'component':
      for (const entry of Array.isArray(value) ? value : [value]) {
        checkEntry(reading, reading.model.components.get(attribute.component), entry, path)
      }
      return
    case 'zone':
      for (const entry of Array.isArray(value) ? value : []) {
        const name: unknown = isObject(entry) ? entry.__component : null
        checkEntry(reading, reading.model.components.get(typeof name === 'string' ? name : ''), entry, path)
      }
  }
}

function checkEntry(reading: Reading, component: Shape | undefined, entry: unknown, path: readonly string[]) {
  if (!component || !isObject(entry)) return
  for (const key of Object.keys(entry)) {
    if (!OF_ENTRIES.has(key)) checkKey(reading, component, key, entry[key], path)
  }
}

/** A relation the caller may not read is refused as if it were not there, and so is a polymorphic to-one. */
function checkRelation(
  { model, scope }: Reading,
  attribute: RelationAttribute,
  value: unknown,
  path: readonly string[],
) {
  const hidden = () => refuse(attribute.name, path)
  if (attribute.side === 'owner' && attribute.morph && !attribute.many) throw hidden()
  if (attribute.target !== null && !scope.may(attribute.target, 'find')) throw hidden()
  const allowed = attribute.morph ? new Set([...OF_DOCUMENTS, '__type']) : OF_DOCUMENTS
  checkNames(value, path, allowed, (item) => {
    if (attribute.target !== null) return
    // A place says its anchor's type as an item says its own.
    for (const type of [item.__type, isObject(item.position) ? item.position.__type : null])
      if (typeof type === 'string' && model.types.has(type) && !scope.may(type, 'find')) throw hidden()
  })
}

/** The objects that name documents: in the value itself, in its list, or under its operations. */
function checkNames(
  value: unknown,
  path: readonly string[],
  allowed: ReadonlySet<string>,
  also: (item: Sent) => void = () => {},
) {
  const check = (item: unknown) => {
    if (!isObject(item)) return
    for (const key of Object.keys(item)) if (!allowed.has(key)) throw refuse(key, path)
    also(item)
  }
  const checkAll = (items: unknown) => (Array.isArray(items) ? items : [items]).forEach(check)
  if (!isObject(value) || !OPERATIONS.some((key) => key in value)) return checkAll(value)
  for (const key of Object.keys(value)) {
    if (!OPERATIONS.includes(key)) throw refuse(key, path)
    checkAll(value[key])
  }
}
