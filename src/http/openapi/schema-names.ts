/** Assigns content-types and components names for generated code and documents: unique, readable and stable. */
import { FILE, type Model, ROLE, USER } from '../../model/model.ts'

/** `restaurant-menu`, `restaurant.menu` and `restaurantMenu` become `RestaurantMenu`. */
function pascalCase(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return /^[A-Za-z]/.test(name) ? name : `N${name}`
}

const BUILT_IN = new Map([
  [FILE, 'MediaFile'],
  [USER, 'User'],
  [ROLE, 'Role'],
])

/**
 * The name of every content-type and component, by uid. No name, with or without one of the `suffixes`, is reserved or
 * equals another one: `Menu` + `Input` and a type `menu-input` stay distinct.
 */
export function assignNames(
  { types, components }: Model,
  reserved: readonly string[],
  suffixes: readonly string[],
): ReadonlyMap<string, string> {
  const taken = new Set(reserved)
  const names = new Map<string, string>()
  const withSuffixes = (name: string) => [name, ...suffixes.map((suffix) => name + suffix)]
  const assign = (uid: string, ...candidates: readonly string[]) => {
    const name = firstFree(candidates, withSuffixes, taken)
    names.set(uid, name)
    for (const used of withSuffixes(name)) taken.add(used)
  }
  for (const [uid, name] of BUILT_IN) if (types.has(uid)) assign(uid, name)
  for (const { uid, singular } of types.values())
    if (!names.has(uid))
      assign(uid, pascalCase(singular), pascalCase(uid.replace(/^.*::/, '')), pascalCase(uid))
  for (const { uid } of components.values()) assign(uid, pascalCase(uid), `${pascalCase(uid)}Component`)
  return names
}

function firstFree(
  candidates: readonly string[],
  withSuffixes: (name: string) => readonly string[],
  taken: ReadonlySet<string>,
): string {
  const last = candidates.at(-1) ?? 'Unnamed'
  for (let index = 0; ; index++) {
    const candidate = candidates[index] ?? `${last}${index - candidates.length + 2}`
    if (withSuffixes(candidate).every((name) => !taken.has(name))) return candidate
  }
}
