/**
 * Limits failed sign-ins per account, over all addresses and spellings, for all processes on one database. The limit slows
 * an attacker with many addresses: after `perAccount` failures in a window, attempts are admitted only at the average rate
 * of the limit. It does not apply to addresses from which the account has signed in before, so the owner is not locked out.
 */
import { createHmac } from 'node:crypto'
import { errors } from '../../errors.ts'
import type { RateLimitConfig } from '../../project/config/access-config.ts'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { KNOWN_ADDRESSES, SIGN_IN_FAILURES } from '../tables.ts'

export interface AccountLimit {
  /**
   * Counts an attempt before the password is checked, so that concurrent attempts are limited too; throws a 429 beyond the
   * limit. `account` identifies the account, or an identifier that belongs to none. Known addresses are not counted: they
   * have a limit of their own.
   */
  count(account: string, address: string): Promise<CountedAttempt>
  /** Takes back an attempt that succeeded, and remembers its address. */
  succeed(account: string, address: string, attempt: CountedAttempt): Promise<void>
}

interface CountedAttempt {
  readonly isCounted: boolean
}

/** How long an address from which the account has signed in is exempt from the limit. */
const KNOWN_DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000

export interface AccountLimitOptions {
  readonly store: Store
  readonly limit: RateLimitConfig['signIn']
  /** Keys the hashes in which accounts and addresses are stored. */
  readonly secret: string
  readonly now?: () => number
}

export function createAccountLimit({
  store,
  limit,
  secret,
  now = Date.now,
}: AccountLimitOptions): AccountLimit {
  const window = limit.windowSeconds * 1000
  /** The time in which one more failure is admitted. */
  const interval = Math.ceil(window / limit.perAccount)

  const digest = (...parts: readonly string[]) =>
    createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url')

  /**
   * The time at which all counted failures will be forgiven, one per interval. It lies at most a window in the future,
   * and one number is all that is stored.
   */
  async function forgivenAt(transaction: Transaction, account: string): Promise<number> {
    const [row] = await transaction.all(
      compile(
        store.dialect,
        sql`select until from ${sql.table(SIGN_IN_FAILURES)} where account = ${account}`,
      ),
    )
    return Math.max(Number(row?.until ?? 0), now())
  }

  function setForgivenAt(transaction: Transaction, account: string, until: number) {
    const table = sql.table(SIGN_IN_FAILURES)
    transaction.run(
      compile(store.dialect, sql`delete from ${table} where account = ${account} or until < ${now()}`),
    )
    if (until > now())
      transaction.run(
        compile(store.dialect, sql`insert into ${table} (account, until) values (${account}, ${until})`),
      )
  }

  async function isKnown(transaction: Transaction, known: string): Promise<boolean> {
    const rows = await transaction.all(
      compile(
        store.dialect,
        sql`select 1 as found from ${sql.table(KNOWN_ADDRESSES)} where hash = ${known} and until > ${now()}`,
      ),
    )
    return rows.length > 0
  }

  function remember(transaction: Transaction, known: string) {
    const table = sql.table(KNOWN_ADDRESSES)
    const until = now() + KNOWN_DAYS * DAY_MS
    transaction.run(
      compile(store.dialect, sql`delete from ${table} where hash = ${known} or until < ${now()}`),
    )
    transaction.run(
      compile(store.dialect, sql`insert into ${table} (hash, until) values (${known}, ${until})`),
    )
  }

  const locked = <Result>(
    name: string,
    work: (transaction: Transaction, account: string) => Promise<Result>,
  ) => {
    const account = digest('account', name)
    return store.write((transaction) => {
      transaction.lock([`${SIGN_IN_FAILURES} ${account}`])
      return work(transaction, account)
    })
  }

  return {
    count: (name, address) =>
      locked(name, async (transaction, account) => {
        if (await isKnown(transaction, digest('address', name, address))) return { isCounted: false }
        const until = (await forgivenAt(transaction, account)) + interval
        const wait = until - window - now()
        if (wait > 0) throw errors.rateLimited(Math.ceil(wait / 1000))
        setForgivenAt(transaction, account, until)
        return { isCounted: true }
      }),

    succeed: (name, address, { isCounted }) =>
      locked(name, async (transaction, account) => {
        if (isCounted)
          setForgivenAt(transaction, account, (await forgivenAt(transaction, account)) - interval)
        remember(transaction, digest('address', name, address))
      }),
  }
}
