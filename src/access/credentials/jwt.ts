/** JSON Web Tokens of signed-in users: one algorithm, one issuer, one audience. */
import { onDemand } from '../../store/on-demand.ts'

/** What a token claims. `callers.ts` checks that the account and session are still valid. */
export interface Claims {
  /** documentId of the user, which is never reused. */
  readonly account: string
  /** The account's stamp when the token was issued; the account gets another one when its credentials are revoked. */
  readonly stamp: string
  /** The session it belongs to, in refresh mode. */
  readonly session: string | null
  /** In milliseconds. */
  readonly expiresAt: number
}

export interface Jwt {
  sign(claims: Claims): Promise<string>
  /** The claims of a valid token; null when it is expired, forged or malformed. */
  verify(token: string): Promise<Claims | null>
}

const ALGORITHM = 'HS256'
const ISSUER = 'octavo'
const AUDIENCE = 'octavo:api'

/** Loaded with the first sign-in: many servers have no users. */
const jose = onDemand(() => import('jose'))

export function createJwt(secret: string): Jwt {
  const key = new TextEncoder().encode(secret)
  return {
    async sign({ account, stamp, session, expiresAt }) {
      const { SignJWT } = await jose()
      return new SignJWT({ stamp, ...(session === null ? {} : { sid: session }) })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setSubject(account)
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setJti(crypto.randomUUID())
        .setIssuedAt()
        .setExpirationTime(Math.floor(expiresAt / 1000))
        .sign(key)
    },

    async verify(token) {
      const { errors, jwtVerify } = await jose()
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [ALGORITHM],
          issuer: ISSUER,
          audience: AUDIENCE,
          requiredClaims: ['sub', 'exp', 'stamp'],
        })
        const { sub, exp, stamp, sid } = payload
        // The library does not check the type of `sub`.
        if (typeof sub !== 'string' || exp === undefined || typeof stamp !== 'string') return null
        return {
          account: sub,
          stamp,
          session: typeof sid === 'string' ? sid : null,
          expiresAt: exp * 1000,
        }
      } catch (failure) {
        if (failure instanceof errors.JOSEError) return null
        throw failure
      }
    },
  }
}
