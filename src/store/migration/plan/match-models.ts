/** Matches the content-types, components and attributes of two models, by name or by a declared rename. Pure. */
import type { Attribute, Component, ContentType, Model, Shape } from '../../../model/model.ts'
import type { MatchedComponent, MatchedShape, MatchedType } from './change.ts'

interface Matches<T> {
  readonly matched: readonly { readonly previous: T; readonly next: T }[]
  readonly added: readonly T[]
  readonly dropped: readonly T[]
}

/** `renamedFrom` applies if the old name existed, the new one did not, and nothing else has the old name now. */
function matchByName<T extends { readonly renamedFrom?: string }>(
  previous: ReadonlyMap<string, T>,
  next: ReadonlyMap<string, T>,
): Matches<T> {
  const matched: { previous: T; next: T }[] = []
  const added: T[] = []
  const matchedNames = new Set<string>()
  for (const [name, item] of next) {
    const { renamedFrom } = item
    const isRenamed = !previous.has(name) && renamedFrom !== undefined && !next.has(renamedFrom)
    const previousName = isRenamed ? renamedFrom : name
    const match = previous.get(previousName)
    if (match) {
      matchedNames.add(previousName)
      matched.push({ previous: match, next: item })
    } else added.push(item)
  }
  const dropped = [...previous].filter(([name]) => !matchedNames.has(name)).map(([, item]) => item)
  return { matched, added, dropped }
}

/** Two matched models. Attributes of `previous` refer to content-types and components by their new uids. */
export interface ModelTransition {
  readonly previous: Model
  readonly next: Model
  readonly types: readonly MatchedType[]
  readonly components: readonly MatchedComponent[]
  readonly addedTypes: readonly ContentType[]
  readonly addedComponents: readonly Component[]
  readonly droppedTypes: readonly ContentType[]
  readonly droppedComponents: readonly Component[]
}

export function matchModels(previous: Model, next: Model): ModelTransition {
  const typeUids = newUids(matchByName(previous.types, next.types))
  const componentUids = newUids(matchByName(previous.components, next.components))
  const withNewUids: Model = {
    ...previous,
    types: mapValues(previous.types, (type) => withNewReferences(type, typeUids, componentUids)),
    components: mapValues(previous.components, (one) => withNewReferences(one, typeUids, componentUids)),
  }
  const types = matchByName(withNewUids.types, next.types)
  const components = matchByName(withNewUids.components, next.components)
  return {
    previous: withNewUids,
    next,
    types: types.matched.map((match) => ({ kind: 'type', ...match })),
    components: components.matched.map((match) => ({ kind: 'component', ...match })),
    addedTypes: types.added,
    addedComponents: components.added,
    droppedTypes: types.dropped,
    droppedComponents: components.dropped,
  }
}

export const matchAttributes = ({ previous, next }: MatchedShape): Matches<Attribute> =>
  matchByName(previous.attributes, next.attributes)

const newUids = ({ matched }: Matches<Shape>) =>
  new Map(matched.map(({ previous, next }) => [previous.uid, next.uid]))

const mapValues = <T>(map: ReadonlyMap<string, T>, change: (value: T) => T) =>
  new Map([...map].map(([name, value]) => [name, change(value)]))

/** The shape under its previous uid, with attributes that refer to new uids. */
const withNewReferences = <T extends Shape>(
  shape: T,
  typeUids: ReadonlyMap<string, string>,
  componentUids: ReadonlyMap<string, string>,
): T => ({
  ...shape,
  attributes: mapValues(shape.attributes, (attribute) =>
    withNewReference(attribute, typeUids, componentUids),
  ),
})

function withNewReference(
  attribute: Attribute,
  typeUids: ReadonlyMap<string, string>,
  componentUids: ReadonlyMap<string, string>,
): Attribute {
  const newComponentUid = (uid: string) => componentUids.get(uid) ?? uid
  switch (attribute.kind) {
    case 'relation':
      return attribute.target === null
        ? attribute
        : { ...attribute, target: typeUids.get(attribute.target) ?? attribute.target }
    case 'component':
      return { ...attribute, component: newComponentUid(attribute.component) }
    case 'zone':
      return { ...attribute, components: attribute.components.map(newComponentUid) }
    default:
      return attribute
  }
}
