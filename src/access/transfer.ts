/**
 * Tokens (as hashes), role permissions, session versions and the views of the admin app in an archive. Sessions, codes,
 * invitations and second factors are not exported: users sign in again.
 */
import { type ArchiveLine, DOCUMENT_ID, type Fields, INSTANT } from '../documents/transfer/archive-line.ts'
import { isObject } from '../project/values.ts'
import { compile } from '../store/compile.ts'
import type { Dialect } from '../store/dialect.ts'
import { sql } from '../store/sql.ts'
import type { SqlValue } from '../store/statement.ts'
import type { ReadRows, Transaction } from '../store/store.ts'
import { advanceRowIds, highestRowId } from '../store/tables/counters.ts'
import { permissionSyntaxErrors } from './roles/permissions.ts'
import {
  CODES,
  INVITATIONS,
  PERMISSIONS,
  REFRESH_TOKENS,
  SAVED_VIEWS,
  SESSION_VERSIONS,
  SESSIONS,
  TEAM_SESSIONS,
  TOKENS,
  VIEWS,
} from './tables.ts'
import { TOKEN_KINDS } from './tokens/token.ts'
import { ENDED_SESSIONS } from './users/sessions.ts'

export async function* accessLines(read: ReadRows, dialect: Dialect): AsyncGenerator<Fields> {
  for (const row of await read(sql`select * from ${sql.table(TOKENS)} order by id`))
    yield {
      kind: 'token',
      id: row.id,
      name: row.name,
      type: row.kind,
      hash: row.hash,
      permissions: row.permissions === null ? null : JSON.parse(String(row.permissions)),
      source: row.source,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      lastUsedAt: row.last_used_at,
      revokedAt: row.revoked_at,
    }
  yield { kind: 'token ids', highest: await highestRowId(read, dialect, TOKENS) }
  for (const row of await read(sql`select * from ${sql.table(PERMISSIONS)} order by role, type`))
    yield {
      kind: 'permission',
      role: row.role,
      type: row.type,
      permissions: JSON.parse(String(row.permissions)),
    }
  for (const row of await read(sql`select * from ${sql.table(SESSION_VERSIONS)} order by account`))
    yield { kind: 'sessions', account: row.account, version: row.version }
  for (const row of await read(sql`select * from ${sql.table(VIEWS)} order by kind, name`))
    yield { kind: 'view', of: row.kind, name: row.name, value: JSON.parse(String(row.value)) }
  for (const row of await read(sql`select * from ${sql.table(SAVED_VIEWS)} order by id`))
    yield {
      ...{ kind: 'saved view', id: row.id, type: row.type, name: row.name, query: row.query },
      ...{ shared: row.shared === 1, account: row.account },
    }
}

/** What a line of an archive inserts. */
export type AccessChange = (transaction: Transaction) => Promise<void>

/** Null when the line is not about access. */
export function parseAccessLine(line: ArchiveLine): AccessChange | null {
  switch (line.kind) {
    case 'token':
      return tokenInsert(line)
    case 'token ids': {
      const highest = line.integer('highest')
      return (transaction) => advanceRowIds(transaction, TOKENS, highest)
    }
    case 'permission': {
      const values = [line.string('role'), line.string('type'), permissionText(line, line.string('type'))]
      return insertRow(PERMISSIONS, ['role', 'type', 'permissions'], values)
    }
    case 'sessions':
      return insertRow(
        SESSION_VERSIONS,
        ['account', 'version'],
        [line.string('account', DOCUMENT_ID), line.integer('version')],
      )
    case 'view': {
      const value = line.fields.value
      if (!isObject(value)) throw line.error('has an invalid view')
      return insertRow(
        VIEWS,
        ['kind', 'name', 'value'],
        [
          line.string('of', /^(type|navigation)$/),
          line.string('name', /^[^\p{Cc}]{0,200}$/u),
          JSON.stringify(value),
        ],
      )
    }
    case 'saved view':
      return insertRow(
        SAVED_VIEWS,
        ['id', 'type', 'name', 'query', 'shared', 'account'],
        [
          ...[
            line.string('id', /^[\w-]{1,64}$/),
            line.string('type'),
            line.string('name'),
            line.string('query'),
          ],
          ...[line.fields.shared === true ? 1 : 0, line.string('account', DOCUMENT_ID)],
        ],
      )
    default:
      return null
  }
}

/** Earlier versions allowed tokens to expire in years of more than four digits. */
const EXPIRY = /^(\d{4}|\+\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function tokenInsert(line: ArchiveLine): AccessChange {
  const kind = line.string('type')
  if (!TOKEN_KINDS.some((known) => known === kind)) throw line.error(`has a token of unknown type ${kind}`)
  const permissions = line.fields.permissions == null ? null : tokenPermissions(line)
  const columns = ['id', 'name', 'kind', 'hash', 'permissions', 'source', 'created_at', 'expires_at']
  return insertRow(
    TOKENS,
    [...columns, 'last_used_at', 'revoked_at'],
    [
      ...[
        line.integer('id', 1),
        line.string('name', /^[^\p{Cc}]{1,200}$/u),
        kind,
        line.string('hash', /^\S{1,200}$/),
      ],
      ...[permissions, line.string('source', /^(config|made)$/), line.string('createdAt', INSTANT)],
      line.stringOrNull('expiresAt', EXPIRY),
      ...['lastUsedAt', 'revokedAt'].map((name) => line.stringOrNull(name, INSTANT)),
    ],
  )
}

const insertRow =
  (table: string, columns: readonly string[], values: readonly SqlValue[]): AccessChange =>
  async (transaction) => {
    await transaction.all(
      compile(
        transaction.dialect,
        sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.id(name)))})
          ${columns.includes('id') ? transaction.dialect.overridingIds : sql``} values (${sql.join(values)})`,
      ),
    )
  }

function permissionText(line: ArchiveLine, type: string): string {
  const { permissions } = line.fields
  return checked(line, { [type]: permissions }, permissions)
}

const tokenPermissions = (line: ArchiveLine) =>
  checked(line, line.fields.permissions, line.fields.permissions)

function checked(line: ArchiveLine, permissions: unknown, stored: unknown): string {
  const [problem] = permissionSyntaxErrors(permissions)
  if (problem) throw line.error(`has invalid permissions: ${problem}`)
  return JSON.stringify(stored)
}

/** Whether there are tokens that do not come from the configuration. */
export async function hasOwnTokens(read: ReadRows): Promise<boolean> {
  return (await read(sql`select 1 as one from ${sql.table(TOKENS)} where source = 'made' limit 1`)).length > 0
}

/** Not second factors: an account that is in the archive too keeps asking for its codes. */
const CLEARED = [
  ...[TOKENS, PERMISSIONS, SESSIONS, REFRESH_TOKENS, SESSION_VERSIONS, CODES],
  ...[TEAM_SESSIONS, INVITATIONS, VIEWS, SAVED_VIEWS],
]

/** Deletes everything about access, including sessions and codes. */
export function clearAccess(transaction: Transaction): void {
  for (const table of CLEARED) {
    transaction.run(compile(transaction.dialect, sql`delete from ${sql.table(table)}`))
    transaction.touch(table)
  }
  transaction.touch(ENDED_SESSIONS)
}
