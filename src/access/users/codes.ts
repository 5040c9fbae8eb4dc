/** Codes that are sent by e-mail: kept as hashes, good for one use and a short time. */
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { hashOf, newSecret } from '../credentials/bearer.ts'
import { CODES } from '../tables.ts'

export type CodePurpose = 'reset-password' | 'confirm-email'

export interface Codes {
  /** A new code; earlier ones of the same account and purpose are void. */
  create(account: string, purpose: CodePurpose): Promise<string>
  /** The account a code was made for, once; null when it is unknown, used or too old. */
  use(code: string, purpose: CodePurpose): Promise<string | null>
  /** Voids all codes of an account, when the transaction commits. */
  deleteAll(transaction: Transaction, account: string): void
}

export function createCodes(store: Store, codeMinutes: number): Codes {
  const instant = (inMs = 0) => new Date(Date.now() + inMs).toISOString()

  return {
    async create(account, purpose) {
      const code = newSecret('code')
      await store.write(async (transaction) => {
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
              values (${hashOf(code)}, ${account}, ${purpose}, ${instant(codeMinutes * 60_000)})`,
          ),
        )
      })
      return code
    },

    async use(code, purpose) {
      // Deleting is what uses it, so of two who come with the same code one gets it.
      const [row] = await store.write((transaction) =>
        transaction.all(
          compile(
            store.dialect,
            sql`delete from ${sql.table(CODES)}
              where hash = ${hashOf(code)} and purpose = ${purpose} and expires_at > ${instant()}
              returning account`,
          ),
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
