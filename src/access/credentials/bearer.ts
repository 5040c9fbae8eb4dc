/** Credentials: reading them from a request, generating them, and hashing them for storage. */
import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'

/** The bearer credential of an Authorization header. Other schemes and malformed headers are ignored (as recorded). */
export function bearerOf(authorization: string | undefined): string | null {
  if (authorization === undefined) return null
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null
}

/** Stands for an accepted session cookie. It is random, so that no client can send it: a session is only valid as a cookie. */
const COOKIE_SCHEME = `cookie-${randomUUID()} `

/** The Authorization header that stands for the session cookie of the admin app. */
export const cookieAuthorization = (secret: string) => COOKIE_SCHEME + secret

/** The secret of the session cookie that an Authorization header stands for. */
export const cookieSecretOf = (authorization: string): string | null =>
  authorization.startsWith(COOKIE_SCHEME) ? authorization.slice(COOKIE_SCHEME.length) : null

/** 256 random bits after a prefix by which people and secret scanners recognise it. */
export const newSecret = (prefix: string) => `${prefix}_${randomBytes(32).toString('base64url')}`

/** The stored form of a secret. Secrets are long and random, so a fast hash is enough. */
export const hashOf = (secret: string) => hash('sha256', secret, 'hex')

/** Compares in constant time. */
export function sameHash(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
