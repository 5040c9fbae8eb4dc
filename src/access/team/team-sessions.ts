/**
 * Sessions of the admin app: an opaque secret in a cookie, stored as a hash. A session ends when it is signed out or revoked,
 * after a time without use, after a fixed time at the latest, and with everything that ends the other credentials of its
 * account, such as a new password.
 */
import { randomUUID } from 'node:crypto'
import type { AdminConfig } from '../../project/config/access-config.ts'
import { compile } from '../../store/compile.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Row } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { hashOf, newSecret } from '../credentials/bearer.ts'
import { createLastUses } from '../credentials/last-uses.ts'
import { TEAM_SESSIONS } from '../tables.ts'
import type { Account } from '../users/accounts.ts'

export interface TeamSession {
  readonly id: string
  /** documentId of the user. */
  readonly account: string
  /** The stamp of the account at sign-in; see `Account`. */
  readonly stamp: string
  readonly createdAt: string
  readonly lastUsedAt: string
  readonly expiresAt: string
  readonly address: string
  readonly userAgent: string
}

/** Where a session is used from, for the list of sessions. */
export interface Client {
  readonly address: string
  readonly userAgent: string
}

export interface TeamSessions {
  /** The secret is returned here and cannot be read again. */
  start(account: Account, client: Client): Promise<{ readonly session: TeamSession; readonly secret: string }>
  /** The session with this hash of its secret; null when there is none or its time is over. */
  byHash(hash: string): Promise<TeamSession | null>
  /** When the session ends unless it is used again. */
  endsAt(session: TeamSession): number
  /** The sessions of an account that have not ended, the last used first. */
  list(account: Account): Promise<readonly TeamSession[]>
  /** Ends one session of an account; false when there is none. */
  end(account: Account, id: string): Promise<boolean>
  /** Ends all sessions of an account except one. */
  endOthers(account: Account, except: string | null): Promise<void>
  /** Remembers the time in memory; `saveLastUses` writes it. */
  recordUse(id: string): void
  saveLastUses(): Promise<void>
}

/** People and secret scanners recognise a secret by it. */
const SECRET_PREFIX = 'octavo_session'

const HOUR = 3_600_000
const MAX_USER_AGENT_LENGTH = 300

export function createTeamSessions(store: Store, config: AdminConfig): TeamSessions {
  const idleMs = config.idleMinutes * 60_000
  const lastUses = createLastUses<string>(store, TEAM_SESSIONS)
  const instant = (inMs = 0) => new Date(Date.now() + inMs).toISOString()
  const table = sql.table(TEAM_SESSIONS)

  const endsAt = ({ id, lastUsedAt, expiresAt }: TeamSession) =>
    Math.min(Math.max(lastUses.unsaved(id), Date.parse(lastUsedAt)) + idleMs, Date.parse(expiresAt))

  const isOpen = (session: TeamSession) => endsAt(session) > Date.now()

  const select = async (condition: Sql) =>
    (await store.read(compile(store.dialect, sql`select * from ${table} where ${condition}`))).map(sessionOf)

  /** Returns the number of sessions that ended. */
  const remove = (condition: Sql) =>
    store.write(async (transaction) => {
      transaction.touch(TEAM_SESSIONS)
      const ended = await transaction.all(
        compile(store.dialect, sql`delete from ${table} where ${condition} returning id`),
      )
      for (const { id } of ended) lastUses.forget(String(id))
      return ended.length
    })

  return {
    endsAt,

    async start({ documentId, stamp }, { address, userAgent }) {
      const secret = newSecret(SECRET_PREFIX)
      const session: TeamSession = {
        id: randomUUID(),
        account: documentId,
        stamp,
        createdAt: instant(),
        lastUsedAt: instant(),
        expiresAt: instant(config.sessionHours * HOUR),
        address,
        userAgent: userAgent.slice(0, MAX_USER_AGENT_LENGTH),
      }
      await store.write(async (transaction) => {
        transaction.run(compile(store.dialect, sql`delete from ${table} where expires_at < ${instant()}`))
        transaction.run(
          compile(
            store.dialect,
            sql`insert into ${table} (id, hash, account, stamp, created_at, last_used_at, expires_at, address, user_agent)
              values (${session.id}, ${hashOf(secret)}, ${session.account}, ${session.stamp}, ${session.createdAt},
                ${session.lastUsedAt}, ${session.expiresAt}, ${session.address}, ${session.userAgent})`,
          ),
        )
      })
      return { session, secret }
    },

    async byHash(hash) {
      const [session] = await select(sql`hash = ${hash}`)
      return session && isOpen(session) ? session : null
    },

    async list({ documentId, stamp }) {
      const own = await select(
        sql`account = ${documentId} and stamp = ${stamp} order by last_used_at desc, id`,
      )
      return own.filter(isOpen)
    },

    async end({ documentId }, id) {
      return (await remove(sql`id = ${id} and account = ${documentId}`)) > 0
    },

    async endOthers({ documentId }, except) {
      await remove(sql`account = ${documentId} and id <> ${except ?? ''}`)
    },

    recordUse: lastUses.record,
    saveLastUses: lastUses.save,
  }
}

const sessionOf = (row: Row): TeamSession => ({
  id: String(row.id),
  account: String(row.account),
  stamp: String(row.stamp),
  createdAt: String(row.created_at),
  lastUsedAt: String(row.last_used_at),
  expiresAt: String(row.expires_at),
  address: String(row.address),
  userAgent: String(row.user_agent),
})
