/** Which content-types, components and attributes of two models are the same one, by name or by declared rename. */
import type { Attribute, Component, ContentType, Model, Shape } from '../../../model/model.ts'
import type { Holder, KeptComponent, KeptType } from './change.ts'

interface Paired<T> {
  readonly kept: readonly { readonly former: T; readonly next: T }[]
  readonly added: readonly T[]
  readonly dropped: readonly T[]
}

/** A rename counts while the old name is known, the new one is not, and nothing else has the old name now. */
function pair<T extends { readonly renamedFrom?: string }>(
  former: ReadonlyMap<string, T>,
  next: ReadonlyMap<string, T>,
): Paired<T> {
  const kept: { former: T; next: T }[] = []
  const added: T[] = []
  const used = new Set<string>()
  for (const [name, one] of next) {
    const old = one.renamedFrom
    const key = former.has(name) ? name : old !== undefined && !next.has(old) ? old : name
    const match = former.get(key)
    if (match) {
      used.add(key)
      kept.push({ former: match, next: one })
    } else added.push(one)
  }
  return { kept, added, dropped: [...former].filter(([name]) => !used.has(name)).map(([, one]) => one) }
}

/** Two models held side by side. `former` speaks of content-types and components by their new uids. */
export interface Transition {
  readonly former: Model
  readonly next: Model
  readonly types: readonly KeptType[]
  readonly components: readonly KeptComponent[]
  readonly addedTypes: readonly ContentType[]
  readonly addedComponents: readonly Component[]
  readonly droppedTypes: readonly ContentType[]
  readonly droppedComponents: readonly Component[]
}

export function transitionOf(former: Model, next: Model): Transition {
  const typeNames = newNames(pair(former.types, next.types).kept)
  const componentNames = newNames(pair(former.components, next.components).kept)
  const spoken: Model = {
    ...former,
    types: mapped(former.types, (type) => withNewNames(type, typeNames, componentNames)),
    components: mapped(former.components, (one) => withNewNames(one, typeNames, componentNames)),
  }
  const types = pair(spoken.types, next.types)
  const components = pair(spoken.components, next.components)
  return {
    former: spoken,
    next,
    types: types.kept.map((one) => ({ kind: 'type', ...one })),
    components: components.kept.map((one) => ({ kind: 'component', ...one })),
    addedTypes: types.added,
    addedComponents: components.added,
    droppedTypes: types.dropped,
    droppedComponents: components.dropped,
  }
}

/** The attributes of what is kept. */
export const attributesOf = ({ former, next }: Holder): Paired<Attribute> =>
  pair(former.attributes, next.attributes)

const newNames = (kept: readonly { readonly former: Shape; readonly next: Shape }[]) =>
  new Map(kept.map(({ former, next }) => [former.uid, next.uid]))

const mapped = <T>(all: ReadonlyMap<string, T>, change: (one: T) => T) =>
  new Map([...all].map(([name, one]) => [name, change(one)]))

/** The shape under its own former uid, its attributes pointing at new ones. */
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
