/** Routes of the admin API for notices. People see those about documents that they may find, and those that are not about a document. */
import type { FastifyInstance } from 'fastify'
import { errors } from '../../errors.ts'
import { deleteNotice, listNotices, type Notice, readNotice } from '../../events/notices/notices.ts'
import type { Scope } from '../../query/scope.ts'
import { requireTeam } from '../auth/team.ts'
import { declareRoute, type Handler, pathParam } from '../method-routes.ts'
import { visibleDocuments } from '../schedules/visible-documents.ts'
import type { Server } from '../server.ts'

const MAX_LISTED = 200

export function noticeRoutes(app: FastifyInstance, server: Server): void {
  const visibleTo = async (scope: Scope, notices: readonly Notice[]) => {
    const visible = await visibleDocuments(
      server,
      scope,
      notices.flatMap(({ subject }) => subject ?? []),
    )
    return notices.filter(({ subject }) => subject === null || visible(subject))
  }

  const list: Handler = async (request) => {
    const { scope } = await requireTeam(server, request)
    const data = await visibleTo(scope, await listNotices(server.store, MAX_LISTED))
    return { data, meta: { total: data.length } }
  }

  const dismiss: Handler = async (request, reply) => {
    const { scope } = await requireTeam(server, request)
    const id = Number(pathParam(request, 'id'))
    const notice = Number.isSafeInteger(id) ? await readNotice(server.store, id) : null
    if (!notice || (await visibleTo(scope, [notice])).length === 0) throw errors.notFound()
    await deleteNotice(server.store, id)
    return reply.code(204).send()
  }

  declareRoute(app, '/notices', { GET: list })
  declareRoute(app, '/notices/:id', { DELETE: dismiss })
}
