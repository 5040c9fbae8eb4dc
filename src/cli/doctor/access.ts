/** Checks permissions, tokens and secrets: content-types that no role can read, public writes, public drafts. */

import {
  invalidPermissionsInConfig,
  storedPermissionWarnings,
} from '../../access/roles/invalid-permissions.ts'
import { type Permissions, scopeOfPermissions } from '../../access/roles/permissions.ts'
import { AUTHENTICATED } from '../../access/roles/roles.ts'
import type { StoredPermissions } from '../../access/roles/stored-permissions.ts'
import { whyForDevelopment } from '../../access/tokens/configured-tokens.ts'
import { unacceptedAttributes } from '../../access/users/registration.ts'
import type { Project } from '../../model/load-project.ts'
import { ROLE, typeOf } from '../../model/model.ts'
import type { Permission } from '../../project/config/access-config.ts'
import type { Config } from '../../project/config/config.ts'
import { ownCommand } from '../../project/own-command.ts'
import { formatProblem } from '../../project/problems.ts'
import { didYouMean } from '../../project/suggest.ts'
import type { Store } from '../../store/store.ts'
import { error, type Finding, ok, warning } from './finding.ts'

type Roles = ReadonlyMap<string, Permissions>

const READS = ['find', 'findOne']
const WRITES = ['create', 'update', 'delete', 'destroy', 'publish', 'unpublish', 'discard', 'upload']
const MIN_SECRET_LENGTH = 32

/** The permissions of roles as of the next start: stored ones, overridden by the configuration. */
export function rolesOf({ config }: Project, stored: StoredPermissions): Roles {
  const roles = new Map(stored.roles)
  for (const [role, permissions] of Object.entries(config.roles))
    roles.set(role, { ...roles.get(role), ...permissions })
  return roles
}

export async function checkRegistration(store: Store | null, { config, model }: Project): Promise<Finding[]> {
  const { role, enabled } = config.auth.registration
  const unaccepted = enabled ? unacceptedAttributes(model, config.auth) : []
  const rows = store
    ? await store
        .read({ sql: `SELECT a_type AS type FROM ${typeOf(model, ROLE).table}`, parameters: [] })
        .catch(() => [])
    : []
  const known = [...BUILT_IN_ROLES, ...Object.keys(config.roles), ...rows.map(({ type }) => String(type))]
  return [
    ...unaccepted.map((name) =>
      warning(
        `Sign-in: nobody can register, because users must have ${name} and registration does not accept it`,
        `add "${name}" to auth.registration.fields, give it a default, or do not require it`,
      ),
    ),
    ...(known.includes(role) ? [] : [unknownRole(role, known, enabled)]),
  ]
}

const unknownRole = (role: string, known: readonly string[], enabled: boolean) =>
  error(
    `Sign-in: auth.registration.role is the unknown role "${role}"${didYouMean(role, known)}`,
    enabled ? 'use an existing role, or add it to config/roles.json' : 'remove the setting',
  )

const BUILT_IN_ROLES = [AUTHENTICATED, 'public']

const actionOf = (permission: Permission) => (typeof permission === 'string' ? permission : permission.action)

export function checkRoleAccess({ model }: Project, roles: Roles): Finding[] {
  const generated = [...model.types.values()].filter((type) => type.generated)
  const grants = [...roles].flatMap(([role, permissions]) =>
    Object.entries(permissions).flatMap(([type, list]) =>
      list.map((permission) => ({ role, type, action: actionOf(permission) })),
    ),
  )
  const read = new Set(grants.filter(({ action }) => READS.includes(action)).map(({ type }) => type))
  const unread = generated.filter(({ uid }) => !read.has(uid))
  const publicWrites = grants.filter(({ role, action }) => role === 'public' && WRITES.includes(action))
  const publicScope = scopeOfPermissions(roles.get('public') ?? {}, { kind: 'public' }, null)
  const publicDrafts = generated.filter(
    ({ uid, draftAndPublish }) => draftAndPublish && publicScope.may(uid, 'readDrafts'),
  )
  return [
    ...(unread.length > 0
      ? [
          warning(
            `Permissions: no role can read ${unread.map(({ uid }) => uid).join(', ')}; only tokens can`,
            'grant find and findOne in config/roles.json if users should read them',
          ),
        ]
      : [ok('Permissions: every content-type can be read by a role')]),
    ...publicWrites.map(({ type, action }) =>
      warning(
        `Permissions: anonymous callers can ${action} ${type}`,
        'if this is not intended, remove it from the role public in config/roles.json',
      ),
    ),
    ...publicDrafts.map(({ uid }) =>
      warning(
        `Permissions: anonymous callers can read drafts of ${uid}`,
        'if this is not intended, add "-readDrafts" to the role public in config/roles.json',
      ),
    ),
  ]
}

/** Invalid permissions: errors in the configuration, warnings in the database, where they grant nothing. */
export const checkPermissions = (project: Project, stored: StoredPermissions): Finding[] => [
  ...invalidPermissionsInConfig(project).map((problem) =>
    error(
      `Permissions: ${formatProblem(problem)}`,
      'correct the configuration; the server does not start with it',
    ),
  ),
  ...storedPermissionWarnings(project, stored).map((words) =>
    warning(`Permissions: ${words}`, 'correct the role in the admin app, or create a new token'),
  ),
]

export function checkTokens({ tokens }: Config, production: boolean, env: NodeJS.ProcessEnv): Finding[] {
  return Object.entries(tokens).flatMap(([name, config]) => {
    const { token, env: variable, type } = config
    const value = token ?? (variable ? env[variable] : undefined)
    if (!value)
      return [warning(`Tokens: ${name} has no value and cannot be used`, `set ${variable ?? 'token'}`)]
    if (value.length < MIN_SECRET_LENGTH)
      return [error(`Tokens: ${name} is too short`, `use at least ${MIN_SECRET_LENGTH} characters`)]
    const reason = production ? whyForDevelopment(config, value) : null
    if (reason === null) return []
    const remedy = `create a token with "${ownCommand('token create')}", or read a random one from a variable with "env"`
    return [error(`Tokens: the ${type} token ${name} is for development: ${reason}`, remedy)]
  })
}

export function checkSecret({ auth }: Config, production: boolean): Finding {
  if (auth.secret === null)
    return production
      ? error(
          'Sign-in: auth.secret is required in production',
          'set OCTAVO_AUTH_SECRET to a random string of at least 32 characters, the same for every process',
        )
      : ok('Sign-in: auth.secret is generated in development')
  return auth.secret.length < MIN_SECRET_LENGTH
    ? error('Sign-in: auth.secret is too short', `use at least ${MIN_SECRET_LENGTH} characters`)
    : ok('Sign-in: auth.secret is set')
}
