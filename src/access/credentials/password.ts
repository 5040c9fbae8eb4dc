/**
 * Password hashes: argon2id, on the thread pool so that sign-ins do not block reads. Few run at a time, because each
 * needs 46 MiB and the pool also serves the file system.
 */
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { limitConcurrency } from '../../concurrency-limit.ts'
import { errors } from '../../errors.ts'
import { defaults } from '../../project/config/defaults.ts'
import { createFairShare } from '../../store/reads/fair-share.ts'
import { isBcryptHash, verifyBcrypt } from './bcrypt.ts'

interface Cost {
  /** KiB. */
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

interface HashOptions {
  /** KiB; the setting `auth.passwordMemory`. */
  readonly memory?: number
}

const DEFAULT_MEMORY = defaults.auth.passwordMemory
/** One pass: for the same security, two passes over less memory would keep about a hundred megabytes after a few sign-ins. */
const costOf = (memory: number): Cost => ({ memory, passes: 1, parallelism: 1 })
const SALT_BYTES = 16
const HASH_BYTES = 32

const CONCURRENT_HASHES = 2
const MAX_PENDING = 200
const RETRY_SECONDS = 5

const derive = promisify(
  (parameters: Argon2Parameters, done: (failure: Error | null, key: Buffer) => void): void =>
    argon2('argon2id', parameters, done),
)

const limitHashes = limitConcurrency(CONCURRENT_HASHES)
let pending = 0

/** Waits for a free slot; throws a 503 when too many are waiting. */
async function queued<Result>(work: () => Promise<Result>): Promise<Result> {
  if (pending >= MAX_PENDING)
    throw errors.unavailable(RETRY_SECONDS, 'Too many sign-ins in progress; try again later')
  pending += 1
  try {
    return await limitHashes(work)
  } finally {
    pending -= 1
  }
}

/** In the standard format: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(
  password: string,
  { memory = DEFAULT_MEMORY }: HashOptions = {},
): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const cost = costOf(memory)
  const key = await queued(() => deriveKey(password, salt, cost, HASH_BYTES))
  const { passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(key)}`
}

/**
 * New passwords wait for each other, one of each caller at a time, and not in the queue of those that are checked: a caller
 * who writes many of them delays neither the writes of others nor sign-ins.
 */
const written = createFairShare({
  size: CONCURRENT_HASHES,
  maxWaiting: MAX_PENDING,
  waitTimeout: 20_000,
  name: 'new passwords',
})

/** Hashes a password that is written, when it is the caller's turn. */
export const hashWrittenPassword = (
  password: string,
  caller: string,
  options: HashOptions,
): Promise<string> =>
  written.run({ caller: () => caller, isDisconnected: () => false }, () => hashPassword(password, options))

/**
 * Without a hash it does the same work and returns false, so that timing does not reveal whether an account exists. While
 * some accounts have bcrypt hashes (`alsoBcrypt`), every verification takes the time of both kinds.
 */
export async function verifyPassword(
  password: string,
  hash: string | null,
  { memory = DEFAULT_MEMORY, alsoBcrypt = false }: HashOptions & { readonly alsoBcrypt?: boolean } = {},
): Promise<boolean> {
  const bcryptHash = isBcryptHash(hash) ? hash : null
  const stored = hash === null ? null : parse(hash)
  const { cost, salt, key } = stored ?? { ...DUMMY, cost: costOf(memory) }
  const derived = await queued(() => deriveKey(password, salt, cost, key.length))
  const matchesBcrypt =
    (alsoBcrypt || bcryptHash !== null) && (await queued(() => verifyBcrypt(password, bcryptHash)))
  return matchesBcrypt || (timingSafeEqual(derived, key) && stored !== null)
}

const DUMMY = { salt: Buffer.alloc(SALT_BYTES), key: Buffer.alloc(HASH_BYTES) }

const deriveKey = (password: string, salt: Buffer, cost: Cost, length: number) =>
  derive({ message: password.normalize('NFKC'), nonce: salt, tagLength: length, ...cost })

function parse(hash: string): (typeof DUMMY & { readonly cost: Cost }) | null {
  const [, memory, passes, parallelism, salt, key] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash) ?? []
  if (!salt || !key) return null
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  }
}

const encode = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
