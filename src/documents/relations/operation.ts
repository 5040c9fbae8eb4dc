/** Parses the value of a relation or media attribute into an operation on its list. */
import { type EdgeAttribute, FILE, type Model } from '../../model/model.ts'
import { isObject, type Values } from '../../project/values.ts'
import type { Path, Problems } from '../input/problems.ts'

/** Where a connected document goes in the current list. */
export type ListPosition<Target> =
  | { readonly kind: 'start' | 'end' }
  | {
      readonly kind: 'before' | 'after'
      readonly anchor: Target
      /** Whether the document goes to the end if the anchor is not in the list, instead of an error. */
      readonly orEnd?: boolean
    }

export type Operation<Target> =
  | { readonly kind: 'set'; readonly targets: readonly Target[] }
  | {
      readonly kind: 'change'
      readonly connect: readonly { readonly target: Target; readonly position: ListPosition<Target> }[]
      readonly disconnect: readonly Target[]
    }

/** A document named in a body, by numeric id or by documentId. */
export interface Reference {
  /** uid of the content-type it must have. */
  readonly type: string
  readonly name: { readonly id: number } | { readonly documentId: string }
  readonly path: Path
}

export const OPERATIONS = ['connect', 'disconnect', 'set']

interface ParseContext {
  readonly model: Model
  readonly attribute: EdgeAttribute
  readonly problems: Problems
  /** Whether a position may name a document that is not in the list. */
  readonly orEnd: boolean
}

/** Null if the value is invalid; the problems say why. */
export function parseOperation(
  model: Model,
  attribute: EdgeAttribute,
  value: unknown,
  path: Path,
  problems: Problems,
): Operation<Reference> | null {
  const context: ParseContext = { model, attribute, problems, orEnd: false }
  // An empty object names no document and no operation: it changes nothing.
  if (attribute.kind === 'relation' && isObject(value) && Object.keys(value).length === 0)
    return { kind: 'change', connect: [], disconnect: [] }
  if (!isObject(value) || !OPERATIONS.some((key) => key in value)) {
    const targets = parseList(context, value, path)
    return targets && { kind: 'set', targets }
  }
  if (attribute.kind === 'media') {
    problems.add(path, 'must be a list of file ids; connect, disconnect and set are for relations')
    return null
  }
  if ('set' in value) {
    if ('connect' in value || 'disconnect' in value) {
      problems.add(path, 'cannot combine set with connect or disconnect')
      return null
    }
    const targets = parseList(context, value.set, [...path, 'set'])
    return targets && { kind: 'set', targets }
  }
  if (!isValidOptions(value.options)) {
    problems.add([...path, 'options'], 'must be an object whose strict is true or false', value.options)
    return null
  }
  const orEnd = isObject(value.options) && value.options.strict === false
  const connect = parseConnect({ ...context, orEnd }, value.connect, [...path, 'connect'])
  const disconnect = parseList(context, value.disconnect, [...path, 'disconnect'])
  return connect && disconnect && { kind: 'change', connect, disconnect }
}

const isValidOptions = (options: unknown) =>
  options === undefined || (isObject(options) && ['undefined', 'boolean'].includes(typeof options.strict))

/** The items of a list, or a single value, with their paths; none for null. */
function itemsOf(value: unknown, path: Path): { item: unknown; at: Path }[] {
  if (value === null || value === undefined) return []
  return Array.isArray(value)
    ? value.map((item: unknown, index) => ({ item, at: [...path, String(index)] }))
    : [{ item: value, at: path }]
}

function parseList(context: ParseContext, value: unknown, path: Path): Reference[] | null {
  const all = itemsOf(value, path).map(({ item, at }) => {
    if (isObject(item) && isObject(item.position)) {
      context.problems.add([...at, 'position'], 'is only allowed in connect')
      return null
    }
    return parseReference(context, item, at)
  })
  return allOrNull(all)
}

function parseConnect(context: ParseContext, value: unknown, path: Path) {
  const all = itemsOf(value, path).map(({ item, at }) => {
    const target = parseReference(context, item, at)
    if (!target) return null
    const position = isObject(item) ? parsePosition(context, item, target, at) : END
    return position && { target, position }
  })
  return allOrNull(all)
}

/** The items, or null if one of them is null. */
export function allOrNull<Item>(items: readonly (Item | null)[]): Item[] | null {
  const present = items.filter((item) => item !== null)
  return present.length === items.length ? present : null
}

function parseReference(context: ParseContext, item: unknown, path: Path): Reference | null {
  const type = parseType(context, isObject(item) ? item : {}, path)
  if (type === null) return null
  const name = isObject(item) ? (item.documentId ?? item.id) : item
  return referenceTo(type, name, path, context.problems)
}

function referenceTo(type: string, name: unknown, path: Path, problems: Problems): Reference | null {
  if (typeof name === 'number' && Number.isSafeInteger(name)) return { type, name: { id: name }, path }
  if (typeof name === 'string' && /^\d{1,15}$/.test(name)) return { type, name: { id: Number(name) }, path }
  // Nothing else can be a documentId, and no database accepts some of it.
  if (typeof name === 'string' && /^[\w-]{1,100}$/.test(name))
    return { type, name: { documentId: name }, path }
  problems.add(path, 'must be an id or a documentId', name)
  return null
}

/** The type of a referenced document. In a polymorphic relation each item has its own. */
function parseType({ model, attribute, problems }: ParseContext, item: Values, path: Path): string | null {
  if (attribute.kind === 'media') return FILE
  if (attribute.target !== null) return attribute.target
  const type = item.__type
  if (typeof type === 'string' && model.types.has(type)) return type
  problems.add([...path, '__type'], 'must be the uid of a content-type', type)
  return null
}

const END: ListPosition<never> = { kind: 'end' }
const POSITIONS = ['before', 'after', 'start', 'end'] as const

function parsePosition(
  context: ParseContext,
  item: Values,
  target: Reference,
  path: Path,
): ListPosition<Reference> | null {
  const { problems, attribute } = context
  const { position } = item
  // A whole document may have an attribute of this name.
  const isAttribute = context.model.types.get(target.type)?.attributes.has('position') && !isObject(position)
  if (position === undefined || isAttribute) return END
  const at = [...path, 'position']
  const keys = isObject(position) ? Object.keys(position) : []
  const sent = keys.filter((key) => !(key === '__type' && attribute.kind === 'relation' && attribute.morph))
  const kind = POSITIONS.find((known) => known === sent[0])
  if (!isObject(position) || sent.length !== 1 || !kind) {
    problems.add(at, 'must have exactly one of before, after, start or end')
    return null
  }
  // Without a type of its own, the anchor has the type of the connected document.
  const type = position.__type === undefined ? target.type : parseType(context, position, at)
  if (type === null) return null
  if (kind === 'start' || kind === 'end') {
    // A form can only send text.
    if (position[kind] === true || position[kind] === 'true') return { kind }
    problems.add([...at, kind], 'must be true', position[kind])
    return null
  }
  const anchor = referenceTo(type, position[kind], [...at, kind], problems)
  return anchor && { kind, anchor, orEnd: context.orEnd }
}
