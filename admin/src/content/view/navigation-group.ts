/** The group that a content-type has in the navigation. Pure. */
import type { Me } from '../../api/types.ts'

interface Types {
  readonly navigation: Me['navigation']
  readonly contentTypes: readonly { readonly uid: string }[]
}

/** The name of the group; empty for the types that are in none. */
export const groupOf = ({ navigation }: Pick<Types, 'navigation'>, uid: string): string =>
  navigation.groups.find(({ types }) => types.includes(uid))?.name ?? ''

/** The navigation with the type as the last one of a group, which is created if it is new. Groups without types are left out. */
export function withGroup({ navigation, contentTypes }: Types, uid: string, group: string): Me['navigation'] {
  const exists = (type: string) => contentTypes.some((each) => each.uid === type)
  const others = navigation.groups.map(({ name, types }) => ({
    name,
    types: types.filter((type) => type !== uid && exists(type)),
  }))
  const isNew = group !== '' && others.every(({ name }) => name !== group)
  const groups = [...others, ...(isNew ? [{ name: group, types: [] }] : [])].map(({ name, types }) => ({
    name,
    types: name === group ? [...types, uid] : types,
  }))
  return { groups: groups.filter(({ types }) => types.length > 0) }
}
