/**
 * Roles and what they may do. Roles are documents; their permissions are rows of their own, one for each role and
 * content-type. `config/roles.json` is the truth for the types it names; what was changed at run time for
 * other types stays.
 */
import type { Documents } from '../../documents/documents.ts'
import { errors } from '../../errors.ts'
import { ROLE, typeOf, USER } from '../../model/model.ts'
import type { RolesConfig } from '../../project/config/config.ts'
import { systemScope } from '../../query/scope.ts'
import { compile } from '../../store/compile.ts'
import { StartError } from '../../store/errors.ts'
import { sql } from '../../store/sql.ts'
import type { Store } from '../../store/store.ts'
import { columnOf, EDGES, type Layout } from '../../store/tables/layout.ts'
import { PERMISSIONS } from '../tables.ts'
import { cachedUntilChange } from '../versioned-cache.ts'
import { type Permissions, permissionSyntaxErrors } from './permissions.ts'
import { readRolePermissions } from './stored-permissions.ts'

export interface Roles {
  /** What the role of this type may do; nothing when there is no such role. */
  permissionsOf(role: string): Permissions | Promise<Permissions>
  /** What every role may do, by type of role. */
  all(): Promise<ReadonlyMap<string, Permissions>>
  /** Replaces what a role may do with the content-types named. */
  setPermissions(role: string, permissions: Permissions): Promise<void>
  /** Makes the permissions of the configuration true for the types it names, in the roles it names. */
  applyConfig(roles: RolesConfig): Promise<void>
  /** Makes the roles exist that every server has and that the configuration names. */
  createMissing(types: readonly string[]): Promise<void>
  /** Makes a role. Its type must be free. */
  create(role: NewRole): Promise<void>
  /** Removes a role and what it may do; its users are left without a role. */
  remove(type: string): Promise<void>
  /** documentId of the role of this type; null when there is none. */
  documentIdOf(type: string): Promise<string | null>
  /** The types of all roles. */
  types(): Promise<readonly string[]>
  /** How many users have a role, by its documentId. */
  userCounts(): Promise<ReadonlyMap<string, number>>
}

export interface NewRole {
  /** By what the configuration and permissions know it. */
  readonly type: string
  readonly name: string
  readonly description: string | null
}

export interface RolesOptions {
  readonly store: Store
  readonly layout: () => Layout
  readonly documents: Documents
}

/** Type of the role that opens the admin interface to whoever has it and is signed in. */
export const ADMIN = 'admin'

/** Type of the role of users who were given no other. */
export const AUTHENTICATED = 'authenticated'

/** The role of callers without credential, that of users who were given no other, and that of admins. */
const ALWAYS = [
  {
    type: AUTHENTICATED,
    name: 'Authenticated',
    description: 'Default role given to authenticated user.',
  },
  { type: 'public', name: 'Public', description: 'Default role given to unauthenticated user.' },
  { type: ADMIN, name: 'Admin', description: 'May use the admin interface.' },
]

export function createRoles({ store, layout, documents }: RolesOptions): Roles {
  const known = cachedUntilChange(
    store,
    () => [PERMISSIONS],
    () => readRolePermissions(store),
  )

  /** Writes what differs from what is stored; types with an empty list have no row. */
  async function write(wanted: ReadonlyMap<string, Permissions>): Promise<void> {
    const stored = await known()
    const changes = [...wanted].flatMap(([role, permissions]) =>
      Object.entries(permissions)
        .filter(([type, list]) => JSON.stringify(stored.get(role)?.[type] ?? []) !== JSON.stringify(list))
        .map(([type, list]) => ({ role, type, list })),
    )
    if (changes.length === 0) return
    await store.write(async (transaction) => {
      transaction.lock([PERMISSIONS])
      transaction.touch(PERMISSIONS)
      for (const { role, type, list } of changes) {
        transaction.run(
          compile(
            store.dialect,
            sql`delete from ${sql.table(PERMISSIONS)} where role = ${role} and type = ${type}`,
          ),
        )
        if (list.length > 0)
          transaction.run(
            compile(
              store.dialect,
              sql`insert into ${sql.table(PERMISSIONS)} (role, type, permissions)
                values (${role}, ${type}, ${JSON.stringify(list)})`,
            ),
          )
      }
    })
  }

  const documentIds = cachedUntilChange(
    store,
    () => [typeOf(layout().model, ROLE).table],
    async () => {
      const table = sql.table(typeOf(layout().model, ROLE).table)
      const rows = await store.read(
        compile(
          store.dialect,
          sql`select document_id, ${sql.ref(columnOf('type'))} as type from ${table} where published = 1`,
        ),
      )
      return new Map(rows.map((row) => [String(row.type), String(row.document_id)]))
    },
  )

  const target = () => ({
    type: typeOf(layout().model, ROLE),
    status: 'published' as const,
    locale: null,
    scope: systemScope,
  })

  const create = (role: NewRole) => documents.create(target(), role, async () => undefined)

  return {
    create,

    async remove(type) {
      const documentId = (await documentIds()).get(type)
      if (documentId === undefined) throw errors.notFound()
      if (ALWAYS.some((role) => role.type === type))
        throw errors.application(`Every server has the role ${type}; it cannot be removed`)
      // Together: permissions that outlived their role would be those of the next role of its type.
      await documents.transaction(async (transaction, inside) => {
        transaction.lock([PERMISSIONS])
        transaction.touch(PERMISSIONS)
        transaction.run(
          compile(store.dialect, sql`delete from ${sql.table(PERMISSIONS)} where role = ${type}`),
        )
        await inside.remove(target(), documentId)
      })
    },

    async createMissing(types) {
      const wanted = [...ALWAYS, ...types.map((type) => ({ type, name: nameFor(type), description: null }))]
      for (const role of wanted) {
        if ((await documentIds()).has(role.type)) continue
        await create(role).catch(async (failure: unknown) => {
          // Another process that starts now may have been first.
          if (!(await documentIds()).has(role.type)) throw failure
        })
      }
    },

    async documentIdOf(type) {
      return (await documentIds()).get(type) ?? null
    },

    async types() {
      return [...(await documentIds()).keys()]
    },

    async userCounts() {
      const relation = layout().relationId({ type: USER, component: null, attribute: 'role' })
      const rows = await store.read(
        compile(
          store.dialect,
          sql`select target, count(*) as users from ${sql.table(EDGES)} where relation = ${relation} group by target`,
        ),
      )
      return new Map(rows.map((row) => [String(row.target), Number(row.users)]))
    },

    permissionsOf(role) {
      const roles = known()
      return roles instanceof Promise ? roles.then((all) => all.get(role) ?? {}) : (roles.get(role) ?? {})
    },

    async all() {
      return known()
    },

    async setPermissions(role, permissions) {
      const mistakes = permissionSyntaxErrors(permissions)
      if (mistakes.length > 0) throw errors.invalid(mistakes.join('; '))
      await write(new Map([[role, permissions]]))
    },

    async applyConfig(roles) {
      for (const [role, permissions] of Object.entries(roles)) {
        const mistakes = permissionSyntaxErrors(permissions)
        if (mistakes.length > 0) throw new StartError(`config/roles: ${role}: ${mistakes.join('; ')}`)
      }
      const complete = Object.entries(roles).map(([role, permissions]) => {
        const none = Object.fromEntries(configuredTypes(roles, role).map((type) => [type, []]))
        return [role, { ...none, ...permissions }] as const
      })
      await write(new Map(complete))
    },
  }
}

/** A name for a role that only the configuration names; names have at least three letters. */
const nameFor = (type: string) =>
  type.length < 3 ? `Role ${type}` : type.charAt(0).toUpperCase() + type.slice(1)

/** The types for which the configuration is the whole truth about a role: those it names, in the roles it names. */
export const configuredTypes = (roles: RolesConfig, role: string): readonly string[] =>
  role in roles ? [...new Set(Object.values(roles).flatMap((permissions) => Object.keys(permissions)))] : []
