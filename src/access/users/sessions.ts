/**
 * Sessions of signed-in users. In long-lived mode a session is one token; in refresh mode an access token that lasts
 * minutes, and a refresh token that is replaced at each use. A refresh token used after it was replaced was stolen from
 * somebody: its whole session ends. Only just after, it is taken for another tab of the same browser, and has a
 * replacement too; of all that were handed out like that one goes on, and the others count as replaced with it. So
 * whoever is not as quick each time as the other is found out.
 */
import { randomUUID } from 'node:crypto'
import type { AuthConfig } from '../../project/config/config.ts'
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
  /** Signs a user in. */
  start(account: Account): Promise<SessionTokens>
  /** Exchanges a refresh token for new tokens; null when it is unknown, used, expired or ended. */
  refresh(refreshToken: string): Promise<(SessionTokens & { readonly account: Account }) | null>
  /** Ends one session. To end all of a user's, end them through the account. */
  end(session: string): Promise<void>
  /**
   * Whether a token of this session (null: a long-lived token) is refused for the session's sake. Without a read
   * unless a session has been ended.
   */
  isEnded(session: string | null): boolean | Promise<boolean>
}

/** The mark that is touched when sessions end. Not the table, which also changes at each sign-in. */
export const ENDED_SESSIONS = 'octavo_ended_sessions'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** So long after it was replaced a refresh token may come from another tab. */
const LEEWAY = 10_000

export function createSessions(store: Store, config: AuthConfig, jwt: Jwt, accounts: Accounts): Sessions {
  const accessMs = config.accessMinutes * MINUTE
  const instant = (inMs = 0) => new Date(Date.now() + inMs).toISOString()

  // Tokens of sessions that ended longer ago have expired by themselves.
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

  /** Marks a token as replaced, and with it all others of its session. Answers with the session; null when it was before. */
  async function replace(transaction: Transaction, hash: string): Promise<string | null> {
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

  /** The session of a token that was just replaced. One of a token that was replaced before ends. */
  async function replacedIn(transaction: Transaction, hash: string): Promise<string | null> {
    const [token] = await transaction.all(
      compile(
        store.dialect,
        sql`select session, used_at from ${sql.table(REFRESH_TOKENS)} where hash = ${hash}`,
      ),
    )
    if (!token) return null
    const session = String(token.session)
    if (String(token.used_at) > instant(-LEEWAY)) return session
    endIn(transaction, session)
    return null
  }

  /** A new token in place of one; null when there is none to have. */
  const rotate = (refreshToken: string) =>
    store.write(async (transaction) => {
      const hash = hashOf(refreshToken)
      const id = (await replace(transaction, hash)) ?? (await replacedIn(transaction, hash))
      if (id === null) return null
      const [session] = await transaction.all(
        compile(
          store.dialect,
          sql`select account, stamp from ${sql.table(SESSIONS)}
            where id = ${id} and revoked_at is null and expires_at > ${instant()}`,
        ),
      )
      if (!session) return null
      // Used ones tell of theft for a while; in the end an old one is as good as none.
      transaction.run(
        compile(
          store.dialect,
          sql`delete from ${sql.table(REFRESH_TOKENS)} where session = ${id} and used_at < ${instant(-DAY)}`,
        ),
      )
      const { account, stamp } = session
      return { id, account, stamp, refreshToken: addRefreshToken(transaction, id) }
    })

  let cleaned = 0
  /** Once in a while is enough: sessions that have expired are refused anyway. */
  function removeExpired(transaction: Transaction): void {
    if (Date.now() - cleaned < HOUR) return
    cleaned = Date.now()
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
