/**
 * Signing in and out, under /api/auth. Answers are plain, without the envelope of documents. Refusals do not tell
 * whether an account exists.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Account } from '../../access/users/accounts.ts'
import type { CodePurpose } from '../../access/users/codes.ts'
import type { Letter } from '../../access/users/mail.ts'
import { confirmationLetter, resetLetter } from '../../access/users/mail-templates.ts'
import type { SignedIn } from '../../access/users/sessions.ts'
import type { OwnValues } from '../../access/users/users.ts'
import { errors } from '../../errors.ts'
import { typeOf, USER } from '../../model/model.ts'
import { systemScope } from '../../query/scope.ts'
import { type Handler, path } from '../method-routes.ts'
import { bodyOf, newPassword, texts } from '../request/fields.ts'
import { rawQueryOf } from '../request/raw-query.ts'
import { JSON_TYPE } from '../response/content-response.ts'
import type { Server } from '../server.ts'
import { ownAccount, signedInUser } from './caller.ts'

const REGISTRATION = ['email', 'username', 'password'] as const

export function authRoutes(app: FastifyInstance, server: Server): void {
  const { access, project } = server
  const { config } = project
  const { accounts, sessions, signIn, codes, mail } = access

  /** The user as they see themselves. */
  async function userJson({ documentId }: Account): Promise<string> {
    const type = typeOf(server.layout().model, USER)
    const scope = ownAccount(systemScope, documentId)
    return present(await server.reads().document(type, documentId, '', scope)).data
  }

  /** `{jwt, user}`, with the refresh token where there is one. */
  async function sendSignedIn(reply: FastifyReply, { jwt, refreshToken }: SignedIn, account: Account) {
    const refresh = refreshToken === undefined ? '' : `"refreshToken":${JSON.stringify(refreshToken)},`
    return reply
      .header('content-type', JSON_TYPE)
      .header('cache-control', 'no-store')
      .send(`{"jwt":${JSON.stringify(jwt)},${refresh}"user":${await userJson(account)}}`)
  }

  const welcome = async (reply: FastifyReply, account: Account) =>
    sendSignedIn(reply, await sessions.start(account), account)

  /** Not waited for: how long a mail takes would tell whether there is an account to send it to. */
  function send(account: Account, letter: (to: string) => Promise<Letter>): void {
    const { email } = account
    if (email === null) return
    access.inBackground('An e-mail could not be sent', async () => mail.send(await letter(email)))
  }

  const sendConfirmation = (account: Account) =>
    send(account, async (to) =>
      confirmationLetter(config, to, await codes.create(account.documentId, 'confirm-email')),
    )

  /** Every mail that is asked for counts, whether or not there is somebody to send it to. */
  async function accountToWriteTo(email: string, address: string): Promise<Account | null> {
    await signIn.attempt({ address, identifier: email }, async () => null)
    const account = await accounts.byEmail(email)
    return account?.blocked ? null : account
  }

  async function accountOfCode(code: string, purpose: CodePurpose, address: string): Promise<Account> {
    const documentId = await signIn.attempt({ address }, () => codes.use(code, purpose))
    const account = documentId === null ? null : await accounts.byDocumentId(documentId)
    if (!account) throw errors.invalid('The code is wrong, was used before, or is too old')
    return account
  }

  async function change(account: Account, values: OwnValues): Promise<Account> {
    await access.users.updateOwn(account, values)
    return present(await accounts.byDocumentId(account.documentId))
  }

  const passwordIn = (text: (name: 'password' | 'passwordConfirmation') => string) =>
    newPassword(text('password'), text('passwordConfirmation'), config.auth.passwordMinLength)

  /** Routes that are for anybody still refuse a credential that is no good, as every route does. */
  const forAnybody =
    (handler: Handler): Handler =>
    async (request, reply) => {
      await access.scopeOf(request.headers.authorization)
      return handler(request, reply)
    }

  const local = forAnybody(async (request, reply) => {
    const text = texts(request.body, ['identifier', 'password'])
    return welcome(reply, await signIn.withPassword(text('identifier'), text('password'), request.ip))
  })

  const register = forAnybody(async (request, reply) => {
    const { enabled, fields, role } = config.auth.registration
    if (!enabled) throw errors.application('Registration is closed')
    const body = bodyOf(request.body)
    const unknown = Object.keys(body).find((key) => ![...REGISTRATION, ...fields].includes(key))
    if (unknown) throw errors.invalidKey({ key: unknown, path: null, source: 'body' })
    const password = texts(body, REGISTRATION)('password')
    newPassword(password, password, config.auth.passwordMinLength)
    await signIn.attempt({ address: request.ip }, async () => null)
    const values = {
      ...body,
      confirmed: !config.auth.confirmEmail,
      role: present(await access.roles.documentOf(role)),
    }
    const stranger = { scope: systemScope, admin: false }
    const documentId = await access.users.create(values, stranger, async (_transaction, id) => id)
    const account = present(await accounts.byDocumentId(documentId))
    if (!config.auth.confirmEmail) return welcome(reply, account)
    sendConfirmation(account)
    return reply.header('content-type', JSON_TYPE).send(`{"user":${await userJson(account)}}`)
  })

  const forgotPassword = forAnybody(async (request) => {
    const account = await accountToWriteTo(texts(request.body, ['email'])('email'), request.ip)
    if (account) {
      send(account, async (to) =>
        resetLetter(config, to, await codes.create(account.documentId, 'reset-password')),
      )
    }
    return { ok: true }
  })

  const resetPassword = forAnybody(async (request, reply) => {
    const text = texts(request.body, ['passwordConfirmation', 'password', 'code'])
    const password = passwordIn(text)
    const account = await accountOfCode(text('code'), 'reset-password', request.ip)
    if (account.blocked) signIn.admit(account)
    // The code came by e-mail, so the address is theirs.
    return welcome(reply, await change(account, { password, confirmed: true }))
  })

  const changePassword: Handler = async (request, reply) => {
    const { account } = await signedInUser(server, request)
    const text = texts(request.body, ['currentPassword', 'password', 'passwordConfirmation'])
    const password = passwordIn(text)
    if (!(await signIn.confirmPassword(account, text('currentPassword'), request.ip)))
      throw errors.invalid('The current password is wrong')
    if (password === text('currentPassword'))
      throw errors.invalid('The new password must differ from the current one')
    return welcome(reply, await change(account, { password }))
  }

  const confirmEmail = forAnybody(async (request, reply) => {
    // Programs that check mail look at its links before people follow them: a look must not use up the code.
    if (request.method === 'HEAD') return reply.send()
    const code = new URLSearchParams(rawQueryOf(request)).get('confirmation') ?? ''
    await change(await accountOfCode(code, 'confirm-email', request.ip), { confirmed: true })
    const { confirmedUrl } = config.auth
    return confirmedUrl === null ? { ok: true } : reply.redirect(confirmedUrl)
  })

  const askForConfirmation = forAnybody(async (request) => {
    const email = texts(request.body, ['email'])('email')
    const account = await accountToWriteTo(email, request.ip)
    if (account && !account.confirmed) sendConfirmation(account)
    return { email, sent: true }
  })

  /** The credential is in the body; the access token that may come along has often expired. */
  const refresh: Handler = async (request, reply) => {
    const refreshToken = texts(request.body, ['refreshToken'])('refreshToken')
    const next = await signIn.attempt({ address: request.ip }, () => sessions.refresh(refreshToken))
    if (!next) throw errors.unauthorized()
    return sendSignedIn(reply, next, next.account)
  }

  const logout: Handler = async (request) => {
    const { session } = await signedInUser(server, request)
    if (session !== null) await sessions.end(session)
    return { ok: true }
  }

  // Elsewhere a GET of /api/auth/<provider> starts a sign-in there; we know no provider but ourselves.
  const noProvider: Handler = async () => {
    throw errors.notFound()
  }

  path(app, '/api/auth/local', { POST: local, GET: noProvider })
  path(app, '/api/auth/local/register', { POST: register })
  path(app, '/api/auth/forgot-password', { POST: forgotPassword })
  path(app, '/api/auth/reset-password', { POST: resetPassword })
  path(app, '/api/auth/change-password', { POST: changePassword })
  path(app, '/api/auth/email-confirmation', { GET: confirmEmail })
  path(app, '/api/auth/send-email-confirmation', { POST: askForConfirmation })
  if (sessions.mode === 'refresh') {
    path(app, '/api/auth/refresh', { POST: refresh })
    path(app, '/api/auth/logout', { POST: logout })
  }
}

function present<Value>(value: Value | null): Value {
  if (value === null) throw new Error('What was just written is not there')
  return value
}
