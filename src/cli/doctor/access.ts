/** Checks of who may do what: types that nobody can read, the public that can write or read drafts, and secrets. */

import {
  invalidPermissionsInConfig,
  storedPermissionWarnings,
} from '../../access/roles/invalid-permissions.ts'
import { type Permissions, scopeOfPermissions } from '../../access/roles/permissions.ts'
import { AUTHENTICATED } from '../../access/roles/roles.ts'
import type { StoredPermissions } from '../../access/roles/stored-permissions.ts'
import type { Project } from '../../model/load-project.ts'
import { ROLE, typeOf } from '../../model/model.ts'
import type { Config, Permission } from '../../project/config/config.ts'
import { formatProblem } from '../../project/problems.ts'
import { didYouMean } from '../../project/suggest.ts'
import type { Store } from '../../store/store.ts'
import { bad, type Finding, good, notice } from './finding.ts'

type Roles = ReadonlyMap<string, Permissions>

const READS = ['find', 'findOne']
const WRITES = ['create', 'update', 'delete', 'destroy', 'publish', 'unpublish', 'discard', 'upload']
const SHORTEST_SECRET = 32

/** What roles may do by the configuration and by what was changed at run time. */
export function rolesOf({ config }: Project, granted: StoredPermissions): Roles {
  const roles = new Map(granted.roles)
  for (const [role, permissions] of Object.entries(config.roles))
    roles.set(role, { ...roles.get(role), ...permissions })
  return roles
}

/** What is to be said of the role that people get when they register. */
export async function checkRegistration(store: Store | null, { config, model }: Project): Promise<Finding[]> {
  const { role, enabled } = config.auth.registration
  const rows = store
    ? await store
        .read({ sql: `SELECT a_type AS type FROM ${typeOf(model, ROLE).table}`, parameters: [] })
        .catch(() => [])
    : []
  const known = [...EVERYWHERE, ...Object.keys(config.roles), ...rows.map(({ type }) => String(type))]
  if (known.includes(role)) return []
  return [
    bad(
      `Sign-in: auth.registration.role is "${role}", and there is no such role${didYouMean(role, known)}`,
      enabled ? 'name a role that is there, or add it to config/roles.json' : 'leave it out',
    ),
  ]
}

const EVERYWHERE = [AUTHENTICATED, 'public']

const actionOf = (permission: Permission) => (typeof permission === 'string' ? permission : permission.action)

/** What is to be said of the permissions of roles. */
export function checkRoles({ model }: Project, roles: Roles): Finding[] {
  const generated = [...model.types.values()].filter((type) => type.generated)
  const grants = [...roles].flatMap(([role, permissions]) =>
    Object.entries(permissions).flatMap(([type, list]) =>
      list.map((permission) => ({ role, type, action: actionOf(permission) })),
    ),
  )
  const read = new Set(grants.filter(({ action }) => READS.includes(action)).map(({ type }) => type))
  const unread = generated.filter(({ uid }) => !read.has(uid))
  const publicWrites = grants.filter(({ role, action }) => role === 'public' && WRITES.includes(action))
  const anybody = scopeOfPermissions(roles.get('public') ?? {}, { kind: 'public' }, null)
  const publicDrafts = generated.filter(
    ({ uid, draftAndPublish }) => draftAndPublish && anybody.may(uid, 'readDrafts'),
  )
  return [
    ...(unread.length > 0
      ? [
          notice(
            `Permissions: no role may read ${unread.map(({ uid }) => uid).join(', ')}; only tokens can`,
            'grant find and findOne in config/roles.json if people or pages should see them',
          ),
        ]
      : [good('Permissions: every content-type can be read by some role')]),
    ...publicWrites.map(({ type, action }) =>
      notice(
        `Permissions: anybody may ${action} ${type}, without signing in`,
        'take it from the role public in config/roles.json unless that is meant',
      ),
    ),
    ...publicDrafts.map(({ uid }) =>
      notice(
        `Permissions: anybody may read drafts of ${uid}, without signing in`,
        'add "-readDrafts" to what the role public may do with it in config/roles.json unless that is meant',
      ),
    ),
  ]
}

/** What the content-types cannot follow: in the configuration it is in the way of the server, elsewhere it grants nothing. */
export const checkMisfits = (project: Project, granted: StoredPermissions): Finding[] => [
  ...invalidPermissionsInConfig(project).map((problem) =>
    bad(`Permissions: ${formatProblem(problem)}`, 'correct it there; the server does not start with it'),
  ),
  ...storedPermissionWarnings(project, granted).map((words) =>
    notice(`Permissions: ${words}`, 'correct the role in the admin interface, or make the token anew'),
  ),
]

/** What is to be said of configured tokens. */
export function checkTokens({ tokens }: Config, production: boolean, env: NodeJS.ProcessEnv): Finding[] {
  return Object.entries(tokens).flatMap(([name, { token, env: variable, type }]) => {
    const value = token ?? (variable ? env[variable] : undefined)
    if (!value)
      return [notice(`Tokens: ${name} has no value, so nobody can use it`, `set ${variable ?? 'token'}`)]
    if (value.length < SHORTEST_SECRET)
      return [bad(`Tokens: the value of ${name} is too short`, `use at least ${SHORTEST_SECRET} characters`)]
    if (!production || token === undefined) return []
    const text = `Tokens: the ${type} token ${name} stands in the configuration, in production`
    const remedy = 'make one with `octavo token create`, or name the variable that holds it with "env"'
    return [/development|example/i.test(`${name} ${value}`) ? bad(text, remedy) : notice(text, remedy)]
  })
}

/** What is to be said of the secret that signs the tokens of users. */
export function checkSecret({ auth }: Config, production: boolean): Finding {
  if (auth.secret === null)
    return production
      ? bad(
          'Sign-in: auth.secret is missing, and a server in production does not start without it',
          'set OCTAVO_AUTH_SECRET to a random text of 32 characters or more, the same for every process',
        )
      : good('Sign-in: auth.secret is made by itself in development')
  return auth.secret.length < SHORTEST_SECRET
    ? bad('Sign-in: auth.secret is too short', `use at least ${SHORTEST_SECRET} characters`)
    : good('Sign-in: auth.secret is set')
}
