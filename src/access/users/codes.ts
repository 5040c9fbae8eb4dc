/** Codes sent by e-mail: stored as hashes, valid once and for a short time. */
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { hashOf, newSecret } from '../credentials/bearer.ts'
import { CODES } from '../tables.ts'

export type CodePurpose = 'reset-password' | 'confirm-email' | 'setup'

export interface Codes {
  /** Invalidates earlier codes for the same account and purpose. */
  create(account: string, purpose: CodePurpose, minutes?: number): Promise<string>
  /** The same, when the transaction commits. */
  createIn(transaction: Transaction, account: string, purpose: CodePurpose, minutes?: number): string
  /** The account of the code, which stays valid; null when it is unknown, used or expired. */
  accountOf(code: string, purpose: CodePurpose): Promise<string | null>
  /** The same, and uses the code when the transaction commits: together with what the code permits. */
  useIn(transaction: Transaction, code: string, purpose: CodePurpose): Promise<string | null>
  /** Deletes all codes of an account, when the transaction commits. */
  deleteAll(transaction: Transaction, account: string): void
}

export function createCodes(store: Store, codeMinutes: number): Codes {
  const instant = (inMs = 0) => new Date(Date.now() + inMs).toISOString()

  const isValid = (code: string, purpose: CodePurpose) =>
    sql`hash = ${hashOf(code)} and purpose = ${purpose} and expires_at > ${instant()}`

  function createIn(transaction: Transaction, account: string, purpose: CodePurpose, minutes = codeMinutes) {
    const code = newSecret('code')
    transaction.run(
      compile(
        store.dialect,
        sql`delete from ${sql.table(CODES)}
          where (account = ${account} and purpose = ${purpose}) or expires_at < ${instant()}`,
      ),
    )
    transaction.run(
      compile(
        store.dialect,
        sql`insert into ${sql.table(CODES)} (hash, account, purpose, expires_at)
          values (${hashOf(code)}, ${account}, ${purpose}, ${instant(minutes * 60_000)})`,
      ),
    )
    return code
  }

  return {
    create: (account, purpose, minutes) =>
      store.write(async (transaction) => createIn(transaction, account, purpose, minutes)),

    createIn,

    async accountOf(code, purpose) {
      const [row] = await store.read(
        compile(store.dialect, sql`select account from ${sql.table(CODES)} where ${isValid(code, purpose)}`),
      )
      return row ? String(row.account) : null
    },

    async useIn(transaction, code, purpose) {
      // Deleting the row is what uses the code, so of two concurrent requests only one succeeds.
      const [row] = await transaction.all(
        compile(
          store.dialect,
          sql`delete from ${sql.table(CODES)} where ${isValid(code, purpose)} returning account`,
        ),
      )
      return row ? String(row.account) : null
    },

    deleteAll: (transaction, account) =>
      transaction.run(
        compile(store.dialect, sql`delete from ${sql.table(CODES)} where account = ${account}`),
      ),
  }
}
