/** Reads the permissions of roles and tokens from the database, even without a running server. */
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { PERMISSIONS } from '../tables.ts'
import { selectTokens, type Token, tokenOf } from '../tokens/token.ts'
import type { Permissions } from './permissions.ts'

export interface StoredPermissions {
  /** By type of role. */
  readonly roles: ReadonlyMap<string, Permissions>
  readonly tokens: readonly Pick<Token, 'name' | 'permissions' | 'source'>[]
}

/** By type of role. */
export async function readRolePermissions(store: Store): Promise<ReadonlyMap<string, Permissions>> {
  const select = sql`select role, type, permissions from ${sql.table(PERMISSIONS)} order by role, type`
  const byRole = new Map<string, Record<string, Permissions[string]>>()
  for (const { role, type, permissions } of await store.read(compile(store.dialect, select))) {
    const ofRole = byRole.get(String(role)) ?? {}
    byRole.set(String(role), ofRole)
    ofRole[String(type)] = JSON.parse(String(permissions))
  }
  return byRole
}

/** Empty without a database, or when no server has used it yet. */
export async function readStoredPermissions(store: Store | null): Promise<StoredPermissions> {
  if (!store) return { roles: new Map(), tokens: [] }
  const read = (statement: Statement) => store.read(statement).catch(() => [])
  const tokens = (await read(selectTokens(store.dialect))).map(tokenOf)
  return { roles: await readRolePermissions(store).catch(() => new Map()), tokens }
}
