/**
 * Signing in and out, under /api/auth. Responses have no `data` envelope, and errors do not reveal whether an account
 * exists.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Account, normalizeEmail } from '../../access/users/accounts.ts'
import type { CodePurpose } from '../../access/users/codes.ts'
import type { MailMessage } from '../../access/users/mail.ts'
import { emailConfirmationMail, passwordResetMail } from '../../access/users/mail-templates.ts'
import { REGISTRATION, unacceptedAttributes } from '../../access/users/registration.ts'
import type { SessionTokens } from '../../access/users/sessions.ts'
import { errors } from '../../errors.ts'
import { typeOf, USER } from '../../model/model.ts'
import { isEmail } from '../../model/scalars/email.ts'
import type { Config } from '../../project/config/config.ts'
import { systemScope } from '../../query/scope.ts'
import { declareRoute, type Handler } from '../method-routes.ts'
import { withConfirmationPage } from '../pages/email-confirmation.ts'
import { bodyOf, newPassword, requiredStrings } from '../request/fields.ts'
import { originOf } from '../request/origin.ts'
import { rawQueryOf } from '../request/query-string.ts'
import { JSON_TYPE } from '../response/content-response.ts'
import type { Server } from '../server.ts'
import { ownAccount, signedInUser } from './caller.ts'
import { changeOwnAccount, confirmAddress, newCodeFor, resetPassword } from './own-account.ts'
import { checkSecondFactor, hasSecondFactor } from './second-factor.ts'
import { recordFailure, recordOwnAction } from './sign-in-records.ts'

export function authRoutes(app: FastifyInstance, server: Server): void {
  const { access, project } = server
  const { config } = project
  const { accounts, sessions, signIn, mail } = access

  async function userJson({ documentId }: Account): Promise<string> {
    const type = typeOf(server.layout().model, USER)
    const scope = ownAccount(systemScope, documentId)
    return present(await server.reads().document(type, documentId, {}, scope)).data
  }

  /** `{jwt, user}`, with the refresh token where there is one. */
  async function sendSignedIn(reply: FastifyReply, { jwt, refreshToken }: SessionTokens, account: Account) {
    const refresh = refreshToken === undefined ? '' : `"refreshToken":${JSON.stringify(refreshToken)},`
    return reply
      .header('content-type', JSON_TYPE)
      .header('cache-control', 'no-store')
      .send(`{"jwt":${JSON.stringify(jwt)},${refresh}"user":${await userJson(account)}}`)
  }

  /** `{user}`, for someone who has to sign in next. */
  const sendUser = async (reply: FastifyReply, account: Account) =>
    reply.header('content-type', JSON_TYPE).send(`{"user":${await userJson(account)}}`)

  async function welcome(request: FastifyRequest, reply: FastifyReply, account: Account) {
    const session = await sessions.start(account)
    await recordOwnAction(server, request, account, 'session.create', 'api')
    return sendSignedIn(reply, session, account)
  }

  /** In the background: the time that sending takes would reveal whether the account exists. */
  function sendCode(
    account: Account,
    purpose: CodePurpose,
    compose: (config: Config, to: string, code: string) => MailMessage,
  ): void {
    const { email } = account
    if (email === null) return
    access.inBackground('Sending an e-mail failed', async () => {
      const code = await newCodeFor(server, account, email, purpose)
      if (code !== null) await mail.send(compose(config, email, code))
    })
  }

  const sendConfirmation = (account: Account) => sendCode(account, 'confirm-email', emailConfirmationMail)

  /** Counts every requested e-mail towards the rate limit, whether or not the account exists. */
  async function accountForMail(email: string, address: string): Promise<Account | null> {
    await signIn.countAttempt({ address, identifier: email }, async () => null)
    const account = await accounts.byEmail(email)
    return account?.blocked ? null : account
  }

  /** A route that needs no credential. An invalid one is a 401 here too, as on every route. */
  const anonymous =
    (handler: Handler): Handler =>
    async (request, reply) => {
      await access.scopeOf(request.headers.authorization)
      return handler(request, reply)
    }

  const local = anonymous(async (request, reply) => {
    const text = requiredStrings(request.body, ['identifier', 'password'])
    const identifier = text('identifier')
    const account = await recordFailure({ server, request, identifier, app: 'api' }, async () => {
      const found = await signIn.withPassword(identifier, text('password'), request.ip)
      await checkSecondFactor(server, found, bodyOf(request.body).code)
      return found
    })
    return welcome(request, reply, account)
  })

  const register = anonymous(async (request, reply) => {
    const { enabled, fields, role } = config.auth.registration
    if (!enabled) throw errors.application('Registration is disabled')
    const body = bodyOf(request.body)
    const unknown = Object.keys(body).find((key) => ![...REGISTRATION, ...fields].includes(key))
    if (unknown) throw errors.invalidKey({ key: unknown, path: null, source: 'body' })
    requiredStrings(body, REGISTRATION)
    refuseUnaccepted(unacceptedAttributes(server.layout().model, config.auth))
    await signIn.countAttempt({ address: request.ip }, async () => null)
    const values = {
      ...body,
      confirmed: !config.auth.confirmEmail,
      role: present(await access.roles.documentIdOf(role)),
    }
    const writer = { scope: systemScope, isAdmin: false, origin: originOf(request) }
    const documentId = await signIn.inTurn(request.ip, () =>
      access.users.create(values, writer, async (_transaction, id) => id),
    )
    const account = present(await accounts.byDocumentId(documentId))
    await signIn.rememberAddress(account, request.ip)
    if (!config.auth.confirmEmail) return welcome(request, reply, account)
    sendConfirmation(account)
    return sendUser(reply, account)
  })

  const forgotPassword = anonymous(async (request) => {
    const account = await accountForMail(emailIn(request.body), request.ip)
    if (account) sendCode(account, 'reset-password', passwordResetMail)
    return { ok: true }
  })

  const resetOwnPassword = anonymous(async (request, reply) => {
    const account = await resetPassword(server, request)
    // The code in the e-mail does not replace the second factor.
    return (await hasSecondFactor(server, account))
      ? sendUser(reply, account)
      : welcome(request, reply, account)
  })

  const changePassword: Handler = async (request, reply) => {
    const { account } = await signedInUser(server, request)
    const text = requiredStrings(request.body, ['currentPassword', 'password', 'passwordConfirmation'])
    const password = await newPassword(text('password'), text('passwordConfirmation'), config.auth.password)
    if (!(await signIn.confirmPassword(account, text('currentPassword'), request.ip)))
      throw errors.invalid('The current password is incorrect')
    if (password === text('currentPassword'))
      throw errors.invalid('The new password must differ from the current password')
    return welcome(request, reply, await changeOwnAccount(server, request, account, { password }))
  }

  const confirmEmail = anonymous(async (request, reply) => {
    // Mail scanners send HEAD requests to links before people open them; that must not use up the code.
    if (request.method === 'HEAD') return reply.send()
    const code = new URLSearchParams(rawQueryOf(request)).get('confirmation') ?? ''
    await confirmAddress(server, request, code)
    const { confirmedUrl } = config.auth
    return confirmedUrl === null ? { ok: true } : reply.redirect(confirmedUrl)
  })

  const resendConfirmation = anonymous(async (request) => {
    const email = emailIn(request.body)
    const account = await accountForMail(email, request.ip)
    if (account && !account.confirmed) sendConfirmation(account)
    return { email, sent: true }
  })

  /** Ignores the Authorization header: the access token has usually expired by now. */
  const refresh: Handler = async (request, reply) => {
    const refreshToken = requiredStrings(request.body, ['refreshToken'])('refreshToken')
    const next = await signIn.countAttempt({ address: request.ip }, () => sessions.refresh(refreshToken))
    if (!next) throw errors.unauthorized()
    return sendSignedIn(reply, next, next.account)
  }

  const logout: Handler = async (request) => {
    const { session, account } = await signedInUser(server, request)
    if (session !== null) await sessions.end(session)
    await recordOwnAction(server, request, account, 'session.delete', 'api')
    return { ok: true }
  }

  // On the reference server GET /api/auth/<provider> starts a sign-in with that provider; Octavo has none.
  const noProvider: Handler = async () => {
    throw errors.notFound()
  }

  declareRoute(app, '/api/auth/local', { POST: local, GET: noProvider })
  declareRoute(app, '/api/auth/local/register', { POST: register })
  declareRoute(app, '/api/auth/forgot-password', { POST: forgotPassword })
  declareRoute(app, '/api/auth/reset-password', { POST: resetOwnPassword })
  declareRoute(app, '/api/auth/change-password', { POST: changePassword })
  declareRoute(app, '/api/auth/email-confirmation', { GET: withConfirmationPage(project, confirmEmail) })
  declareRoute(app, '/api/auth/send-email-confirmation', { POST: resendConfirmation })
  if (sessions.mode === 'refresh') {
    declareRoute(app, '/api/auth/refresh', { POST: refresh })
    declareRoute(app, '/api/auth/logout', { POST: logout })
  }
}

function emailIn(body: unknown): string {
  const email = requiredStrings(body, ['email'])('email')
  if (!isEmail(normalizeEmail(email)))
    throw errors.invalidValues([{ path: ['email'], message: 'email must be an e-mail address' }])
  return email
}

function present<Value>(value: Value | null): Value {
  if (value === null) throw new Error('A user that was just written cannot be read')
  return value
}

/** Only a change of the configuration makes registration possible again. */
function refuseUnaccepted(names: readonly string[]): void {
  if (names.length === 0) return
  throw errors.invalidValues(
    names.map((name) => ({
      path: [name],
      message: `${name} is required, but registration does not accept it: add it to auth.registration.fields`,
    })),
  )
}
