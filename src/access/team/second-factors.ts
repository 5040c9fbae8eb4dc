/**
 * The second factor of people who may use the admin app: one-time codes of an authenticator app, and ten recovery codes for when
 * it is lost. Recovery codes are stored as hashes and work once, like each one-time code.
 */
import { randomBytes } from 'node:crypto'
import type { RateLimitConfig } from '../../project/config/access-config.ts'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { hashOf } from '../credentials/bearer.ts'
import { createRateLimit, type SharedCounts } from '../credentials/rate-limit.ts'
import { SECOND_FACTORS } from '../tables.ts'
import type { Accounts } from '../users/accounts.ts'
import { matchingStep, newTotpSecret } from './totp.ts'

export interface SecondFactors {
  /** Whether signing in takes a code. */
  isRequired(account: string): Promise<boolean>
  /** Starts to set one up and returns its secret. It is required only once it is confirmed. */
  begin(account: string): Promise<string>
  /**
   * Makes it required, if the code is right, and ends every session of the account: they were started without it. Returns
   * the recovery codes, which cannot be read again, or null.
   */
  confirm(account: string, code: string): Promise<readonly string[] | null>
  /** Uses a one-time or recovery code; false when it is wrong or was used before. Wrong codes count towards a limit. */
  use(account: string, code: string): Promise<boolean>
  remove(account: string): Promise<void>
}

interface Stored {
  readonly secret: string
  readonly isConfirmed: boolean
  readonly lastStep: number
  readonly recoveryHashes: readonly string[]
}

const RECOVERY_CODES = 10

export function createSecondFactors(
  store: Store,
  { perIdentifier, windowSeconds }: RateLimitConfig['signIn'],
  counts: SharedCounts | undefined,
  accounts: Pick<Accounts, 'endSessions'>,
): SecondFactors {
  /** Per account, whatever address the attempts come from: there are only a million codes. */
  const attempts = createRateLimit(perIdentifier, windowSeconds, Date.now, { name: 'second factor', counts })
  const table = sql.table(SECOND_FACTORS)
  const selectOf = (account: string) =>
    compile(store.dialect, sql`select * from ${table} where account = ${account}`)

  /** Serializes the uses of one account, so that a code that is sent twice at the same time works once. */
  const change = <Result>(
    account: string,
    work: (transaction: Transaction, stored: Stored | null) => Result,
  ): Promise<Result> =>
    store.write(async (transaction) => {
      transaction.lock([`second factor ${account}`])
      const [row] = await transaction.all(selectOf(account))
      const stored = row && {
        secret: String(row.secret),
        isConfirmed: row.confirmed_at !== null,
        lastStep: Number(row.last_step),
        recoveryHashes: JSON.parse(String(row.recovery_codes)),
      }
      return work(transaction, stored ?? null)
    })

  const saveUse = (transaction: Transaction, account: string, step: number, hashes: readonly string[]) =>
    transaction.run(
      compile(
        store.dialect,
        sql`update ${table} set last_step = ${step}, recovery_codes = ${JSON.stringify(hashes)}
          where account = ${account}`,
      ),
    )

  const deleteOf = (transaction: Transaction, account: string) =>
    transaction.run(compile(store.dialect, sql`delete from ${table} where account = ${account}`))

  return {
    async isRequired(account) {
      const [row] = await store.read(selectOf(account))
      return row !== undefined && row.confirmed_at !== null
    },

    async begin(account) {
      const secret = newTotpSecret()
      await change(account, (transaction) => {
        deleteOf(transaction, account)
        transaction.run(
          compile(
            store.dialect,
            sql`insert into ${table} (account, secret, last_step, recovery_codes) values (${account}, ${secret}, 0, '[]')`,
          ),
        )
      })
      return secret
    },

    confirm: (account, code) =>
      change(account, (transaction, stored) => {
        if (!stored || stored.isConfirmed) return null
        const step = matchingStep(stored.secret, code, Date.now(), stored.lastStep)
        if (step === null) return null
        const recoveryCodes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
        saveUse(transaction, account, step, recoveryCodes.map(recoveryHash))
        transaction.run(
          compile(
            store.dialect,
            sql`update ${table} set confirmed_at = ${new Date().toISOString()} where account = ${account}`,
          ),
        )
        accounts.endSessions(transaction, account)
        return recoveryCodes
      }),

    async use(account, code) {
      attempts.count(account)
      const isRight = await change(account, (transaction, stored) => {
        if (!stored?.isConfirmed) return false
        const step = matchingStep(stored.secret, code.replaceAll(/\s/g, ''), Date.now(), stored.lastStep)
        const hash = recoveryHash(code)
        const remaining = stored.recoveryHashes.filter((one) => one !== hash)
        const isRecovery = remaining.length < stored.recoveryHashes.length
        if (step === null && !isRecovery) return false
        saveUse(transaction, account, step ?? stored.lastStep, remaining)
        return true
      })
      if (isRight) attempts.refund(account)
      return isRight
    },

    remove: (account) => change(account, (transaction) => deleteOf(transaction, account)),
  }
}

/** Sixteen letters and digits in four groups, which can be typed from paper. */
function newRecoveryCode(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  // Bytes beyond the last multiple of the number of letters would make some letters more likely.
  const limit = 256 - (256 % letters.length)
  const bytes = [...randomBytes(64)].filter((byte) => byte < limit)
  const code = bytes.slice(0, 16).map((byte) => letters[byte % letters.length])
  return (code.join('').match(/.{4}/g) ?? []).join('-')
}

const recoveryHash = (code: string) => hashOf(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
