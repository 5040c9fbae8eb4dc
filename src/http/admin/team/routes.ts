/** Routes for the team: who may use the admin app, with which role, and invitations. For admins. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Invitation } from '../../../access/team/invitations.ts'
import type { Account } from '../../../access/users/accounts.ts'
import { adminWriter } from '../../../access/users/admins.ts'
import { invitationLink, invitationMail } from '../../../access/users/mail-templates.ts'
import { errors } from '../../../errors.ts'
import { USER } from '../../../model/model.ts'
import { isEmail } from '../../../model/scalars/email.ts'
import { didYouMean } from '../../../project/suggest.ts'
import { declareRoute, type Handler, pathParam } from '../../method-routes.ts'
import { actorOf } from '../../request/actor.ts'
import { dataOf, requiredStrings } from '../../request/fields.ts'
import type { Server } from '../../server.ts'
import { openSessionJson, personJson, roleName } from '../session/caller.ts'

export function teamMemberRoutes(app: FastifyInstance, server: Server): void {
  const { access } = server
  const { config } = server.project
  const { accounts, teamSessions, secondFactors, invitations, roles } = access

  /** The types of the roles that may use the app. */
  const teamRoles = async () => (await roles.types()).filter((type) => access.appAccessOf(type) !== null)

  async function checkTeamRole(role: string): Promise<string> {
    const known = await teamRoles()
    const documentId = known.includes(role) ? await roles.documentIdOf(role) : null
    if (documentId !== null) return documentId
    const message = `${role} is not a role of the team${didYouMean(role, known)}`
    throw errors.invalidValues([{ path: ['role'], message }])
  }

  async function member(request: FastifyRequest): Promise<Account> {
    const account = await accounts.byId(numberIn(pathParam(request, 'id')))
    if (!account || access.appAccessOf(account.role) === null) throw errors.notFound()
    return account
  }

  const writer = async (request: FastifyRequest) => adminWriter(await actorOf(server, request))

  async function memberJson(account: Account) {
    const [last] = await teamSessions.list(account)
    const { blocked } = account
    return { ...(await personJson(server, account)), blocked, lastSeenAt: last?.lastUsedAt ?? null }
  }

  const list: Handler = async () => {
    const team = await accounts.withRole(...(await teamRoles()))
    return { data: await Promise.all(team.map(memberJson)) }
  }

  const update: Handler = async (request) => {
    const account = await member(request)
    const { role, ...values } = dataOf(request.body, ['username', 'email', 'role', 'blocked'])
    const documentId = role === undefined ? undefined : await checkTeamRole(String(role))
    const changes = { ...values, ...(documentId !== undefined && { role: documentId }) }
    await access.users.update(account, changes, await writer(request), async () => null)
    return { data: await memberJson(await member(request)) }
  }

  const remove: Handler = async (request, reply) => {
    const account = await member(request)
    await access.users.remove(account, await writer(request))
    return reply.code(204).send()
  }

  const recordFor = async (request: FastifyRequest, { documentId }: Account, action: string) =>
    access.audit.add(await actorOf(server, request), { action, type: USER, documentId })

  const listSessions: Handler = async (request) => ({
    data: (await teamSessions.list(await member(request))).map(openSessionJson),
  })

  const endSession: Handler = async (request, reply) => {
    const account = await member(request)
    if (!(await teamSessions.end(account, pathParam(request, 'session')))) throw errors.notFound()
    await recordFor(request, account, 'session.delete')
    return reply.code(204).send()
  }

  const endSessions: Handler = async (request, reply) => {
    const account = await member(request)
    await teamSessions.endOthers(account, null)
    await recordFor(request, account, 'session.delete')
    return reply.code(204).send()
  }

  const removeSecondFactor: Handler = async (request, reply) => {
    const account = await member(request)
    await secondFactors.remove(account.documentId)
    await teamSessions.endOthers(account, null)
    await recordFor(request, account, 'secondFactor.delete')
    return reply.code(204).send()
  }

  const invitationJson = async ({ id, email, role, createdAt, expiresAt, invitedBy }: Invitation) => ({
    ...{ id, email, role: { type: role, name: await roleName(server, role) }, createdAt, expiresAt },
    invitedBy: invitedBy === null ? null : ((await accounts.byDocumentId(invitedBy))?.username ?? null),
  })

  const invite: Handler = async (request, reply) => {
    const body = dataOf(request.body, ['email', 'role'])
    const text = requiredStrings(body, ['email', 'role'])
    if (!isEmail(text('email')))
      throw errors.invalidValues([{ path: ['email'], message: 'email must be an e-mail address' }])
    await checkTeamRole(text('role'))
    const { invitation, code } = await invitations.create(
      text('email'),
      text('role'),
      await actorOf(server, request),
    )
    const link = invitationLink(config, code)
    const mailed = config.email.smtp !== null
    if (mailed)
      access.inBackground('Sending an invitation failed', () =>
        access.mail.send(invitationMail(invitation.email, link, config.admin.invitationDays)),
      )
    const data = { ...(await invitationJson(invitation)), link: mailed ? null : link, mailed }
    return reply.code(201).send({ data })
  }

  const listInvitations: Handler = async () => ({
    data: await Promise.all((await invitations.list()).map(invitationJson)),
  })

  const revoke: Handler = async (request, reply) => {
    if (!(await invitations.revoke(pathParam(request, 'id'), await actorOf(server, request))))
      throw errors.notFound()
    return reply.code(204).send()
  }

  declareRoute(app, '/team', { GET: list })
  declareRoute(app, '/team/:id', { PUT: update, DELETE: remove })
  declareRoute(app, '/team/:id/sessions', { GET: listSessions, DELETE: endSessions })
  declareRoute(app, '/team/:id/sessions/:session', { DELETE: endSession })
  declareRoute(app, '/team/:id/second-factor', { DELETE: removeSecondFactor })
  declareRoute(app, '/invitations', { GET: listInvitations, POST: invite })
  declareRoute(app, '/invitations/:id', { DELETE: revoke })
}

const numberIn = (id: string) => (/^\d{1,15}$/.test(id) ? Number(id) : 0)
