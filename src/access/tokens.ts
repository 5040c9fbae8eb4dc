/**
 * API tokens: made, listed and revoked here; kept as hashes, shown once. All live tokens are held in memory
 * until the table changes, so that a request costs no read.
 */

import { sql } from 'kysely'
import { errors } from '../errors.ts'
import type { TokenConfig } from '../project/config.ts'
import { compile } from '../store/compile.ts'
import { StartError } from '../store/failure.ts'
import type { Row, Store, Transaction } from '../store/store.ts'
import { hashOf, newSecret, sameHash } from './credential.ts'
import { mistakesIn, type Permissions } from './grants.ts'
import { remembered } from './remembered.ts'
import { TOKENS } from './tables.ts'

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

export interface NewToken {
  readonly name: string
  readonly kind: TokenKind
  readonly permissions?: Permissions | null
  /** ISO instant after which it is refused; never when absent. */
  readonly expiresAt?: string | null
}

export interface Tokens {
  /** Makes a token; the secret is in the answer and nowhere else. */
  create(token: NewToken): Promise<{ token: Token; secret: string }>
  /** Tokens that are not revoked, oldest first. */
  list(): Promise<readonly Token[]>
  /** Ends a token, by id or name; false when there is none such. */
  revoke(idOrName: string): Promise<boolean>
  /** Makes the tokens of the configuration exist as it says, and ends those it no longer names. */
  applyConfig(tokens: Readonly<Record<string, TokenConfig>>, env: NodeJS.ProcessEnv): Promise<string[]>
  /** The live token with this hash. Without a read unless the table has changed. */
  byHash(hash: string): Token | null | Promise<Token | null>
  /** Notes that a token was used; written down once in a while. */
  used(id: number): void
  /** Writes down when tokens were last used. */
  flush(): Promise<void>
}

/** Shorter ones could be guessed, and they are hashed only lightly. */
const SHORTEST_CONFIGURED = 32

export function createTokens(store: Store): Tokens {
  const lastUsed = new Map<number, number>()

  const select = sql`select * from ${sql.table(TOKENS)} where revoked_at is null order by id`

  const live = remembered(
    store,
    () => [TOKENS],
    async () => {
      const rows = await store.read(compile(store.engine, select))
      return new Map(rows.map((row) => [String(row.hash), tokenOf(row)]))
    },
  )

  async function change<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return store.write(async (transaction) => {
      await transaction.lock([TOKENS])
      transaction.touch(TOKENS)
      return work(transaction)
    })
  }

  const tokens: Tokens = {
    async create({ name, kind, permissions = null, expiresAt = null }) {
      checkNew(name, kind, permissions, expiresAt)
      const secret = newSecret(kind === 'admin' ? 'octavo_admin' : 'octavo')
      const token = await change(async (transaction) => {
        const rows = await transaction.all(compile(store.engine, select))
        if (rows.some((row) => row.name === name))
          throw errors.application(`There is already a token named ${name}`)
        return insert(transaction, { name, kind, permissions, expiresAt, source: 'made' }, hashOf(secret))
      })
      return { token, secret }
    },

    async list() {
      const rows = await store.read(compile(store.engine, select))
      return rows.map(tokenOf)
    },

    async revoke(idOrName) {
      return change(async (transaction) => {
        const rows = (await transaction.all(compile(store.engine, select))).map(tokenOf)
        const token = rows.find(({ id }) => String(id) === idOrName) ?? rows.find((t) => t.name === idOrName)
        if (!token) return false
        if (token.source === 'config')
          throw errors.application(`The token ${token.name} comes from the configuration; remove it there`)
        await end(transaction, token.id)
        return true
      })
    },

    async applyConfig(configured, env) {
      const notes: string[] = []
      const wanted = new Map<string, { config: TokenConfig; hash: string }>()
      for (const [name, config] of Object.entries(configured)) {
        const secret = config.token ?? (config.env ? env[config.env] : undefined)
        if (!secret) notes.push(`The token ${name} has no value: ${config.env ?? 'token'} is not set`)
        else wanted.set(name, { config, hash: hashOf(checkConfigured(name, config, secret)) })
      }
      const upToDate = (row: Row) => {
        const entry = wanted.get(String(row.name))
        return (
          entry !== undefined &&
          sameHash(entry.hash, String(row.hash)) &&
          row.kind === entry.config.type &&
          row.permissions === permissionsText(entry.config.permissions ?? null)
        )
      }
      const inConfig = (rows: readonly Row[]) => rows.filter((row) => row.source === 'config')
      const stored = inConfig(await store.read(compile(store.engine, select)))
      if (stored.length === wanted.size && stored.every(upToDate)) return notes
      await change(async (transaction) => {
        const rows = inConfig(await transaction.all(compile(store.engine, select)))
        for (const row of rows.filter((r) => !upToDate(r))) await end(transaction, Number(row.id))
        const kept = new Set(rows.filter(upToDate).map((row) => String(row.name)))
        for (const [name, { config, hash }] of wanted) {
          if (kept.has(name)) continue
          // A revoked row may hold the same hash: the value has come back, so the old row gives way.
          await transaction.run(
            compile(
              store.engine,
              sql`delete from ${sql.table(TOKENS)} where hash = ${hash} and revoked_at is not null`,
            ),
          )
          const permissions = config.permissions ?? null
          await insert(
            transaction,
            { name, kind: config.type, permissions, expiresAt: null, source: 'config' },
            hash,
          )
        }
      })
      return notes
    },

    byHash(hash) {
      const known = live()
      return known instanceof Promise ? known.then((tokens) => alive(tokens, hash)) : alive(known, hash)
    },

    used(id) {
      lastUsed.set(id, Date.now())
    },

    async flush() {
      const uses = [...lastUsed]
      lastUsed.clear()
      if (uses.length === 0) return
      // The table is not touched: when a token was used changes nothing about who may do what.
      await store.write(async (transaction) => {
        for (const [id, at] of uses)
          await transaction.run(
            compile(
              store.engine,
              sql`update ${sql.table(TOKENS)} set last_used_at = ${new Date(at).toISOString()} where id = ${id}`,
            ),
          )
      })
    },
  }

  async function insert(
    transaction: Transaction,
    token: Omit<Token, 'id' | 'createdAt' | 'lastUsedAt'>,
    hash: string,
  ): Promise<Token> {
    const [row] = await transaction.all(
      compile(
        store.engine,
        sql`insert into ${sql.table(TOKENS)} (name, kind, hash, permissions, source, created_at, expires_at)
          values (${token.name}, ${token.kind}, ${hash}, ${permissionsText(token.permissions)}, ${token.source},
            ${new Date().toISOString()}, ${token.expiresAt}) returning *`,
      ),
    )
    if (!row) throw new Error('The token was not stored')
    return tokenOf(row)
  }

  const end = (transaction: Transaction, id: number) =>
    transaction.run(
      compile(
        store.engine,
        sql`update ${sql.table(TOKENS)} set revoked_at = ${new Date().toISOString()} where id = ${id}`,
      ),
    )

  return tokens
}

function alive(byHash: ReadonlyMap<string, Token>, hash: string): Token | null {
  const token = byHash.get(hash)
  return token && !(token.expiresAt !== null && Date.parse(token.expiresAt) <= Date.now()) ? token : null
}

const permissionsText = (permissions: Permissions | null) =>
  permissions === null ? null : JSON.stringify(permissions)

function tokenOf(row: Row): Token {
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

function checkNew(name: string, kind: TokenKind, permissions: Permissions | null, expiresAt: string | null) {
  if (!/^[\w .:-]{1,100}$/.test(name) || /^\d+$/.test(name))
    throw errors.invalid('A token needs a name of letters, digits, spaces and . : _ - that is not a number')
  const mistakes = permissionMistakes(kind, permissions)
  if (mistakes.length > 0) throw errors.invalid(mistakes.join('; '))
  if (expiresAt !== null && !(Date.parse(expiresAt) > Date.now()))
    throw errors.invalid('A token must expire in the future')
}

function checkConfigured(name: string, config: TokenConfig, secret: string): string {
  const mistakes = permissionMistakes(config.type, config.permissions ?? null)
  if (!['read-only', 'full-access', 'custom'].includes(config.type))
    mistakes.push('type must be read-only, full-access or custom')
  if (secret.length < SHORTEST_CONFIGURED)
    mistakes.push(`the value must have at least ${SHORTEST_CONFIGURED} characters`)
  if (mistakes.length > 0) throw new StartError(`config/tokens: ${name}: ${mistakes.join('; ')}`)
  return secret
}

function permissionMistakes(kind: string, permissions: Permissions | null): string[] {
  if (kind === 'custom')
    return permissions ? mistakesIn(permissions) : ['a custom token needs a list of permissions']
  return permissions ? [`a ${kind} token takes no permissions`] : []
}
