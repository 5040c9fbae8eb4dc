/** Credentials as text: where they stand in a request, how they are made, and what is kept of them. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * The bearer credential of an Authorization header; null when there is none. Other schemes and malformed
 * headers count as none (as recorded).
 */
export function bearerOf(authorization: string | undefined): string | null {
  if (authorization === undefined) return null
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null
}

/** A new secret of 256 random bits behind a prefix by which people and scanners recognise it. */
export const newSecret = (prefix: string) => `${prefix}_${randomBytes(32).toString('base64url')}`

/** What is kept of a secret. Secrets are long and random, so a fast hash is enough. */
export const hashOf = (secret: string) => hash('sha256', secret, 'hex')

/** Whether two hashes are equal, in a time that does not depend on where they differ. */
export function sameHash(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
