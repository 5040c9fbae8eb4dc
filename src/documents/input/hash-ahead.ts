/**
 * Hashes the passwords of several operations before their transaction, which would hold its locks meanwhile: on SQLite
 * no other transaction could write. Only the operations themselves know their passwords, because each can depend on the results
 * of those before it. So a transaction that needs hashes is rolled back, and runs again when there are hashes.
 */
import { checkNumberOfPasswords, type HashPassword, type PasswordWriter } from './hash-passwords.ts'

class HashesNeeded extends Error {}

/** What one attempt of the transaction uses. */
export interface AheadHashes {
  readonly hash: HashPassword
  /** Called when all operations have succeeded; throws if they need hashes. */
  check(): void
}

/** Takes the place of a hash in an attempt that is rolled back. */
const PLACEHOLDER = ''

/** Code of the project may generate other passwords in each attempt; those of the last one are hashed where they are. */
const MAX_ATTEMPTS = 3

/** `run` calls `begin` at the start of each attempt. */
export async function hashAhead<Result>(
  hash: HashPassword,
  run: (begin: () => AheadHashes) => Promise<Result>,
): Promise<Result> {
  const hashed: { readonly plain: string; readonly hash: string }[] = []
  let needed: { readonly plain: string; readonly by: PasswordWriter }[] = []

  const beginAttempt = (isLast: boolean) => (): AheadHashes => {
    // Equal passwords have different hashes: each is used once.
    const left = [...hashed]
    needed = []
    return {
      async hash(plain, by) {
        const index = left.findIndex((one) => one.plain === plain)
        const [found] = index < 0 ? [] : left.splice(index, 1)
        if (found) return found.hash
        if (isLast) return hash(plain, by)
        needed.push({ plain, by })
        return PLACEHOLDER
      },
      check() {
        if (needed.length > 0) throw new HashesNeeded()
      },
    }
  }

  for (let attempt = 1; ; attempt++) {
    try {
      return await run(beginAttempt(attempt === MAX_ATTEMPTS))
    } catch (error) {
      if (!(error instanceof HashesNeeded)) throw error
      checkNumberOfPasswords(hashed.length + needed.length)
      for (const { plain, by } of needed) hashed.push({ plain, hash: await hash(plain, by) })
    }
  }
}
