/**
 * Passwords: hashed with argon2id on the thread pool, so that signing in does not stall reading. A few at a time, because
 * each takes 46 MiB and the pool also serves the file system.
 */
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { errors } from '../../errors.ts'
import { fewAtATime } from '../../few-at-a-time.ts'

interface Cost {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/**
 * One pass over 46 MiB rather than two over 19: the C library gives blocks above 32 MiB back at once, and keeps smaller
 * ones for every thread of the pool, some hundred megabytes that would stay for good after a few people have signed in.
 */
const COST: Cost = { memory: 47_104, passes: 1, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32

const AT_ONCE = 2
const MOST_PENDING = 200
const RETRY_SECONDS = 5

const derive = promisify(
  (parameters: Argon2Parameters, done: (failure: Error | null, key: Buffer) => void): void =>
    argon2('argon2id', parameters, done),
)

const few = fewAtATime(AT_ONCE)
let pending = 0

/** Runs when a place is free; refuses when too many wait already. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (pending >= MOST_PENDING)
    throw errors.unavailable(RETRY_SECONDS, 'Too many people are signing in; please try again soon')
  pending += 1
  try {
    return await few(work)
  } finally {
    pending -= 1
  }
}

/** The hash of a password, with all that is needed to check it: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await inTurn(() => deriveKey(password, salt, COST, HASH_BYTES))
  const { memory, passes, parallelism } = COST
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(key)}`
}

/**
 * Whether this is the password of the hash. Without a hash the same work is done and the answer is no, so that
 * nobody learns from the time taken whether an account exists.
 */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const stored = hash === null ? null : parse(hash)
  const { cost, salt, key } = stored ?? NOBODY
  const derived = await inTurn(() => deriveKey(password, salt, cost, key.length))
  return timingSafeEqual(derived, key) && stored !== null
}

const NOBODY = { cost: COST, salt: Buffer.alloc(SALT_BYTES), key: Buffer.alloc(HASH_BYTES) }

const deriveKey = (password: string, salt: Buffer, cost: Cost, length: number) =>
  derive({ message: password.normalize('NFKC'), nonce: salt, tagLength: length, ...cost })

function parse(hash: string): typeof NOBODY | null {
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
