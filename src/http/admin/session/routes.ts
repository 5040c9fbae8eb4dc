/** Signing in to the admin app and out of it, the first admin, invitations and forgotten passwords. None of these needs a session. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../../access/users/accounts.ts'
import { normalizeEmail } from '../../../access/users/accounts.ts'
import { adminPasswordResetMail } from '../../../access/users/mail-templates.ts'
import { errors } from '../../../errors.ts'
import { newCodeFor, setPasswordWithCode } from '../../auth/own-account.ts'
import { checkSecondFactor } from '../../auth/second-factor.ts'
import { recordFailure, recordOwnAction } from '../../auth/sign-in-records.ts'
import { declareRoute, type Handler } from '../../method-routes.ts'
import { bodyOf, newPassword, requiredStrings } from '../../request/fields.ts'
import { originOf } from '../../request/origin.ts'
import { rawQueryOf } from '../../request/query-string.ts'
import type { Server } from '../../server.ts'
import { personJson, roleName } from './caller.ts'
import { checkOrigin, clearSessionCookie, setSessionCookie } from './cookie.ts'

export function sessionRoutes(app: FastifyInstance, server: Server): void {
  const { access } = server
  const { config } = server.project
  const { signIn, teamSessions, accounts } = access

  /** The session of the cookie, or null; a session that has ended counts as none. */
  async function current({ headers }: FastifyRequest) {
    const caller = await access.callerOf(headers.authorization).catch(() => null)
    return caller?.kind === 'team' ? caller : null
  }

  const read: Handler = async (request) => {
    const caller = await current(request)
    return {
      data: caller && (await sessionJson(server, caller.session, caller.account)),
      meta: {
        needsSetup: await access.setup.isNeeded(),
        passwordMinLength: config.auth.password.minLength,
        mail: config.email.smtp !== null,
      },
    }
  }

  const create: Handler = async (request, reply) => {
    checkOrigin(request, config)
    const text = requiredStrings(request.body, ['identifier', 'password'])
    const identifier = text('identifier')
    const account = await recordFailure({ server, request, identifier, app: 'admin' }, async () => {
      const found = await signIn.withPassword(identifier, text('password'), request.ip)
      if (access.appAccessOf(found.role) === null) throw errors.notInTeam()
      await checkSecondFactor(server, found, bodyOf(request.body).code)
      return found
    })
    return startSession(server, request, reply, account)
  }

  const end: Handler = async (request, reply) => {
    checkOrigin(request, config)
    const caller = await current(request)
    if (caller) {
      await teamSessions.end(caller.account, caller.session.id)
      await recordOwnAction(server, request, caller.account, 'session.delete', 'admin')
    }
    clearSessionCookie(request, reply, config)
    return reply.code(204).send()
  }

  const setUp: Handler = async (request, reply) => {
    checkOrigin(request, config)
    const text = requiredStrings(request.body, ['token', 'username', 'email', 'password'])
    const values = { username: text('username'), email: text('email'), password: text('password') }
    await newPassword(values.password, values.password, config.auth.password)
    const account = await signIn.countAttempt({ address: request.ip }, () =>
      access.setup.complete(text('token'), values, originOf(request)),
    )
    if (!account) throw errors.notFound()
    return startSession(server, request, reply.code(201), account)
  }

  const forgotPassword: Handler = async (request) => {
    checkOrigin(request, config)
    const email = requiredStrings(request.body, ['email'])('email')
    // Counted whether or not the account exists, and sent in the background: neither status nor time reveals it.
    await signIn.countAttempt({ address: request.ip, identifier: email }, async () => null)
    access.inBackground('Sending an e-mail failed', async () => {
      const account = await accounts.byEmail(normalizeEmail(email))
      if (!account?.email || account.blocked || access.appAccessOf(account.role) === null) return
      const code = await newCodeFor(server, account, account.email, 'reset-password')
      if (code !== null) await access.mail.send(adminPasswordResetMail(config, account.email, code))
    })
    return { ok: true }
  }

  const resetPassword: Handler = async (request, reply) => {
    checkOrigin(request, config)
    const text = requiredStrings(request.body, ['code', 'password'])
    const password = await newPassword(text('password'), text('password'), config.auth.password)
    // The second factor is still asked for at the next sign-in.
    await setPasswordWithCode(server, request, text('code'), password)
    return reply.code(204).send()
  }

  const readInvitation: Handler = async (request) => {
    const code = new URLSearchParams(rawQueryOf(request)).get('code') ?? ''
    const invitation = await signIn.countAttempt({ address: request.ip }, () =>
      access.invitations.byCode(code),
    )
    if (!invitation) throw errors.invalid('The invitation is invalid, expired or already used')
    const { email, role } = invitation
    return { data: { email, role: { type: role, name: await roleName(server, role) } } }
  }

  const acceptInvitation: Handler = async (request, reply) => {
    checkOrigin(request, config)
    const text = requiredStrings(request.body, ['code', 'username', 'password'])
    const password = await newPassword(text('password'), text('password'), config.auth.password)
    const account = await signIn.countAttempt({ address: request.ip }, () =>
      access.invitations.accept(text('code'), { username: text('username'), password }, originOf(request)),
    )
    if (!account) throw errors.notFound()
    return startSession(server, request, reply.code(201), account)
  }

  declareRoute(app, '/invitation', { GET: readInvitation, POST: acceptInvitation })
  declareRoute(app, '/session', { GET: read, POST: create, DELETE: end })
  declareRoute(app, '/setup', { POST: setUp })
  declareRoute(app, '/forgot-password', { POST: forgotPassword })
  declareRoute(app, '/reset-password', { POST: resetPassword })
}

/** Starts a new session, never an existing one, and ends the one that the browser had. */
export async function startSession(
  server: Server,
  request: FastifyRequest,
  reply: FastifyReply,
  account: Account,
) {
  const { access, project } = server
  const previous = await access.callerOf(request.headers.authorization).catch(() => null)
  if (previous?.kind === 'team') await access.teamSessions.end(previous.account, previous.session.id)
  const { session, secret } = await access.teamSessions.start(account, {
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
  })
  await recordOwnAction(server, request, account, 'session.create', 'admin')
  setSessionCookie(request, reply, project.config, secret, session)
  return { data: await sessionJson(server, session, account) }
}

async function sessionJson(
  server: Server,
  {
    id,
    createdAt,
    expiresAt,
  }: { readonly id: string; readonly createdAt: string; readonly expiresAt: string },
  account: Account,
) {
  return { id, createdAt, expiresAt, user: await personJson(server, account) }
}
