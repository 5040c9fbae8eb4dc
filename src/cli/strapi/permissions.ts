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

export const importedRoleType = (type: string) => (APP_ROLES.includes(type) ? `strapi-${type}` : type)

/** The permissions of all roles. Actions without a counterpart are left out. */
export function rolePermissions(overview: Overview, model: Model, omissions: Omissions): RolePermissions[] {
  const known = new Map(namedActions(model).map((one) => [one.name, one]))
  return [...overview.permissions].flatMap(([roleId, actions]) => {
    const role = overview.roles.get(roleId)
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
      role: importedRoleType(role),
      type,
      actions: [...granted],
    }))
  })
}
