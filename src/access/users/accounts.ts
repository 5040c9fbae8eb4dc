/**
 * User accounts as sign-in and authorization need them: the user document's columns with its role, password hash and
 * session version, in one row.
 */
import { hash } from 'node:crypto'
import { ROLE, typeOf, USER } from '../../model/model.ts'
import { compile } from '../../store/compile.ts'
import { fold } from '../../store/fold/fold.ts'
import { foldExpression } from '../../store/fold/fold-expression.ts'
import { sql } from '../../store/sql.ts'
import type { Row } from '../../store/statement.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { columnOf, EDGES, type Layout } from '../../store/tables/layout.ts'
import { createGrowingCache } from '../growing-cache.ts'
import { SESSION_VERSIONS } from '../tables.ts'
import { sumOfVersions } from '../versioned-cache.ts'

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
  /** Changes with the password hash and with `endSessions`. Tokens carry the stamp; one with an old stamp is revoked. */
  readonly stamp: string
}

/** What users sign in with. */
export interface Identifiers {
  readonly username?: string
  readonly email?: string
}

export interface Accounts {
  /** Cached until users, roles or session versions change. */
  byDocumentId(documentId: string): Account | null | Promise<Account | null>
  byId(id: number): Promise<Account | null>
  /** By user name, case-sensitively, or by e-mail address in any case. */
  byIdentifier(identifier: string): Promise<Account | null>
  byEmail(email: string): Promise<Account | null>
  /**
   * Whether an account other than `self` has one of these as its user name or e-mail address: a user name that equals
   * another user's address would block that user's sign-in. Reads in the transaction if given.
   */
  areTaken(identifiers: Identifiers, self: string | null, transaction?: Transaction): Promise<boolean>
  /** Oldest first. */
  withRole(...roles: readonly string[]): Promise<readonly Account[]>
  /** Type of a user's role, read in the transaction; null without a role. */
  roleOf(transaction: Transaction, documentId: string): Promise<string | null>
  /** Whether someone with this role is not blocked. Reads in the transaction. */
  haveActive(transaction: Transaction, role: string): Promise<boolean>
  /** Whether this is the e-mail address of the account. Reads in the transaction. */
  hasEmail(transaction: Transaction, documentId: string, email: string): Promise<boolean>
  /** Whether some account has a bcrypt hash, which only an import from Strapi brings. */
  haveBcryptHashes(): Promise<boolean>
  /**
   * Stores another hash of the same password, and returns the account as it is then. Does nothing if the password has
   * changed meanwhile.
   */
  renewPasswordHash(account: Account, hash: string): Promise<Account | null>
  /** Revokes every token issued to the user so far, when the transaction commits. */
  endSessions(transaction: Transaction, documentId: string): void
  /** Tables that the scope of a user depends on. */
  tables(): readonly string[]
}

/** The stored form of an e-mail address, so that one address is one account and is found by index. */
export const normalizeEmail = (email: string) => email.trim().toLowerCase().normalize('NFC')

/** The stored form of a user name, without the differences that nobody sees. */
export const normalizeName = (username: string) => username.trim().normalize('NFC')

/**
 * Control characters, changes of the writing direction and invisible characters, with which a name looks like another
 * one. Some scripts need the joiners U+200C and U+200D within words, so they are accepted between two letters beyond Latin.
 */
const INVISIBLE =
  /[\p{Cc}\p{Zl}\p{Zp}]|[^\P{Cf}\u200c\u200d]|(?<![\u0300-\u{10ffff}])[\u200c\u200d]|[\u200c\u200d](?![\u0300-\u{10ffff}])/u

/** Whether a user name contains characters that nobody sees. */
export const hasInvisible = (username: string): boolean => INVISIBLE.test(normalizeName(username))

const MAX_CACHED_ACCOUNTS = 10_000

export function createAccounts(store: Store, layout: () => Layout): Accounts {
  const cache = createGrowingCache<{ versions: number; account: Account }>(MAX_CACHED_ACCOUNTS)

  let known: { readonly layout: Layout; readonly tables: readonly string[] } | null = null
  /** Needed by every request, so computed once per layout. */
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

  /** The unique indexes start with the locale, which is empty for users. */
  const isUser = sql`u.published = 1 and u.locale = ''`
  const emailColumn = sql.ref(`u.${columnOf('email')}`)
  const nameColumn = sql.ref(`u.${columnOf('username')}`)
  const nameIs = (username: string) => sql`${nameColumn} = ${normalizeName(username)}`
  const emailIs = (email: string) => sql`${emailColumn} = ${normalizeEmail(email)}`
  /** User names keep their case; e-mail addresses are stored in lower case. */
  const nameEqualsEmail = (email: string) =>
    sql`${store.dialect.contains(nameColumn, '@')} and ${foldExpression(nameColumn)} = ${fold(normalizeEmail(email))}`

  return {
    tables,

    byDocumentId(documentId) {
      const versions = sumOfVersions(store, tables())
      const cached = cache.get(documentId)
      if (cached?.versions === versions) return cached.account
      return find(sql`u.document_id = ${documentId}`).then((account) => {
        if (account) cache.set(documentId, { versions, account })
        return account
      })
    },

    byId: (id) => find(sql`u.id = ${id}`),

    async byIdentifier(identifier) {
      // Always both: the time taken does not reveal whether an account exists, and a user name that equals another user's
      // address does not take over that user's sign-in.
      const [byName, byEmail] = await Promise.all([find(nameIs(identifier)), find(emailIs(identifier))])
      return byEmail ?? byName
    },

    byEmail: (email) => find(emailIs(email)),

    async areTaken({ username, email }, self, transaction) {
      const conditions = [
        ...(username === undefined
          ? []
          : [nameIs(username), emailIs(username), emailIs(username.normalize('NFKC'))]),
        ...(email === undefined ? [] : [emailIs(email), nameEqualsEmail(email)]),
      ]
      if (conditions.length === 0) return false
      const users = sql.table(typeOf(layout().model, USER).table)
      // A union instead of `or`, so that each condition uses its index.
      const each = conditions.map(
        (condition) => sql`select 1 as taken from ${users} as u
          where ${isUser} and ${condition} and u.document_id <> ${self ?? ''}`,
      )
      const statement = compile(store.dialect, sql`${sql.join(each, ' union all ')} limit 1`)
      return (await (transaction ? transaction.all(statement) : store.read(statement))).length > 0
    },

    async withRole(...roles) {
      const hasOne = sql`${sql.ref(`r.${columnOf('type')}`)} in (${sql.join(roles)})`
      return (await store.read(compile(store.dialect, select(hasOne)))).map(accountOf)
    },

    async roleOf(transaction, documentId) {
      const [row] = await transaction.all(compile(store.dialect, select(sql`u.document_id = ${documentId}`)))
      return row ? accountOf(row).role : null
    },

    async haveActive(transaction, role) {
      const isActive = sql`${sql.ref(`r.${columnOf('type')}`)} = ${role}`
      const rows = await transaction.all(compile(store.dialect, select(isActive)))
      return rows.some((row) => !accountOf(row).blocked)
    },

    async hasEmail(transaction, documentId, email) {
      const query = select(sql`u.document_id = ${documentId} and ${emailIs(email)}`)
      return (await transaction.all(compile(store.dialect, query))).length > 0
    },

    async haveBcryptHashes() {
      const { table } = typeOf(layout().model, USER)
      const password = sql.ref(`u.${columnOf('password')}`)
      const query = sql`select 1 as found from ${sql.table(table)} as u where ${password} like ${'$2%'} limit 1`
      return (await store.read(compile(store.dialect, query))).length > 0
    },

    async renewPasswordHash({ id, documentId, passwordHash }, hash) {
      const { table } = typeOf(layout().model, USER)
      const password = sql.id(columnOf('password'))
      await store.write(async (transaction) => {
        transaction.lock([documentId])
        transaction.touch(table)
        transaction.run(
          compile(
            store.dialect,
            sql`update ${sql.table(table)} set ${password} = ${hash} where id = ${id} and ${password} = ${passwordHash}`,
          ),
        )
      })
      return find(sql`u.id = ${id}`)
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
