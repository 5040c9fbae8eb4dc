/**
 * Roles and their permissions. Roles are documents; permissions are rows of their own, one per role and content-type.
 * `config/roles.json` replaces the permissions of the content-types it names; changes made at run time to others persist.
 */
import type { Documents } from '../../documents/documents.ts'
import { errors } from '../../errors.ts'
import type { AuditLog } from '../../events/audit/append.ts'
import { type Actor, SYSTEM } from '../../events/audit/audit-record.ts'
import { ROLE, typeOf, USER } from '../../model/model.ts'
import type { RolesConfig } from '../../project/config/access-config.ts'
import { systemScopeFor } from '../../query/scope.ts'
import { compile } from '../../store/compile.ts'
import { StartError } from '../../store/errors.ts'
import { sql } from '../../store/sql.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { columnOf, EDGES, type Layout } from '../../store/tables/layout.ts'
import { PERMISSIONS } from '../tables.ts'
import { cachedUntilChange } from '../versioned-cache.ts'
import { AUTHOR_PERMISSIONS, EDITOR_PERMISSIONS } from './built-in-permissions.ts'
import {
  ANY_TYPE,
  type PermissionChanges,
  type Permissions,
  permissionSyntaxErrors,
  withEmptyLists,
} from './permissions.ts'
import { readRolePermissions } from './stored-permissions.ts'

export interface Roles {
  /** Empty when there is no role of this type. */
  permissionsOf(role: string): Permissions | Promise<Permissions>
  /** Permissions by type of role. */
  all(): Promise<ReadonlyMap<string, Permissions>>
  /** Replaces the permissions of a role for the given content-types. */
  setPermissions(role: string, permissions: PermissionChanges, actor?: Actor): Promise<void>
  /** Replaces permissions with those of the configuration, for the content-types and roles that it names. */
  applyConfig(roles: RolesConfig): Promise<void>
  /** Creates the built-in roles and those of these types, unless they exist. */
  createMissing(types: readonly string[]): Promise<void>
  /** The type must not be taken. */
  create(role: NewRole, actor?: Actor): Promise<void>
  /** Changes the name or description of a role. */
  update(type: string, changes: RoleChanges, actor?: Actor): Promise<void>
  /** Deletes a role and its permissions. Its users are left without a role, or get the one that is given. */
  remove(type: string, replacement?: string, actor?: Actor): Promise<void>
  documentIdOf(type: string): Promise<string | null>
  types(): Promise<readonly string[]>
  /** Number of users by documentId of the role. */
  userCounts(): Promise<ReadonlyMap<string, number>>
}

export interface NewRole {
  /** Its identifier in the configuration and in permissions. */
  readonly type: string
  readonly name: string
  readonly description: string | null
}

export type RoleChanges = Partial<Pick<NewRole, 'name' | 'description'>>

export interface RolesOptions {
  readonly store: Store
  readonly layout: () => Layout
  readonly documents: Documents
  readonly audit: AuditLog
}

/** Type of the role whose users may use the admin app. */
export const ADMIN = 'admin'

/** Type of the role that users have by default. */
export const AUTHENTICATED = 'authenticated'

/** The roles of people who write content in the admin app. */
export const EDITOR = 'editor'
export const AUTHOR = 'author'

interface BuiltInRole extends NewRole {
  /** What it may do when it is created, unless the configuration defines the role. */
  readonly permissions?: Permissions
}

const BUILT_IN_ROLES: readonly BuiltInRole[] = [
  {
    type: AUTHENTICATED,
    name: 'Authenticated',
    description: 'Default role given to authenticated user.',
  },
  { type: 'public', name: 'Public', description: 'Default role given to unauthenticated user.' },
  { type: ADMIN, name: 'Admin', description: 'May use the admin app.' },
  {
    type: EDITOR,
    name: 'Editor',
    description: 'Writes and publishes all content in the admin app.',
    permissions: EDITOR_PERMISSIONS,
  },
  {
    type: AUTHOR,
    name: 'Author',
    description: 'Writes own documents in the admin app; others publish them.',
    permissions: AUTHOR_PERMISSIONS,
  },
]

/** Built-in roles cannot be deleted. */
export const isBuiltInRole = (type: string) => BUILT_IN_ROLES.some((role) => role.type === type)

export function createRoles({ store, layout, documents, audit }: RolesOptions): Roles {
  const permissionsByRole = cachedUntilChange(
    store,
    () => [PERMISSIONS],
    () => readRolePermissions(store),
  )

  /** Writes only what differs from what is stored. An empty list has a row only if it overrides `*`. */
  async function write(target: ReadonlyMap<string, PermissionChanges>, actor: Actor): Promise<void> {
    const stored = await permissionsByRole()
    const changes = [...target].flatMap(([role, permissions]) =>
      Object.entries(permissions)
        .map(([type, list]) => ({
          ...{ role, type, list },
          isStored: list !== null && (list.length > 0 || ANY_TYPE in { ...stored.get(role), ...permissions }),
        }))
        .filter(({ type, list, isStored }) => {
          const before = stored.get(role)?.[type]
          return isStored ? JSON.stringify(before) !== JSON.stringify(list) : before !== undefined
        }),
    )
    if (changes.length === 0) return
    await store.write(async (transaction) => {
      transaction.lock([PERMISSIONS])
      transaction.touch(PERMISSIONS)
      for (const [role, of] of Map.groupBy(changes, (change) => change.role)) {
        const types = of.map(({ type }) => type).join(', ')
        audit.record(transaction, actor, { action: 'role.permissions', details: { role, types } })
      }
      for (const { role, type, list, isStored } of changes) {
        transaction.run(
          compile(
            store.dialect,
            sql`delete from ${sql.table(PERMISSIONS)} where role = ${role} and type = ${type}`,
          ),
        )
        if (isStored)
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

  async function readDocumentIds(): Promise<ReadonlyMap<string, string>> {
    const table = sql.table(typeOf(layout().model, ROLE).table)
    const rows = await store.read(
      compile(
        store.dialect,
        sql`select document_id, ${sql.ref(columnOf('type'))} as type from ${table} where published = 1`,
      ),
    )
    return new Map(rows.map((row) => [String(row.type), String(row.document_id)]))
  }

  const documentIds = cachedUntilChange(store, () => [typeOf(layout().model, ROLE).table], readDocumentIds)

  const target = ({ by, origin }: Actor) => ({
    type: typeOf(layout().model, ROLE),
    status: 'published' as const,
    locale: null,
    scope: systemScopeFor(by),
    ...(origin && { origin }),
  })

  const roleRelation = () => layout().relationId({ type: USER, component: null, attribute: 'role' })

  /** The documentIds of the users with a role. */
  async function usersOf(transaction: Transaction, role: string): Promise<string[]> {
    const { table } = typeOf(layout().model, USER)
    const query = sql`select u.document_id from ${sql.table(EDGES)} as e join ${sql.table(table)} as u on u.id = e.source
      where e.target = ${role} and e.relation = ${roleRelation()}`
    const rows = await transaction.all(compile(store.dialect, query))
    return rows.map((row) => String(row.document_id))
  }

  const create = (role: NewRole, actor = SYSTEM) =>
    documents.create(target(actor), role, async () => undefined)

  return {
    create,

    async update(type, changes, actor = SYSTEM) {
      const documentId = (await documentIds()).get(type)
      if (documentId === undefined) throw errors.notFound()
      await documents.update(target(actor), documentId, changes, async () => undefined)
    },

    async remove(type, replacement, actor = SYSTEM) {
      const documentId = (await documentIds()).get(type)
      if (documentId === undefined) throw errors.notFound()
      if (isBuiltInRole(type)) throw errors.application(`The built-in role ${type} cannot be deleted`)
      // In one transaction: leftover permissions would belong to the next role of this type.
      await documents.transaction(async (transaction, inside) => {
        transaction.lock([PERMISSIONS])
        transaction.touch(PERMISSIONS)
        transaction.run(
          compile(store.dialect, sql`delete from ${sql.table(PERMISSIONS)} where role = ${type}`),
        )
        const other = replacement === undefined ? undefined : (await documentIds()).get(replacement)
        if (other !== undefined) {
          const users = await usersOf(transaction, documentId)
          if (users.length > 0)
            await inside.update(target(actor), other, { users: { connect: users } }, async () => undefined)
        }
        await inside.remove(target(actor), documentId)
      })
    },

    async createMissing(types) {
      const needed = [
        ...BUILT_IN_ROLES.map(({ permissions, ...role }) => ({
          ...role,
          permissions: types.includes(role.type) ? undefined : permissions,
        })),
        ...types.map((type) => ({
          ...{ type, name: defaultName(type), description: null },
          permissions: undefined,
        })),
      ]
      for (const { permissions, ...role } of needed) {
        if ((await documentIds()).has(role.type)) continue
        // Before the role: it must not be left without them if the process stops in between.
        if (permissions) await write(new Map([[role.type, permissions]]), SYSTEM)
        await create(role).catch(async (failure: unknown) => {
          // Another process that starts at the same time may have created it, and this one need not know yet.
          if (!(await readDocumentIds()).has(role.type)) throw failure
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
      const rows = await store.read(
        compile(
          store.dialect,
          sql`select target, count(*) as users from ${sql.table(EDGES)} where relation = ${roleRelation()} group by target`,
        ),
      )
      return new Map(rows.map((row) => [String(row.target), Number(row.users)]))
    },

    permissionsOf(role) {
      const roles = permissionsByRole()
      return roles instanceof Promise ? roles.then((all) => all.get(role) ?? {}) : (roles.get(role) ?? {})
    },

    async all() {
      return permissionsByRole()
    },

    async setPermissions(role, permissions, actor = SYSTEM) {
      const problems = permissionSyntaxErrors(withEmptyLists(permissions))
      if (problems.length > 0) throw errors.invalid(problems.join('; '))
      await write(new Map([[role, permissions]]), actor)
    },

    async applyConfig(roles) {
      for (const [role, permissions] of Object.entries(roles)) {
        const problems = permissionSyntaxErrors(permissions)
        if (problems.length > 0) throw new StartError(`config/roles: ${role}: ${problems.join('; ')}`)
      }
      const complete = Object.entries(roles).map(([role, permissions]) => {
        const none = Object.fromEntries(configuredTypes(roles, role).map((type) => [type, []]))
        return [role, { ...none, ...permissions }] as const
      })
      await write(new Map(complete), SYSTEM)
    },
  }
}

/** The display name of a role that the configuration names; names need at least three characters. */
const defaultName = (type: string) =>
  type.length < 3 ? `Role ${type}` : type.charAt(0).toUpperCase() + type.slice(1)

/** The content-types whose permissions the configuration defines for a role: all that it names, if it names the role. */
export const configuredTypes = (roles: RolesConfig, role: string): readonly string[] =>
  role in roles ? [...new Set(Object.values(roles).flatMap((permissions) => Object.keys(permissions)))] : []
