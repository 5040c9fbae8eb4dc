/** An API token and its row. Only the hash of the secret is stored. */
import { compile } from '../../store/compile.ts'
import type { Dialect } from '../../store/dialect.ts'
import { sql } from '../../store/sql.ts'
import type { Row, Statement } from '../../store/statement.ts'
import type { Transaction } from '../../store/store.ts'
import { type Permissions, permissionSyntaxErrors } from '../roles/permissions.ts'
import { TOKENS } from '../tables.ts'

export type TokenKind = 'read-only' | 'full-access' | 'custom' | 'admin'

export const TOKEN_KINDS: readonly TokenKind[] = ['read-only', 'full-access', 'custom', 'admin']

/** A token without its secret. */
export interface Token {
  readonly id: number
  readonly name: string
  readonly kind: TokenKind
  readonly permissions: Permissions | null
  /** `config` tokens come from `config/tokens.json` and cannot be changed at run time. */
  readonly source: 'config' | 'made'
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
}

export function tokenPermissionErrors(kind: string, permissions: Permissions | null): string[] {
  if (kind === 'custom')
    return permissions ? permissionSyntaxErrors(permissions) : ['a custom token requires permissions']
  return permissions ? [`a ${kind} token cannot have permissions`] : []
}

/** Tokens that are not revoked, oldest first. */
export const selectTokens = (dialect: Dialect): Statement =>
  compile(dialect, sql`select * from ${sql.table(TOKENS)} where revoked_at is null order by id`)

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

/** Replaces the secret and the expiry of a token. */
export async function replaceSecret(
  transaction: Transaction,
  { id, expiresAt }: Pick<Token, 'id' | 'expiresAt'>,
  hash: string,
): Promise<Token> {
  const [row] = await transaction.all(
    compile(
      transaction.dialect,
      sql`update ${sql.table(TOKENS)} set hash = ${hash}, expires_at = ${expiresAt} where id = ${id} returning *`,
    ),
  )
  if (!row) throw new Error('The token was not stored')
  return tokenOf(row)
}

export const revokeToken = (transaction: Transaction, id: number) =>
  transaction.run(
    compile(
      transaction.dialect,
      sql`update ${sql.table(TOKENS)} set revoked_at = ${new Date().toISOString()} where id = ${id}`,
    ),
  )

export function tokenOf(row: Row): Token {
  const kind = TOKEN_KINDS.find((known) => known === row.kind)
  if (!kind) throw new Error(`Stored token of unknown kind: ${row.kind}`)
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

export const permissionsText = (permissions: Permissions | null) =>
  permissions === null ? null : JSON.stringify(permissions)
