/**
 * API tokens: made, listed and revoked here; kept as hashes, shown once. All live tokens are held in memory
 * until the table changes, so that a request costs no read.
 */
import { errors } from '../../errors.ts'
import { formatInstant } from '../../model/scalars/shared/instants.ts'
import type { TokenConfig } from '../../project/config/config.ts'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { hashOf, newSecret } from '../credentials/bearer.ts'
import type { Permissions } from '../roles/permissions.ts'
import { TOKENS } from '../tables.ts'
import { cachedUntilChange } from '../versioned-cache.ts'
import { applyTokens, configuredTokens, isApplied } from './configured-tokens.ts'
import {
  insertToken,
  revokeToken,
  selectTokens,
  type Token,
  type TokenKind,
  tokenOf,
  tokenPermissionErrors,
} from './token.ts'

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
  recordUse(id: number): void
  /** Writes down when tokens were last used. */
  saveLastUses(): Promise<void>
}

export function createTokens(store: Store): Tokens {
  const lastUsed = new Map<number, number>()

  const select = selectTokens(store.dialect)

  const live = cachedUntilChange(
    store,
    () => [TOKENS],
    async () => {
      const rows = await store.read(select)
      return new Map(rows.map((row) => [String(row.hash), tokenOf(row)]))
    },
  )

  async function change<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return store.write(async (transaction) => {
      transaction.lock([TOKENS])
      transaction.touch(TOKENS)
      return work(transaction)
    })
  }

  return {
    async create({ name, kind, permissions = null, expiresAt = null }) {
      checkNew(name, kind, permissions, expiresAt)
      const secret = newSecret(kind === 'admin' ? 'octavo_admin' : 'octavo')
      const token = await change(async (transaction) => {
        const rows = await transaction.all(select)
        if (rows.some((row) => row.name === name))
          throw errors.application(`There is already a token named ${name}`)
        return insertToken(
          transaction,
          { name, kind, permissions, expiresAt, source: 'made' },
          hashOf(secret),
        )
      })
      return { token, secret }
    },

    async list() {
      const rows = await store.read(select)
      return rows.map(tokenOf)
    },

    async revoke(idOrName) {
      return change(async (transaction) => {
        const rows = (await transaction.all(select)).map(tokenOf)
        const token = rows.find(({ id }) => String(id) === idOrName) ?? rows.find((t) => t.name === idOrName)
        if (!token) return false
        if (token.source === 'config')
          throw errors.application(`The token ${token.name} comes from the configuration; remove it there`)
        revokeToken(transaction, token.id)
        return true
      })
    },

    async applyConfig(configured, env) {
      const { wanted, notes } = configuredTokens(configured, env)
      if (!isApplied(wanted, await store.read(select)))
        await change(async (transaction) => applyTokens(transaction, wanted, await transaction.all(select)))
      return notes
    },

    byHash(hash) {
      const known = live()
      return known instanceof Promise ? known.then((tokens) => alive(tokens, hash)) : alive(known, hash)
    },

    recordUse(id) {
      lastUsed.set(id, Date.now())
    },

    async saveLastUses() {
      const uses = [...lastUsed]
      lastUsed.clear()
      if (uses.length === 0) return
      // The table is not touched: when a token was used changes nothing about who may do what.
      await store.write(async (transaction) => {
        for (const [id, at] of uses)
          transaction.run(
            compile(
              store.dialect,
              sql`update ${sql.table(TOKENS)} set last_used_at = ${new Date(at).toISOString()} where id = ${id}`,
            ),
          )
      })
    },
  }
}

function alive(byHash: ReadonlyMap<string, Token>, hash: string): Token | null {
  const token = byHash.get(hash)
  return token && !(token.expiresAt !== null && Date.parse(token.expiresAt) <= Date.now()) ? token : null
}

/** What is said of a token that would expire later than archives and other databases can write down. */
export const EXPIRES_TOO_LATE =
  'A token cannot expire after the year 9999; say nothing about it for one that never expires'

function checkNew(name: string, kind: TokenKind, permissions: Permissions | null, expiresAt: string | null) {
  if (!/^[\w .:-]{1,100}$/.test(name) || /^\d+$/.test(name))
    throw errors.invalid('A token needs a name of letters, digits, spaces and . : _ - that is not a number')
  const mistakes = tokenPermissionErrors(kind, permissions)
  if (mistakes.length > 0) throw errors.invalid(mistakes.join('; '))
  if (expiresAt !== null && !(Date.parse(expiresAt) > Date.now()))
    throw errors.invalid('A token must expire in the future')
  if (expiresAt !== null && formatInstant(Date.parse(expiresAt)) === null)
    throw errors.invalid(EXPIRES_TOO_LATE)
}
