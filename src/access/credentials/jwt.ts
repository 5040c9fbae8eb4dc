/** The tokens of signed-in users: signed with one pinned algorithm, for one issuer and audience. */
import { onDemand } from '../../store/on-demand.ts'

/** What a token says; whether it still holds is for `callers.ts` to find out. */
export interface Claims {
  /** documentId of the user. Never given to another, unlike numbers in other systems. */
  readonly account: string
  /** The account's stamp when the token was made. */
  readonly stamp: string
  /** The session it belongs to, in refresh mode. */
  readonly session: string | null
  /** When it ends, in milliseconds. */
  readonly expiresAt: number
}

export interface Jwt {
  sign(claims: Claims): Promise<string>
  /** The claims of a token of ours that has not expired, else null. */
  verify(token: string): Promise<Claims | null>
}

const ALGORITHM = 'HS256'
const ISSUER = 'octavo'
const AUDIENCE = 'octavo:api'

/** A server without users never needs it, and no server needs it before the first of them. */
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
        if (sub === undefined || exp === undefined || typeof stamp !== 'string') return null
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
