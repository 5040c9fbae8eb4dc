/** What content-types and components are called in generated text: unique, readable, the same at each run. */
import { FILE, type Model, ROLE, USER } from '../../model/model.ts'

/** A name such as `RestaurantMenu` from `restaurant-menu`, `restaurant.menu` or `restaurantMenu`. */
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
 * The name of every content-type and component, by uid. `reserved` are names that the text uses otherwise; no name
 * with one of the `suffixes` meets another name either, so `Menu` + `Input` and a type `menu-input` stay apart.
 */
export function assignNames(
  { types, components }: Model,
  reserved: readonly string[],
  suffixes: readonly string[],
): ReadonlyMap<string, string> {
  const taken = new Set(reserved)
  const names = new Map<string, string>()
  const give = (uid: string, ...wishes: readonly string[]) => {
    const name = firstFree(wishes, (wish) => [wish, ...suffixes.map((suffix) => wish + suffix)], taken)
    names.set(uid, name)
    for (const used of [name, ...suffixes.map((suffix) => name + suffix)]) taken.add(used)
  }
  for (const [uid, name] of BUILT_IN) if (types.has(uid)) give(uid, name)
  for (const { uid, singular } of types.values())
    if (!names.has(uid))
      give(uid, pascalCase(singular), pascalCase(uid.replace(/^.*::/, '')), pascalCase(uid))
  for (const { uid } of components.values()) give(uid, pascalCase(uid), `${pascalCase(uid)}Component`)
  return names
}

function firstFree(
  wishes: readonly string[],
  used: (wish: string) => readonly string[],
  taken: ReadonlySet<string>,
): string {
  const last = wishes.at(-1) ?? 'Unnamed'
  for (let index = 0; ; index++) {
    const wish = wishes[index] ?? `${last}${index - wishes.length + 2}`
    if (used(wish).every((name) => !taken.has(name))) return wish
  }
}
