/** Signing in: the session of a user, which the client sends with every call and renews when it expires. */
import { errorOf } from './error.ts'
import { type ClientOptions, type Credentials, credentialOf, parsedOrNull, type Session } from './requests.ts'

/** The user as the server shows it to itself; attributes of the project's own user type are included. */
export interface SignedInUser {
  readonly id: number
  readonly documentId: string
  readonly username: string
  readonly email: string
  readonly [attribute: string]: unknown
}

export interface NewAccount {
  readonly username: string
  readonly email: string
  readonly password: string
  /** Attributes that `auth.registration.fields` allows. */
  readonly [attribute: string]: unknown
}

export interface SessionHolder extends Credentials {
  readonly session: Session | null
  /** Takes the tokens of a response, and passes them to `onSession`. */
  use(session: Session | null): void
}

export function createSessionHolder({
  url,
  token,
  fetch: send = fetch,
  session: given = null,
  onSession = () => {},
}: ClientOptions): SessionHolder {
  let session: Session | null = given
  let refreshing: Promise<boolean> | null = null

  const use = (next: Session | null) => {
    session = next && { jwt: next.jwt, ...(next.refreshToken && { refreshToken: next.refreshToken }) }
    onSession(session)
  }

  async function renew(refreshToken: string): Promise<boolean> {
    const response = await send(`${url.replace(/\/+$/, '')}/api/auth/refresh`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refreshToken }),
    })
    const text = await response.text()
    // The user has signed out or in meanwhile.
    if (session?.refreshToken !== refreshToken) return session !== null
    if (response.ok) use(JSON.parse(text))
    else if (response.status === 401) use(null)
    else throw errorOf(response.status, parsedOrNull(text))
    return response.ok
  }

  return {
    get session() {
      return session
    },
    credential: async () => session?.jwt ?? credentialOf(token),
    use,
    async refresh() {
      if (!session?.refreshToken) return false
      // A refresh token can be used once: calls that fail together wait for the same renewal.
      refreshing ??= renew(session.refreshToken).finally(() => {
        refreshing = null
      })
      return refreshing
    },
  }
}
