/** The permissions of roles: actions of Strapi, such as `api::article.article.find`, as permissions on content-types. */
import { LOCALE } from '../../access/roles/permissions.ts'
import { ADMIN } from '../../access/roles/roles.ts'
import { FILE, type Model, ROLE, USER } from '../../model/model.ts'
import type { Overview } from './overview.ts'
import type { Omissions } from './report.ts'

export interface RolePermissions {
  /** The type of the role, such as `authenticated`. */
  readonly role: string
  /** uid of a content-type. */
  readonly type: string
  readonly actions: readonly string[]
}

/** In Strapi a role of this type is like any other. Here its users may use the admin interface, so it gets another type. */
export const importedRoleType = (type: string) => (type === ADMIN ? `strapi-${ADMIN}` : type)

const CONTENT_ACTIONS: ReadonlySet<string> = new Set(['find', 'findOne', 'create', 'update', 'delete'])

const ACTIONS_OF_PLUGINS: Readonly<
  Record<string, { readonly type: string; readonly action: string } | null>
> = {
  'plugin::upload.content-api.find': { type: FILE, action: 'find' },
  'plugin::upload.content-api.findOne': { type: FILE, action: 'findOne' },
  'plugin::upload.content-api.upload': { type: FILE, action: 'create' },
  'plugin::upload.content-api.destroy': { type: FILE, action: 'delete' },
  'plugin::users-permissions.user.find': { type: USER, action: 'find' },
  'plugin::users-permissions.user.findOne': { type: USER, action: 'findOne' },
  'plugin::users-permissions.user.create': { type: USER, action: 'create' },
  'plugin::users-permissions.user.update': { type: USER, action: 'update' },
  'plugin::users-permissions.user.destroy': { type: USER, action: 'delete' },
  'plugin::users-permissions.role.find': { type: ROLE, action: 'find' },
  'plugin::i18n.locales.listLocales': { type: LOCALE, action: 'find' },
  // Every user may.
  'plugin::users-permissions.user.me': null,
}

/** Signing in, registering and changing a password need no permission: the configuration switches them. */
const isAlwaysAllowed = (action: string) =>
  action.startsWith('plugin::users-permissions.auth.') || ACTIONS_OF_PLUGINS[action] === null

/** The permissions of all roles. Actions without a counterpart are left out. */
export function rolePermissions(overview: Overview, model: Model, omissions: Omissions): RolePermissions[] {
  return [...overview.permissions].flatMap(([roleId, actions]) => {
    const role = overview.roles.get(roleId)
    if (role === undefined) {
      omissions.add('permission', 'its role is missing', actions.length)
      return []
    }
    const byType = new Map<string, Set<string>>()
    for (const name of actions) {
      if (isAlwaysAllowed(name)) continue
      const known = ACTIONS_OF_PLUGINS[name] ?? contentAction(name, model)
      if (known) byType.set(known.type, (byType.get(known.type) ?? new Set()).add(known.action))
      else omissions.add(`permission ${name} of the role ${role}`, 'the server has no such action')
    }
    return [...byType].map(([type, granted]) => ({
      role: importedRoleType(role),
      type,
      actions: [...granted],
    }))
  })
}

function contentAction(name: string, model: Model) {
  const dot = name.lastIndexOf('.')
  const [type, action] = [name.slice(0, dot), name.slice(dot + 1)]
  return model.types.get(type)?.generated && CONTENT_ACTIONS.has(action) ? { type, action } : null
}
