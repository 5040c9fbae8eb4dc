/** The functions of the client for the signed-in user. */
import type { CallOptions, Request, Session } from './requests.ts'
import type { NewAccount, SessionHolder, SignedInUser } from './session.ts'

export interface SignInOptions extends CallOptions {
  /** Of the second factor, for users of the admin app who have one. */
  readonly code?: string
}

export interface AccountClient {
  /** Signs in with a user name or an e-mail address. Later calls are made as this user. */
  signIn(identifier: string, password: string, options?: SignInOptions): Promise<SignedInUser>

  /** Creates an account, and signs in unless the address has to be confirmed first. */
  register(account: NewAccount, options?: CallOptions): Promise<SignedInUser>

  /** The signed-in user. */
  me(query?: object, options?: CallOptions): Promise<SignedInUser>

  /** Renews the session now; calls do so by themselves when it has expired. False if it cannot be renewed. */
  refresh(): Promise<boolean>

  /** Ends the session, on the server too where it can be renewed. */
  signOut(options?: CallOptions): Promise<void>

  /** Sends an e-mail with a link to reset the password, if there is an account with this address. */
  forgotPassword(email: string, options?: CallOptions): Promise<void>

  /** Sets a new password with the `code` of the link, and signs in unless the user has a second factor. */
  resetPassword(code: string, password: string, options?: CallOptions): Promise<SignedInUser>

  /** Changes the password of the signed-in user, which ends all other sessions. */
  changePassword(currentPassword: string, password: string, options?: CallOptions): Promise<SignedInUser>
}

export function createAccountClient(request: Request, held: SessionHolder): AccountClient {
  const begin = async (path: readonly string[], body: object, options: CallOptions | undefined) => {
    const signedIn = await request<Partial<Session> & { user: SignedInUser }>('POST', path, { body, options })
    const { jwt, refreshToken, user } = signedIn.body
    if (jwt !== undefined) held.use({ jwt, ...(refreshToken !== undefined && { refreshToken }) })
    return user
  }
  return {
    async signIn(identifier, password, { code, ...options } = {}) {
      held.use(null)
      const body = { identifier, password, ...(code !== undefined && { code }) }
      return begin(['auth', 'local'], body, options)
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
    async forgotPassword(email, options) {
      await request('POST', ['auth', 'forgot-password'], { body: { email }, options })
    },
    async resetPassword(code, password, options) {
      held.use(null)
      const body = { code, password, passwordConfirmation: password }
      return begin(['auth', 'reset-password'], body, options)
    },
    changePassword: (currentPassword, password, options) => {
      const body = { currentPassword, password, passwordConfirmation: password }
      return begin(['auth', 'change-password'], body, options)
    },
  }
}
