/** Which content-types, components and attributes of two models are the same one, by name or by declared rename. */
import type { Attribute, Component, ContentType, Model, Shape } from '../../../model/model.ts'
import type { MatchedComponent, MatchedShape, MatchedType } from './change.ts'

interface Matches<T> {
  readonly matched: readonly { readonly previous: T; readonly next: T }[]
  readonly added: readonly T[]
  readonly dropped: readonly T[]
}

/** A rename counts while the old name is known, the new one is not, and nothing else has the old name now. */
function matchByName<T extends { readonly renamedFrom?: string }>(
  previous: ReadonlyMap<string, T>,
  next: ReadonlyMap<string, T>,
): Matches<T> {
  const kept: { previous: T; next: T }[] = []
  const added: T[] = []
  const used = new Set<string>()
  for (const [name, one] of next) {
    const old = one.renamedFrom
    const key = previous.has(name) ? name : old !== undefined && !next.has(old) ? old : name
    const match = previous.get(key)
    if (match) {
      used.add(key)
      kept.push({ previous: match, next: one })
    } else added.push(one)
  }
  return {
    matched: kept,
    added,
    dropped: [...previous].filter(([name]) => !used.has(name)).map(([, one]) => one),
  }
}

/** Two models held side by side. `previous` speaks of content-types and components by their new uids. */
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
  const typeNames = newNames(matchByName(previous.types, next.types).matched)
  const componentNames = newNames(matchByName(previous.components, next.components).matched)
  const spoken: Model = {
    ...previous,
    types: mapped(previous.types, (type) => withNewNames(type, typeNames, componentNames)),
    components: mapped(previous.components, (one) => withNewNames(one, typeNames, componentNames)),
  }
  const types = matchByName(spoken.types, next.types)
  const components = matchByName(spoken.components, next.components)
  return {
    previous: spoken,
    next,
    types: types.matched.map((one) => ({ kind: 'type', ...one })),
    components: components.matched.map((one) => ({ kind: 'component', ...one })),
    addedTypes: types.added,
    addedComponents: components.added,
    droppedTypes: types.dropped,
    droppedComponents: components.dropped,
  }
}

/** The attributes of what is kept. */
export const matchAttributes = ({ previous, next }: MatchedShape): Matches<Attribute> =>
  matchByName(previous.attributes, next.attributes)

const newNames = (kept: readonly { readonly previous: Shape; readonly next: Shape }[]) =>
  new Map(kept.map(({ previous, next }) => [previous.uid, next.uid]))

const mapped = <T>(all: ReadonlyMap<string, T>, change: (one: T) => T) =>
  new Map([...all].map(([name, one]) => [name, change(one)]))

/** The shape under its own previous uid, its attributes pointing at new ones. */
const withNewNames = <T extends Shape>(
  shape: T,
  types: ReadonlyMap<string, string>,
  components: ReadonlyMap<string, string>,
): T => ({
  ...shape,
  attributes: mapped(shape.attributes, (attribute) => pointingAt(attribute, types, components)),
})

function pointingAt(
  attribute: Attribute,
  types: ReadonlyMap<string, string>,
  components: ReadonlyMap<string, string>,
): Attribute {
  const named = (uid: string) => components.get(uid) ?? uid
  switch (attribute.kind) {
    case 'relation':
      return attribute.target === null
        ? attribute
        : { ...attribute, target: types.get(attribute.target) ?? attribute.target }
    case 'component':
      return { ...attribute, component: named(attribute.component) }
    case 'zone':
      return { ...attribute, components: attribute.components.map(named) }
    default:
      return attribute
  }
}
