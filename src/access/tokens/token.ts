/** An API token: what it is, what it may list as permissions, and its row. The token itself is kept as a hash alone. */
import { compile } from '../../store/compile.ts'
import type { Dialect } from '../../store/dialect.ts'
import { sql } from '../../store/sql.ts'
import type { Row, Statement } from '../../store/statement.ts'
import type { Transaction } from '../../store/store.ts'
import { type Permissions, permissionSyntaxErrors } from '../roles/permissions.ts'
import { TOKENS } from '../tables.ts'

export type TokenKind = 'read-only' | 'full-access' | 'custom' | 'admin'

export const TOKEN_KINDS: readonly TokenKind[] = ['read-only', 'full-access', 'custom', 'admin']

/** Everything about a token but the token. */
export interface Token {
  readonly id: number
  readonly name: string
  readonly kind: TokenKind
  readonly permissions: Permissions | null
  /** `config` for those of `config/tokens.json`, which cannot be changed at run time. */
  readonly source: 'config' | 'made'
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
}

/** What is wrong with the permissions of a token of this kind, in words. */
export function tokenPermissionErrors(kind: string, permissions: Permissions | null): string[] {
  if (kind === 'custom')
    return permissions ? permissionSyntaxErrors(permissions) : ['a custom token needs a list of permissions']
  return permissions ? [`a ${kind} token takes no permissions`] : []
}

/** Reads the rows of the tokens that are not revoked, oldest first. */
export const selectTokens = (dialect: Dialect): Statement =>
  compile(dialect, sql`select * from ${sql.table(TOKENS)} where revoked_at is null order by id`)

/** Stores a token under its hash. */
export async function insertToken(
  transaction: Transaction,
  token: Omit<Token, 'id' | 'createdAt' | 'lastUsedAt'>,
  hash: string,
): Promise<Token> {
  const [row] = await transaction.all(
    compile(
      transaction.dialect,
      sql`insert into ${sql.table(TOKENS)} (name, kind, hash, permissions, source, created_at, expires_at)
        values (${token.name}, ${token.kind}, ${hash}, ${permissionsText(token.permissions)}, ${token.source},
          ${new Date().toISOString()}, ${token.expiresAt}) returning *`,
    ),
  )
  if (!row) throw new Error('The token was not stored')
  return tokenOf(row)
}

/** Revokes a token. */
export const revokeToken = (transaction: Transaction, id: number) =>
  transaction.run(
    compile(
      transaction.dialect,
      sql`update ${sql.table(TOKENS)} set revoked_at = ${new Date().toISOString()} where id = ${id}`,
    ),
  )

/** The token in a row. */
export function tokenOf(row: Row): Token {
  const kind = TOKEN_KINDS.find((known) => known === row.kind)
  if (!kind) throw new Error(`A token of unknown kind ${row.kind} is stored`)
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  return {
    id: Number(row.id),
    name: String(row.name),
    kind,
    permissions: row.permissions === null ? null : JSON.parse(String(row.permissions)),
    source: row.source === 'config' ? 'config' : 'made',
    createdAt: String(row.created_at),
    expiresAt: text(row.expires_at),
    lastUsedAt: text(row.last_used_at),
  }
}

/** Permissions as a row has them. */
export const permissionsText = (permissions: Permissions | null) =>
  permissions === null ? null : JSON.stringify(permissions)
