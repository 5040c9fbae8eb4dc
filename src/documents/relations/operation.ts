/** What a body asks of a relation or media attribute: the value as it was sent becomes an operation. */
import { FILE, type Model } from '../../model/model.ts'
import { isObject, type Values } from '../../project/values.ts'
import type { Path, Problems } from '../input/problems.ts'
import type { EdgeAttribute } from '../rows/blueprint.ts'

/** Where a connected document goes, against the list as it stands. */
export type Place<Target> =
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'before' | 'after'; readonly anchor: Target }

export type Operation<Target> =
  | { readonly kind: 'set'; readonly targets: readonly Target[] }
  | {
      readonly kind: 'change'
      readonly connect: readonly { readonly target: Target; readonly place: Place<Target> }[]
      readonly disconnect: readonly Target[]
    }

/** A document as a body names it: by numeric id or by documentId. */
export interface Reference {
  /** uid of the content-type it must have. */
  readonly type: string
  readonly name: { readonly id: number } | { readonly documentId: string }
  readonly path: Path
}

export const OPERATIONS = ['connect', 'disconnect', 'set']

interface Reading {
  readonly model: Model
  readonly attribute: EdgeAttribute
  readonly problems: Problems
}

/** The operation that a value stands for, or null when it could not be read and the problems say why. */
export function readOperation(
  model: Model,
  attribute: EdgeAttribute,
  value: unknown,
  path: Path,
  problems: Problems,
): Operation<Reference> | null {
  const reading: Reading = { model, attribute, problems }
  if (!isObject(value) || !OPERATIONS.some((key) => key in value)) {
    const targets = readList(reading, value, path)
    return targets && { kind: 'set', targets }
  }
  if (attribute.kind === 'media') {
    problems.add(path, 'takes ids of files, not connect, disconnect or set')
    return null
  }
  if ('set' in value) {
    if ('connect' in value || 'disconnect' in value) {
      problems.add(path, 'cannot combine set with connect or disconnect')
      return null
    }
    const targets = readList(reading, value.set, [...path, 'set'])
    return targets && { kind: 'set', targets }
  }
  const connect = readConnect(reading, value.connect, [...path, 'connect'])
  const disconnect = readList(reading, value.disconnect, [...path, 'disconnect'])
  return connect && disconnect && { kind: 'change', connect, disconnect }
}

/** A value or a list of values, each with its path; nothing for null. */
function each(value: unknown, path: Path): { item: unknown; at: Path }[] {
  if (value === null || value === undefined) return []
  return Array.isArray(value)
    ? value.map((item: unknown, index) => ({ item, at: [...path, String(index)] }))
    : [{ item: value, at: path }]
}

function readList(reading: Reading, value: unknown, path: Path): Reference[] | null {
  const all = each(value, path).map(({ item, at }) => {
    if (isObject(item) && 'position' in item) {
      reading.problems.add([...at, 'position'], 'can only be given to connect')
      return null
    }
    return readReference(reading, item, at)
  })
  return everyOne(all)
}

function readConnect(reading: Reading, value: unknown, path: Path) {
  const all = each(value, path).map(({ item, at }) => {
    const target = readReference(reading, item, at)
    if (!target) return null
    const place = isObject(item) ? readPlace(reading, item, target, at) : END
    return place && { target, place }
  })
  return everyOne(all)
}

/** The items when all of them could be read. */
export function everyOne<Item>(items: readonly (Item | null)[]): Item[] | null {
  const read = items.filter((item) => item !== null)
  return read.length === items.length ? read : null
}

function readReference(reading: Reading, item: unknown, path: Path): Reference | null {
  const type = readType(reading, isObject(item) ? item : {}, path)
  if (type === null) return null
  const name = isObject(item) ? (item.documentId ?? item.id) : item
  return nameReference(type, name, path, reading.problems)
}

function nameReference(type: string, name: unknown, path: Path, problems: Problems): Reference | null {
  if (typeof name === 'number' && Number.isSafeInteger(name)) return { type, name: { id: name }, path }
  if (typeof name === 'string' && /^\d{1,15}$/.test(name)) return { type, name: { id: Number(name) }, path }
  // Nothing else can be a documentId, and some of it no database takes.
  if (typeof name === 'string' && /^[\w-]{1,100}$/.test(name))
    return { type, name: { documentId: name }, path }
  problems.add(path, 'must name a document by id or documentId', name)
  return null
}

/** The type of a document that is named. A polymorphic relation says it with each. */
function readType({ model, attribute, problems }: Reading, item: Values, path: Path): string | null {
  if (attribute.kind === 'media') return FILE
  if (attribute.target !== null) return attribute.target
  const type = item.__type
  if (typeof type === 'string' && model.types.has(type)) return type
  problems.add([...path, '__type'], 'must be the uid of a content-type', type)
  return null
}

const END: Place<never> = { kind: 'end' }
const PLACES = ['before', 'after', 'start', 'end'] as const

function readPlace(reading: Reading, item: Values, target: Reference, path: Path): Place<Reference> | null {
  const { problems, attribute } = reading
  const { position } = item
  if (position === undefined) return END
  const at = [...path, 'position']
  const keys = isObject(position) ? Object.keys(position) : []
  const asked = keys.filter((key) => !(key === '__type' && attribute.kind === 'relation' && attribute.morph))
  const kind = PLACES.find((known) => known === asked[0])
  if (!isObject(position) || asked.length !== 1 || !kind) {
    problems.add(at, 'must have exactly one of before, after, start and end')
    return null
  }
  // An anchor that does not say its type has that of the document beside it.
  const type = position.__type === undefined ? target.type : readType(reading, position, at)
  if (type === null) return null
  if (kind === 'start' || kind === 'end') {
    if (position[kind] === true) return { kind }
    problems.add([...at, kind], 'must be true', position[kind])
    return null
  }
  const anchor = nameReference(type, position[kind], [...at, kind], problems)
  return anchor && { kind, anchor }
}
