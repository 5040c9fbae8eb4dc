/**
 * Sessions of signed-in users. In long-lived mode a session is one token. In refresh mode it has a short-lived access token
 * and a refresh token that is rotated at each use. Reuse of a rotated refresh token means that it was stolen, and ends
 * the session. Within a short grace period, reuse is attributed to another browser tab and gets a replacement too; the
 * first of these replacements to be used rotates the others, so a thief is still detected.
 */
import { randomUUID } from 'node:crypto'
import type { AuthConfig } from '../../project/config/access-config.ts'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { hashOf, newSecret } from '../credentials/bearer.ts'
import type { Jwt } from '../credentials/jwt.ts'
import { REFRESH_TOKENS, SESSIONS } from '../tables.ts'
import { cachedUntilChange } from '../versioned-cache.ts'
import type { Account, Accounts } from './accounts.ts'

export interface SessionTokens {
  readonly jwt: string
  /** Only in refresh mode. */
  readonly refreshToken?: string
}

export interface Sessions {
  readonly mode: AuthConfig['sessions']
  start(account: Account): Promise<SessionTokens>
  /** Null when the refresh token is unknown, reused or expired, or its session has ended. */
  refresh(refreshToken: string): Promise<(SessionTokens & { readonly account: Account }) | null>
  /** Ends one session; `Accounts.endSessions` ends all of a user. */
  end(session: string): Promise<void>
  /** Null means a long-lived token, which is not accepted in refresh mode. Reads only after a session has ended. */
  isEnded(session: string | null): boolean | Promise<boolean>
}

/** Touched when a session ends, instead of the table, which also changes at each sign-in. */
export const ENDED_SESSIONS = 'octavo_ended_sessions'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** How long after its rotation a refresh token may still be used by another tab. */
const REUSE_GRACE = 10_000

export function createSessions(store: Store, config: AuthConfig, jwt: Jwt, accounts: Accounts): Sessions {
  const accessMs = config.accessMinutes * MINUTE
  const instant = (inMs = 0) => new Date(Date.now() + inMs).toISOString()

  // Access tokens of sessions that ended earlier have expired.
  const recentlyEnded = cachedUntilChange(
    store,
    () => [ENDED_SESSIONS],
    async () => {
      const rows = await store.read(
        compile(
          store.dialect,
          sql`select id from ${sql.table(SESSIONS)} where revoked_at > ${instant(-2 * accessMs)}`,
        ),
      )
      return new Set(rows.map((row) => String(row.id)))
    },
  )

  const sign = (account: Account, session: string | null) =>
    jwt.sign({
      account: account.documentId,
      stamp: account.stamp,
      session,
      expiresAt: Date.now() + (session === null ? config.longLivedDays * DAY : accessMs),
    })

  function addRefreshToken(transaction: Transaction, session: string): string {
    const refreshToken = newSecret('octavo_refresh')
    transaction.run(
      compile(
        store.dialect,
        sql`insert into ${sql.table(REFRESH_TOKENS)} (hash, session) values (${hashOf(refreshToken)}, ${session})`,
      ),
    )
    return refreshToken
  }

  function endIn(transaction: Transaction, session: string): void {
    transaction.touch(ENDED_SESSIONS)
    transaction.run(
      compile(
        store.dialect,
        sql`update ${sql.table(SESSIONS)} set revoked_at = ${instant()} where revoked_at is null and id = ${session}`,
      ),
    )
  }

  /** Marks a token and all others of its session as rotated. Returns the session; null when the token was rotated before. */
  async function markRotated(transaction: Transaction, hash: string): Promise<string | null> {
    const [token] = await transaction.all(
      compile(
        store.dialect,
        sql`update ${sql.table(REFRESH_TOKENS)} set used_at = ${instant()}
          where hash = ${hash} and used_at is null returning session`,
      ),
    )
    if (!token) return null
    const session = String(token.session)
    transaction.run(
      compile(
        store.dialect,
        sql`update ${sql.table(REFRESH_TOKENS)} set used_at = ${instant()}
          where session = ${session} and used_at is null`,
      ),
    )
    return session
  }

  /** The session of a token that was rotated within the grace period. Ends the session of an older one. */
  async function sessionOfRotated(transaction: Transaction, hash: string): Promise<string | null> {
    const [token] = await transaction.all(
      compile(
        store.dialect,
        sql`select session, used_at from ${sql.table(REFRESH_TOKENS)} where hash = ${hash}`,
      ),
    )
    if (!token) return null
    const session = String(token.session)
    if (String(token.used_at) > instant(-REUSE_GRACE)) return session
    endIn(transaction, session)
    return null
  }

  /** Tabs that refresh at the same time change each other's tokens: without the lock they wait for one another in a circle. */
  async function lockSession(transaction: Transaction, hash: string): Promise<void> {
    const [token] = await transaction.all(
      compile(store.dialect, sql`select session from ${sql.table(REFRESH_TOKENS)} where hash = ${hash}`),
    )
    if (token) transaction.lock([`${SESSIONS} ${token.session}`])
  }

  const rotate = (refreshToken: string) =>
    store.write(async (transaction) => {
      const hash = hashOf(refreshToken)
      await lockSession(transaction, hash)
      const id = (await markRotated(transaction, hash)) ?? (await sessionOfRotated(transaction, hash))
      if (id === null) return null
      const [session] = await transaction.all(
        compile(
          store.dialect,
          sql`select account, stamp from ${sql.table(SESSIONS)}
            where id = ${id} and revoked_at is null and expires_at > ${instant()}`,
        ),
      )
      if (!session) return null
      // Rotated tokens are needed to detect theft, but not forever.
      transaction.run(
        compile(
          store.dialect,
          sql`delete from ${sql.table(REFRESH_TOKENS)} where session = ${id} and used_at < ${instant(-DAY)}`,
        ),
      )
      const { account, stamp } = session
      return { id, account, stamp, refreshToken: addRefreshToken(transaction, id) }
    })

  let lastCleanup = 0
  /** Hourly is enough: expired sessions are rejected anyway. */
  function removeExpired(transaction: Transaction): void {
    if (Date.now() - lastCleanup < HOUR) return
    lastCleanup = Date.now()
    const old = sql`select id from ${sql.table(SESSIONS)} where expires_at < ${instant(-DAY)}`
    transaction.run(
      compile(store.dialect, sql`delete from ${sql.table(REFRESH_TOKENS)} where session in (${old})`),
    )
    transaction.run(
      compile(store.dialect, sql`delete from ${sql.table(SESSIONS)} where expires_at < ${instant(-DAY)}`),
    )
  }

  return {
    mode: config.sessions,

    async start(account) {
      if (config.sessions === 'long-lived') return { jwt: await sign(account, null) }
      const id = randomUUID()
      const refreshToken = await store.write(async (transaction) => {
        removeExpired(transaction)
        transaction.run(
          compile(
            store.dialect,
            sql`insert into ${sql.table(SESSIONS)} (id, account, stamp, created_at, expires_at)
              values (${id}, ${account.documentId}, ${account.stamp}, ${instant()}, ${instant(config.refreshDays * DAY)})`,
          ),
        )
        return addRefreshToken(transaction, id)
      })
      return { jwt: await sign(account, id), refreshToken }
    },

    async refresh(refreshToken) {
      const next = await rotate(refreshToken)
      const account = next ? await accounts.byDocumentId(String(next.account)) : null
      if (!next || !account || account.blocked || account.stamp !== next.stamp) return null
      return { jwt: await sign(account, next.id), refreshToken: next.refreshToken, account }
    },

    end: (session) => store.write(async (transaction) => endIn(transaction, session)),

    isEnded(session) {
      if (session === null) return config.sessions === 'refresh'
      const ended = recentlyEnded()
      return ended instanceof Promise ? ended.then((ids) => ids.has(session)) : ended.has(session)
    },
  }
}
