/**
 * User accounts as sign-in and authorization need them: one row with the role, the password's hash and the count
 * of the times all sessions were ended. Everything else about a user is a document like any other.
 */
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { ROLE, typeOf, USER } from '../../model/model.ts'
import { compile } from '../../store/compile.ts'
import { fold } from '../../store/fold/fold.ts'
import { foldExpression } from '../../store/fold/fold-expression.ts'
import { sql } from '../../store/sql.ts'
import type { Row } from '../../store/statement.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { columnOf, EDGES, type Layout } from '../../store/tables/layout.ts'
import { SESSION_VERSIONS } from '../tables.ts'
import { momentOf } from '../versioned-cache.ts'

export interface Account {
  readonly id: number
  readonly documentId: string
  readonly username: string | null
  readonly email: string | null
  readonly provider: string | null
  readonly confirmed: boolean
  readonly blocked: boolean
  /** Type of the user's role, such as `authenticated`; null without a role. */
  readonly role: string | null
  readonly passwordHash: string | null
  /**
   * Changes whenever every session must end: with the password's hash, however it came to change, and with
   * `endSessions`. Tokens carry the stamp they were made under.
   */
  readonly stamp: string
}

/** What somebody signs in with, as far as it is written. */
export interface Names {
  readonly username?: string
  readonly email?: string
}

export interface Accounts {
  /** The account of a user document. Without a read while nothing about users has changed. */
  byDocumentId(documentId: string): Account | null | Promise<Account | null>
  byId(id: number): Promise<Account | null>
  /** Whoever signs in with this: a user name in exact letters, or an e-mail address in any. */
  byIdentifier(identifier: string): Promise<Account | null>
  byEmail(email: string): Promise<Account | null>
  /**
   * Whether another account than `self` is found by one of these names, in any role: a name that is somebody's address
   * would stand in the way of their sign-in. As a transaction sees it, when there is one.
   */
  areTaken(names: Names, self: string | null, transaction?: Transaction): Promise<boolean>
  /** Every account with the role of this type, oldest first. */
  withRole(role: string): Promise<readonly Account[]>
  /** Whether the user has the role of this type, as the transaction sees it. */
  hasRole(transaction: Transaction, documentId: string, role: string): Promise<boolean>
  /** Makes every token issued to the user so far worthless, when the transaction commits. */
  endSessions(transaction: Transaction, documentId: string): void
  /** Tables whose change may change what a user may do. */
  tables(): readonly string[]
}

/** Addresses are kept in small letters composed alike, so that one address is one account and finding it needs no scan. */
export const normalizeEmail = (email: string) => email.trim().toLowerCase().normalize('NFC')

/** Names that look the same are the same name: no blanks around them, letters composed alike. */
export const normalizeName = (username: string) => username.trim().normalize('NFC')

const REMEMBERED_ACCOUNTS = 10_000

export function createAccounts(store: Store, layout: () => Layout): Accounts {
  const cache = new LRUCache<string, { moment: number; account: Account }>({ max: REMEMBERED_ACCOUNTS })

  let known: { readonly layout: Layout; readonly tables: readonly string[] } | null = null
  /** Asked at every request, so made once for each layout. */
  const tables = () => {
    const now = layout()
    if (known?.layout !== now) {
      const names = [USER, ROLE].map((uid) => typeOf(now.model, uid).table)
      known = { layout: now, tables: [...names, SESSION_VERSIONS] }
    }
    return known.tables
  }

  function select(condition: ReturnType<typeof sql>) {
    const { model, relationId } = layout()
    const column = (name: string) => sql.ref(`u.${columnOf(name)}`)
    const role = relationId({ type: USER, component: null, attribute: 'role' })
    return sql`select u.id, u.document_id, ${column('username')} as username, ${column('email')} as email,
        ${column('provider')} as provider, ${column('confirmed')} as confirmed,
        ${column('blocked')} as blocked, ${column('password')} as password,
        ${sql.ref(`r.${columnOf('type')}`)} as role, v.version
      from ${sql.table(typeOf(model, USER).table)} as u
      left join ${sql.table(EDGES)} as e on e.relation = ${role} and e.source = u.id and e.entry = 0
      left join ${sql.table(typeOf(model, ROLE).table)} as r on r.document_id = e.target and r.published = 1
      left join ${sql.table(SESSION_VERSIONS)} as v on v.account = u.document_id
      where ${isUser} and ${condition} order by u.id`
  }

  async function find(condition: ReturnType<typeof sql>): Promise<Account | null> {
    const [row] = await store.read(compile(store.dialect, sql`${select(condition)} limit 1`))
    return row ? accountOf(row) : null
  }

  /** Indexes of names begin with the locale, which users do not have. */
  const isUser = sql`u.published = 1 and u.locale = ''`
  const emailColumn = sql.ref(`u.${columnOf('email')}`)
  const nameColumn = sql.ref(`u.${columnOf('username')}`)
  const roleIs = (role: string) => sql`${sql.ref(`r.${columnOf('type')}`)} = ${role}`
  const nameIs = (username: string) => sql`${nameColumn} = ${normalizeName(username)}`
  const emailIs = (email: string) => sql`${emailColumn} = ${normalizeEmail(email)}`
  /** Names keep their case and addresses do not. */
  const nameReads = (email: string) =>
    sql`${store.dialect.contains(nameColumn, '@')} and ${foldExpression(nameColumn)} = ${fold(normalizeEmail(email))}`

  return {
    tables,

    byDocumentId(documentId) {
      const moment = momentOf(store, tables())
      const known = cache.get(documentId)
      if (known?.moment === moment) return known.account
      return find(sql`u.document_id = ${documentId}`).then((account) => {
        if (account) cache.set(documentId, { moment, account })
        return account
      })
    },

    byId: (id) => find(sql`u.id = ${id}`),

    async byIdentifier(identifier) {
      // Both are looked for in any case: neither the time taken nor a name made to look like somebody's address
      // tells or changes who that somebody is.
      const [byName, byEmail] = await Promise.all([find(nameIs(identifier)), find(emailIs(identifier))])
      return byEmail ?? byName
    },

    byEmail: (email) => find(emailIs(email)),

    async areTaken({ username, email }, self, transaction) {
      const conditions = [
        ...(username === undefined
          ? []
          : [nameIs(username), emailIs(username), emailIs(username.normalize('NFKC'))]),
        ...(email === undefined ? [] : [emailIs(email), nameReads(email)]),
      ]
      if (conditions.length === 0) return false
      const users = sql.table(typeOf(layout().model, USER).table)
      // One by one, each by its index: asked with `or`, an engine may look through all users.
      const each = conditions.map(
        (condition) => sql`select 1 as taken from ${users} as u
          where ${isUser} and ${condition} and u.document_id <> ${self ?? ''}`,
      )
      const statement = compile(store.dialect, sql`${sql.join(each, ' union all ')} limit 1`)
      return (await (transaction ? transaction.all(statement) : store.read(statement))).length > 0
    },

    async withRole(role) {
      return (await store.read(compile(store.dialect, select(roleIs(role))))).map(accountOf)
    },

    async hasRole(transaction, documentId, role) {
      const asked = select(sql`u.document_id = ${documentId} and ${roleIs(role)}`)
      return (await transaction.all(compile(store.dialect, asked))).length > 0
    },

    endSessions(transaction, documentId) {
      transaction.touch(SESSION_VERSIONS)
      transaction.run(
        compile(
          store.dialect,
          sql`insert into ${sql.table(SESSION_VERSIONS)} (account, version) values (${documentId}, 1)
            on conflict (account) do update set version = ${sql.ref(`${SESSION_VERSIONS}.version`)} + 1`,
        ),
      )
    },
  }
}

function accountOf(row: Row): Account {
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  const passwordHash = text(row.password)
  return {
    id: Number(row.id),
    documentId: String(row.document_id),
    username: text(row.username),
    email: text(row.email),
    provider: text(row.provider),
    confirmed: row.confirmed === 1,
    blocked: row.blocked === 1,
    role: text(row.role),
    passwordHash,
    stamp: hash('sha256', `${row.version ?? 0}|${passwordHash ?? ''}`, 'base64url').slice(0, 22),
  }
}
