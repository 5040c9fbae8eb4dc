/** Turns a document as it was read into the body of a write that makes the same document again. Pure. */
import type { Attribute, ContentType, Model, RelationAttribute, Shape } from '../../../model/model.ts'
import { isSecret, isServed } from '../../../model/privacy.ts'
import { isObject, type Values } from '../../../project/values.ts'
import type { Param, ParamObject } from '../../../query/params.ts'
import type { Scope } from '../../../query/scope.ts'

/** Components may contain themselves; nobody nests them deeper by hand. */
const MAX_DEPTH = 8

/** The `populate` parameter that reads everything a copy needs: entries in full, related documents and files as ids. */
export function populateForCopy(model: Model, scope: Scope, shape: Shape, depth = 0): ParamObject {
  const below = (uid: string): ParamObject => {
    const component = model.components.get(uid)
    const populate = component && depth < MAX_DEPTH ? populateForCopy(model, scope, component, depth + 1) : {}
    return { populate }
  }
  const populated = [...shape.attributes.values()]
    .filter((attribute) => attribute.kind !== 'scalar' && isCopied(attribute, scope, depth > 0))
    .map((attribute) => [attribute.name, optionsFor(attribute, below)])
  return Object.fromEntries(populated)
}

function optionsFor(attribute: Attribute, below: (component: string) => ParamObject): Param {
  switch (attribute.kind) {
    case 'scalar':
      return false
    case 'media':
      return { fields: 'id' }
    case 'relation':
      return attribute.target === null ? true : { fields: 'documentId' }
    case 'component':
      return below(attribute.component)
    case 'zone':
      return { on: Object.fromEntries(attribute.components.map((uid) => [uid, below(uid)])) }
  }
}

/** Not the other side of a relation, nor what only one document can refer to: a copy would take it from the original. */
const isCopiedRelation = ({ side, exclusive, target }: RelationAttribute, scope: Scope) =>
  side === 'owner' && !exclusive && (target === null || scope.may(target, 'find'))

/** Private attributes of documents are shown to editors; those of entries are not. */
const isCopied = (attribute: Attribute, scope: Scope, isInEntry: boolean) =>
  (isInEntry ? isServed(attribute) : !isSecret(attribute)) &&
  attribute.writable !== false &&
  (attribute.kind !== 'relation' || isCopiedRelation(attribute, scope))

export interface Copy {
  readonly data: Values
  /** The attributes whose value could not be copied as it is, because it must be unique. */
  readonly changed: readonly string[]
}

/** The body for a copy. `isIncluded` limits it to some attributes of the document. */
export function copyOf(
  model: Model,
  scope: Scope,
  type: ContentType,
  document: Values,
  isIncluded: (attribute: Attribute) => boolean = () => true,
): Copy {
  const included = [...type.attributes.values()].filter(
    (attribute) => attribute.name in document && isCopied(attribute, scope, false) && isIncluded(attribute),
  )
  const changed = included.filter(
    (one) => one.kind === 'scalar' && isUnique(one) && document[one.name] !== null,
  )
  const data = included.map((attribute) => [attribute.name, copiedValue(model, scope, attribute, document)])
  return { data: Object.fromEntries(data), changed: changed.map(({ name }) => name) }
}

const isUnique = (attribute: Extract<Attribute, { kind: 'scalar' }>) =>
  attribute.unique || attribute.type === 'uid'

/** For a copy beside the original: unique texts get a suffix, other unique values are left out. */
export function withUniqueValues(type: ContentType, { data, changed }: Copy, suffix: string): Values {
  const unique = changed.map((name) => {
    const attribute = type.attributes.get(name)
    const value = data[name]
    const isText = attribute?.kind === 'scalar' && ['string', 'text', 'uid'].includes(attribute.type)
    return [name, isText && typeof value === 'string' ? `${value}-${suffix}` : null]
  })
  return { ...data, ...Object.fromEntries(unique) }
}

function copiedValue(model: Model, scope: Scope, attribute: Attribute, document: Values): unknown {
  const value = document[attribute.name]
  switch (attribute.kind) {
    case 'scalar':
      return value
    case 'media':
      return each(value, ({ id }) => id)
    case 'relation':
      return each(value, ({ documentId, __type }) =>
        __type === undefined ? documentId : { documentId, __type },
      )
    case 'component':
      return each(value, (entry) => entryOf(model, scope, attribute.component, entry))
    case 'zone':
      return each(value, (entry) => ({
        __component: entry.__component,
        ...entryOf(model, scope, String(entry.__component), entry),
      }))
  }
}

/** Without its id: the copy gets entries of its own. */
function entryOf(model: Model, scope: Scope, uid: string, entry: Values): Values {
  const attributes = [...(model.components.get(uid)?.attributes.values() ?? [])]
  return Object.fromEntries(
    attributes
      .filter((attribute) => attribute.name in entry && isCopied(attribute, scope, true))
      .map((attribute) => [attribute.name, copiedValue(model, scope, attribute, entry)]),
  )
}

function each(value: unknown, convert: (one: Values) => unknown): unknown {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => (isObject(one) ? [convert(one)] : []))
  return isObject(value) ? convert(value) : null
}
