/**
 * Creates, lists and revokes API tokens. The secret is shown once and stored as a hash. Valid tokens are cached in memory
 * until the table changes, so that a request reads nothing.
 */
import { errors } from '../../errors.ts'
import type { AuditLog } from '../../events/audit/append.ts'
import { type Actor, SYSTEM } from '../../events/audit/audit-record.ts'
import { formatInstant } from '../../model/scalars/shared/instants.ts'
import type { TokenConfig } from '../../project/config/access-config.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { hashOf, newSecret } from '../credentials/bearer.ts'
import { createLastUses } from '../credentials/last-uses.ts'
import type { Permissions } from '../roles/permissions.ts'
import { TOKENS } from '../tables.ts'
import { cachedUntilChange } from '../versioned-cache.ts'
import { applyTokens, configuredTokens, isApplied, type TokenSource } from './configured-tokens.ts'
import {
  insertToken,
  replaceSecret,
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
  /** ISO instant; absent: never. */
  readonly expiresAt?: string | null
}

export interface Tokens {
  /** The secret is returned here and cannot be read again. */
  create(token: NewToken, actor?: Actor): Promise<{ token: Token; secret: string }>
  /** Replaces the secret, and the expiry if one is given; null when there is no such token. The former secret ends immediately. */
  regenerate(
    id: string,
    expiresAt?: string | null,
    actor?: Actor,
  ): Promise<{ token: Token; secret: string } | null>
  /** Tokens that are not revoked, oldest first. */
  list(): Promise<readonly Token[]>
  /** By id or name; false when there is no such token. */
  revoke(idOrName: string, actor?: Actor): Promise<boolean>
  /** Synchronizes stored tokens with the configuration; returns warnings. */
  applyConfig(tokens: Readonly<Record<string, TokenConfig>>, source: TokenSource): Promise<string[]>
  /** The valid token with this hash. Reads only after the table has changed. */
  byHash(hash: string): Token | null | Promise<Token | null>
  /** Remembers the time in memory; `saveLastUses` writes it. */
  recordUse(id: number): void
  saveLastUses(): Promise<void>
}

export function createTokens(store: Store, audit: AuditLog): Tokens {
  const lastUses = createLastUses<number>(store, TOKENS)

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
    async create({ name, kind, permissions = null, expiresAt = null }, actor = SYSTEM) {
      checkNewToken(name, kind, permissions, expiresAt)
      const secret = secretFor(kind)
      const token = await change(async (transaction) => {
        const rows = await transaction.all(select)
        if (rows.some((row) => row.name === name))
          throw errors.application(`The token name ${name} is already taken`)
        const made = await insertToken(
          transaction,
          { name, kind, permissions, expiresAt, source: 'made' },
          hashOf(secret),
        )
        const details = { id: made.id, name, type: kind, expiresAt }
        audit.record(transaction, actor, { action: 'token.create', details })
        return made
      })
      return { token, secret }
    },

    async regenerate(id, expiresAt, actor = SYSTEM) {
      checkExpiry(expiresAt ?? null)
      return change(async (transaction) => {
        const token = (await transaction.all(select)).map(tokenOf).find((each) => String(each.id) === id)
        if (!token) return null
        refuseConfigured(token, 'changed')
        const until = expiresAt === undefined ? token.expiresAt : expiresAt
        if (until !== null && Date.parse(until) <= Date.now())
          throw errors.invalid(`The token ${token.name} has expired: give it a new expiresAt`)
        const secret = secretFor(token.kind)
        const replaced = await replaceSecret(transaction, { id: token.id, expiresAt: until }, hashOf(secret))
        const details = { id: token.id, name: token.name, expiresAt: until }
        audit.record(transaction, actor, { action: 'token.regenerate', details })
        return { token: replaced, secret }
      })
    },

    async list() {
      const rows = await store.read(select)
      return rows.map(tokenOf)
    },

    async revoke(idOrName, actor = SYSTEM) {
      return change(async (transaction) => {
        const rows = (await transaction.all(select)).map(tokenOf)
        const token = rows.find(({ id }) => String(id) === idOrName) ?? rows.find((t) => t.name === idOrName)
        if (!token) return false
        refuseConfigured(token, 'removed')
        revokeToken(transaction, token.id)
        const { id, name } = token
        audit.record(transaction, actor, { action: 'token.delete', details: { id, name } })
        return true
      })
    },

    async applyConfig(tokens, source) {
      const { configured, warnings } = configuredTokens(tokens, source)
      if (!isApplied(configured, await store.read(select)))
        await change(async (transaction) =>
          applyTokens(transaction, configured, await transaction.all(select)),
        )
      return warnings
    },

    byHash(hash) {
      const known = live()
      return known instanceof Promise
        ? known.then((tokens) => unexpired(tokens, hash))
        : unexpired(known, hash)
    },

    recordUse: lastUses.record,
    saveLastUses: lastUses.save,
  }
}

const secretFor = (kind: TokenKind) => newSecret(kind === 'admin' ? 'octavo_admin' : 'octavo')

function refuseConfigured({ name, source }: Token, what: 'changed' | 'removed') {
  if (source === 'config')
    throw errors.application(`The token ${name} comes from the configuration and must be ${what} there`)
}

function unexpired(byHash: ReadonlyMap<string, Token>, hash: string): Token | null {
  const token = byHash.get(hash)
  return token && !(token.expiresAt !== null && Date.parse(token.expiresAt) <= Date.now()) ? token : null
}

export const EXPIRES_TOO_LATE =
  'A token cannot expire after the year 9999; omit the expiry for a token that never expires'

function checkNewToken(
  name: string,
  kind: TokenKind,
  permissions: Permissions | null,
  expiresAt: string | null,
) {
  if (!/^[\w .:-]{1,100}$/.test(name) || /^\d+$/.test(name))
    throw errors.invalid(
      'The name of a token must consist of letters, digits, spaces and . : _ - and not be a number',
    )
  const problems = tokenPermissionErrors(kind, permissions)
  if (problems.length > 0) throw errors.invalid(problems.join('; '))
  checkExpiry(expiresAt)
}

function checkExpiry(expiresAt: string | null) {
  if (expiresAt !== null && !(Date.parse(expiresAt) > Date.now()))
    throw errors.invalid('The expiry of a token must be in the future')
  if (expiresAt !== null && formatInstant(Date.parse(expiresAt)) === null)
    throw errors.invalid(EXPIRES_TOO_LATE)
}
