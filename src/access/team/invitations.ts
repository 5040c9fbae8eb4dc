/** Invitations to the team: a link that lets someone create an account with a role. Stored as a hash, valid once. */
import { randomUUID } from 'node:crypto'
import type { Origin } from '../../documents/changes/origin.ts'
import { errors } from '../../errors.ts'
import type { AuditLog } from '../../events/audit/append.ts'
import { type Actor, SYSTEM } from '../../events/audit/audit-record.ts'
import { USER } from '../../model/model.ts'
import { systemScope } from '../../query/scope.ts'
import { compile } from '../../store/compile.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Row } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { hashOf, newSecret } from '../credentials/bearer.ts'
import type { Roles } from '../roles/roles.ts'
import { INVITATIONS } from '../tables.ts'
import { type Account, type Accounts, normalizeEmail } from '../users/accounts.ts'
import type { Users } from '../users/users.ts'

export interface Invitation {
  readonly id: string
  readonly email: string
  readonly role: string
  /** documentId of the user who sent it; null for a token. */
  readonly invitedBy: string | null
  readonly createdAt: string
  readonly expiresAt: string
}

export interface Invitations {
  /** The code is returned here and cannot be read again. An earlier invitation of the address becomes invalid. */
  create(email: string, role: string, actor?: Actor): Promise<{ invitation: Invitation; code: string }>
  /** Those that are not used or expired, the newest first. */
  list(): Promise<readonly Invitation[]>
  /** The invitation of a code; null when it is unknown, used or expired. */
  byCode(code: string): Promise<Invitation | null>
  /** Creates the account; throws when the code is invalid, or the name or address taken. */
  accept(
    code: string,
    values: { readonly username: string; readonly password: string },
    origin?: Origin,
  ): Promise<Account>
  /** False when there is none. */
  revoke(id: string, actor?: Actor): Promise<boolean>
}

export interface InvitationsOptions {
  readonly store: Store
  readonly users: Users
  readonly accounts: Accounts
  readonly roles: Roles
  readonly days: number
  readonly audit: AuditLog
}

const DAY = 86_400_000

const invalidCode = () => errors.invalid('The invitation is invalid, expired or already used')

export function createInvitations(options: InvitationsOptions): Invitations {
  const { store, users, accounts, roles, days, audit } = options
  const table = sql.table(INVITATIONS)
  const instant = (inMs = 0) => new Date(Date.now() + inMs).toISOString()

  const select = async (condition: Sql) =>
    (
      await store.read(
        compile(
          store.dialect,
          sql`select * from ${table} where expires_at > ${instant()} and ${condition} order by created_at desc, id`,
        ),
      )
    ).map(invitationOf)

  const byCode = async (code: string) => (await select(sql`hash = ${hashOf(code)}`))[0] ?? null

  return {
    byCode,

    list: () => select(sql`1 = 1`),

    async create(email, role, actor = SYSTEM) {
      const code = newSecret('invitation')
      const invitation: Invitation = {
        id: randomUUID(),
        email: normalizeEmail(email),
        role,
        invitedBy: actor.by.kind === 'user' ? actor.by.documentId : null,
        createdAt: instant(),
        expiresAt: instant(days * DAY),
      }
      if (await accounts.areTaken({ email: invitation.email }, null))
        throw errors.application('There is already an account with this e-mail address')
      await store.write(async (transaction) => {
        transaction.run(
          compile(
            store.dialect,
            sql`delete from ${table} where email = ${invitation.email} or expires_at < ${instant()}`,
          ),
        )
        transaction.run(
          compile(
            store.dialect,
            sql`insert into ${table} (id, hash, email, role, invited_by, created_at, expires_at)
              values (${invitation.id}, ${hashOf(code)}, ${invitation.email}, ${role}, ${invitation.invitedBy},
                ${invitation.createdAt}, ${invitation.expiresAt})`,
          ),
        )
        const details = { id: invitation.id, email: invitation.email, role }
        audit.record(transaction, actor, { action: 'invitation.create', details })
      })
      return { invitation, code }
    },

    async accept(code, { username, password }, origin) {
      const invitation = await byCode(code)
      const role = invitation && (await roles.documentIdOf(invitation.role))
      if (!role) throw invalidCode()
      const { email } = invitation
      // The link was sent to the address, or handed over by an admin, so it is confirmed.
      const values = { username, email, password, confirmed: true, role }
      const writer = { scope: systemScope, isAdmin: true, ...(origin && { origin }) }
      const documentId = await users.create(values, writer, async (transaction, created) => {
        // Deleting the row is what uses the invitation, so of two concurrent requests only one succeeds.
        const used = await transaction.all(
          compile(store.dialect, sql`delete from ${table} where hash = ${hashOf(code)} returning id`),
        )
        if (used.length === 0) throw invalidCode()
        audit.record(
          transaction,
          { by: { kind: 'public' }, origin: origin ?? null },
          {
            ...{ action: 'invitation.accept', type: USER, documentId: created },
            details: { id: invitation.id, email, role: invitation.role },
          },
        )
        return created
      })
      const account = await accounts.byDocumentId(documentId)
      if (!account) throw errors.notFound()
      return account
    },

    async revoke(id, actor = SYSTEM) {
      return store.write(async (transaction) => {
        const [removed] = await transaction.all(
          compile(store.dialect, sql`delete from ${table} where id = ${id} returning email`),
        )
        if (!removed) return false
        const details = { id, email: String(removed.email) }
        audit.record(transaction, actor, { action: 'invitation.delete', details })
        return true
      })
    },
  }
}

const invitationOf = (row: Row): Invitation => ({
  id: String(row.id),
  email: String(row.email),
  role: String(row.role),
  invitedBy: row.invited_by === null ? null : String(row.invited_by),
  createdAt: String(row.created_at),
  expiresAt: String(row.expires_at),
})
