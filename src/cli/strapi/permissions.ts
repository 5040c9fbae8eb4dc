/** The permissions of roles: actions of Strapi, such as `api::article.article.find`, as permissions on content-types. */
import { isAlwaysAllowed, namedActions } from '../../access/roles/action-names.ts'
import { ADMIN, AUTHOR, EDITOR } from '../../access/roles/roles.ts'
import type { Model } from '../../model/model.ts'
import type { Overview } from './overview.ts'
import type { Omissions } from './report.ts'

export interface RolePermissions {
  /** The type of the role, such as `authenticated`. */
  readonly role: string
  /** uid of a content-type. */
  readonly type: string
  readonly actions: readonly string[]
}

/** In Strapi roles of these types are like any other. Here their users may use the admin app, so they get other types. */
const APP_ROLES: readonly string[] = [ADMIN, EDITOR, AUTHOR]

/**
 * The types of roles here, by their numeric id. Strapi derives the type from the name, so that several roles can have the
 * same one, and those with names in other scripts an empty one. Here permissions belong to the type of a role.
 */
export function importedRoleTypes({ roles }: Pick<Overview, 'roles'>): ReadonlyMap<number, string> {
  const taken = new Set<string>()
  const types = new Map<number, string>()
  for (const [id, type] of roles) {
    const wanted = APP_ROLES.includes(type) ? `strapi-${type}` : type
    const isFree = wanted !== '' && !taken.has(wanted)
    const imported = isFree ? wanted : `${wanted || 'role'}-${id}`
    taken.add(imported)
    types.set(id, imported)
  }
  return types
}

/** The permissions of all roles. Actions without a counterpart are left out. */
export function rolePermissions(overview: Overview, model: Model, omissions: Omissions): RolePermissions[] {
  const known = new Map(namedActions(model).map((one) => [one.name, one]))
  const types = importedRoleTypes(overview)
  return [...overview.permissions].flatMap(([roleId, actions]) => {
    const role = types.get(roleId)
    if (role === undefined) {
      omissions.add('permission', 'its role is missing', actions.length)
      return []
    }
    const byType = new Map<string, Set<string>>()
    for (const name of actions) {
      if (isAlwaysAllowed(name)) continue
      const found = known.get(name)
      if (found) byType.set(found.type, (byType.get(found.type) ?? new Set()).add(found.action))
      else omissions.add(`permission ${name} of the role ${role}`, 'the server has no such action')
    }
    return [...byType].map(([type, granted]) => ({
      ...{ role, type },
      actions: [...granted],
    }))
  })
}
