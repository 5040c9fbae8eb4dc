/**
 * Verifies bcrypt hashes, which users imported from Strapi have. It takes about a tenth of a second of JavaScript,
 * so it runs in a thread of its own; once a user has signed in, the hash is replaced and this is not needed again.
 */
import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** Each step doubles the time. Higher costs than this would let one sign-in occupy a core for seconds. */
const MAX_COST = 14

const BCRYPT = /^\$2[abxy]\$(\d\d)\$[./A-Za-z0-9]{53}$/

/** The hash of nothing anyone can type. Verifying it takes as long as a hash with the default cost of Strapi. */
const DUMMY = `$2b$10$${'.'.repeat(53)}`

export const isBcryptHash = (hash: string | null): hash is string => {
  const cost = BCRYPT.exec(hash ?? '')?.[1]
  return cost !== undefined && Number(cost) <= MAX_COST
}

/** Without a hash it does the same work and returns false. */
export async function verifyBcrypt(password: string, hash: string | null): Promise<boolean> {
  const thread = new Worker(new URL(`./bcrypt-thread${extname(import.meta.url)}`, import.meta.url), {
    workerData: { password, hash: hash ?? DUMMY },
  })
  const [isCorrect] = await once(thread, 'message')
  return isCorrect === true && hash !== null
}
