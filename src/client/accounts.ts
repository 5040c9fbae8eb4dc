/** The calls about the signed-in user. */
import type { Client } from './contract.ts'
import type { CallOptions, Request, Session } from './requests.ts'
import type { Schema } from './schema.ts'
import type { SessionHolder, SignedInUser } from './session.ts'

type AccountCalls = Pick<Client<Schema>, 'signIn' | 'register' | 'me' | 'refresh' | 'signOut'>

export function accountCalls(request: Request, held: SessionHolder): AccountCalls {
  const begin = async (path: readonly string[], body: object, options: CallOptions | undefined) => {
    const signedIn = await request<Partial<Session> & { user: SignedInUser }>('POST', path, { body, options })
    const { jwt, refreshToken, user } = signedIn.body
    if (jwt !== undefined) held.use({ jwt, ...(refreshToken !== undefined && { refreshToken }) })
    return user
  }
  return {
    async signIn(identifier, password, options) {
      held.use(null)
      return begin(['auth', 'local'], { identifier, password }, options)
    },
    register: (account, options) => begin(['auth', 'local', 'register'], account, options),
    me: async (query, options) =>
      (await request<SignedInUser>('GET', ['users', 'me'], { query, options })).body,
    refresh: held.refresh,
    async signOut(options) {
      const { session } = held
      if (session?.refreshToken) await request('POST', ['auth', 'logout'], { options }).catch(() => {})
      held.use(null)
    },
  }
}
