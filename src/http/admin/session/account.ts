/** What people change of their own account in the admin app: password, second factor and sessions. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { totpUri } from '../../../access/team/totp.ts'
import { errors } from '../../../errors.ts'
import { recordOwnAction } from '../../auth/sign-in-records.ts'
import { declareRoute, type Handler, pathParam } from '../../method-routes.ts'
import { newPassword, requiredStrings } from '../../request/fields.ts'
import { originOf } from '../../request/origin.ts'
import type { Server } from '../../server.ts'
import { openSessionJson, personJson, type TeamCaller, teamCaller } from './caller.ts'
import { startSession } from './routes.ts'

export function accountRoutes(app: FastifyInstance, server: Server): void {
  const { access } = server
  const { config } = server.project
  const { teamSessions, secondFactors, signIn } = access

  /** The caller, who must know the password: a session that was left open is not enough to change the account. */
  async function confirmedCaller(request: FastifyRequest): Promise<TeamCaller> {
    const caller = await teamCaller(server, request)
    const password = requiredStrings(request.body, ['currentPassword'])('currentPassword')
    if (await signIn.confirmPassword(caller.account, password, request.ip)) return caller
    throw errors.invalidValues([{ path: ['currentPassword'], message: 'The current password is incorrect' }])
  }

  const listSessions: Handler = async (request) => {
    const { account, session } = await teamCaller(server, request)
    const sessions = await teamSessions.list(account)
    return {
      data: sessions.map((one) => ({ ...openSessionJson(one), current: one.id === session.id })),
    }
  }

  const endSession: Handler = async (request, reply) => {
    const { account } = await teamCaller(server, request)
    if (!(await teamSessions.end(account, pathParam(request, 'id')))) throw errors.notFound()
    await recordOwnAction(server, request, account, 'session.delete', 'admin')
    return reply.code(204).send()
  }

  const endOtherSessions: Handler = async (request, reply) => {
    const { account, session } = await teamCaller(server, request)
    await teamSessions.endOthers(account, session.id)
    await recordOwnAction(server, request, account, 'session.delete', 'admin')
    return reply.code(204).send()
  }

  const changeAccount: Handler = async (request) => {
    const { account } = await confirmedCaller(request)
    const { username, email } = Object(request.body)
    const values = { ...(username !== undefined && { username }), ...(email !== undefined && { email }) }
    await access.users.updateOwn(account, values, originOf(request))
    const changed = await access.accounts.byDocumentId(account.documentId)
    if (!changed) throw errors.notFound()
    return { data: await personJson(server, changed) }
  }

  const changePassword: Handler = async (request, reply) => {
    const text = requiredStrings(request.body, ['currentPassword', 'password'])
    const password = await newPassword(text('password'), text('password'), config.auth.password)
    const { account } = await confirmedCaller(request)
    await access.users.updateOwn(account, { password }, originOf(request))
    const changed = await access.accounts.byDocumentId(account.documentId)
    if (!changed) throw errors.notFound()
    // The new password has ended every session, this one included.
    return startSession(server, request, reply, changed)
  }

  const beginSecondFactor: Handler = async (request) => {
    const { account } = await confirmedCaller(request)
    const { documentId, username, email } = account
    if (await secondFactors.isRequired(documentId))
      throw errors.application('The account already has a second factor; remove it first')
    const secret = await secondFactors.begin(documentId)
    return { data: { secret, uri: totpUri(secret, email ?? username ?? documentId, 'Octavo') } }
  }

  const confirmSecondFactor: Handler = async (request, reply) => {
    const { account } = await teamCaller(server, request)
    const code = requiredStrings(request.body, ['code'])('code')
    const recoveryCodes = await secondFactors.confirm(account.documentId, code)
    if (!recoveryCodes) throw errors.invalidValues([{ path: ['code'], message: 'The code is incorrect' }])
    await teamSessions.endOthers(account, null)
    await recordOwnAction(server, request, account, 'secondFactor.create', 'admin')
    const changed = await access.accounts.byDocumentId(account.documentId)
    if (!changed) throw errors.notFound()
    // Whoever signed in without the second factor signs in again, in the content API too; only this browser need not.
    await startSession(server, request, reply, changed)
    return { data: { recoveryCodes } }
  }

  const removeSecondFactor: Handler = async (request, reply) => {
    const { account } = await confirmedCaller(request)
    await secondFactors.remove(account.documentId)
    await recordOwnAction(server, request, account, 'secondFactor.delete', 'admin')
    return reply.code(204).send()
  }

  declareRoute(app, '/sessions', { GET: listSessions, DELETE: endOtherSessions })
  declareRoute(app, '/sessions/:id', { DELETE: endSession })
  declareRoute(app, '/me/account', { PUT: changeAccount })
  declareRoute(app, '/me/password', { POST: changePassword })
  declareRoute(app, '/me/second-factor', { POST: beginSecondFactor, DELETE: removeSecondFactor })
  declareRoute(app, '/me/second-factor/confirm', { POST: confirmSecondFactor })
}
