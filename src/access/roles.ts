/**
 * Roles and what they may do. Roles are documents; their permissions are rows of their own, one for each role and
 * content-type. `config/roles.json` is the truth for the types it names; what was changed at run time for
 * other types stays.
 */
import { sql } from 'kysely'
import { errors } from '../errors.ts'
import type { RolesConfig } from '../project/config.ts'
import { compile } from '../store/compile.ts'
import type { Store } from '../store/store.ts'
import { mistakesIn, type Permissions } from './grants.ts'
import { remembered } from './remembered.ts'
import { PERMISSIONS } from './tables.ts'

export interface Roles {
  /** What the role of this type may do; nothing when there is no such role. */
  permissionsOf(role: string): Permissions | Promise<Permissions>
  /** What every role may do, by type of role. */
  all(): Promise<ReadonlyMap<string, Permissions>>
  /** Replaces what a role may do with the content-types named. */
  put(role: string, permissions: Permissions): Promise<void>
  /** Makes the permissions of the configuration true for the types it names. */
  applyConfig(roles: RolesConfig): Promise<void>
}

export function createRoles(store: Store): Roles {
  const select = sql`select role, type, permissions from ${sql.table(PERMISSIONS)} order by role, type`

  const known = remembered(
    store,
    () => [PERMISSIONS],
    async () => {
      const byRole = new Map<string, Record<string, Permissions[string]>>()
      for (const { role, type, permissions } of await store.read(compile(store.engine, select))) {
        const ofRole = byRole.get(String(role)) ?? {}
        byRole.set(String(role), ofRole)
        ofRole[String(type)] = JSON.parse(String(permissions))
      }
      return byRole
    },
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
      await transaction.lock([PERMISSIONS])
      transaction.touch(PERMISSIONS)
      for (const { role, type, list } of changes) {
        await transaction.run(
          compile(
            store.engine,
            sql`delete from ${sql.table(PERMISSIONS)} where role = ${role} and type = ${type}`,
          ),
        )
        if (list.length > 0)
          await transaction.run(
            compile(
              store.engine,
              sql`insert into ${sql.table(PERMISSIONS)} (role, type, permissions)
                values (${role}, ${type}, ${JSON.stringify(list)})`,
            ),
          )
      }
    })
  }

  return {
    permissionsOf(role) {
      const roles = known()
      return roles instanceof Promise ? roles.then((all) => all.get(role) ?? {}) : (roles.get(role) ?? {})
    },

    async all() {
      return known()
    },

    async put(role, permissions) {
      const mistakes = mistakesIn(permissions)
      if (mistakes.length > 0) throw errors.invalid(mistakes.join('; '))
      await write(new Map([[role, permissions]]))
    },

    async applyConfig(roles) {
      for (const [role, permissions] of Object.entries(roles)) {
        const mistakes = mistakesIn(permissions)
        if (mistakes.length > 0) throw new Error(`config/roles: ${role}: ${mistakes.join('; ')}`)
      }
      const named = new Set(Object.values(roles).flatMap((permissions) => Object.keys(permissions)))
      const complete = Object.entries(roles).map(([role, permissions]) => {
        const none = Object.fromEntries([...named].map((type) => [type, []]))
        return [role, { ...none, ...permissions }] as const
      })
      await write(new Map(complete))
    },
  }
}
