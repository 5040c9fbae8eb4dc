/** Routes of the admin API to list and cancel schedules. People see those of documents that they may find. */
import type { FastifyInstance } from 'fastify'
import { findChangeable } from '../../documents/schedules/changeable-version.ts'
import {
  cancelSchedule,
  listSchedules,
  readSchedule,
  type Schedule,
} from '../../documents/schedules/schedules.ts'
import { errors } from '../../errors.ts'
import { checkMayChangePublication } from '../auth/permitted.ts'
import { requireTeam } from '../auth/team.ts'
import { rowRulesOf } from '../content/row-rules.ts'
import { declareRoute, type Handler, pathParam } from '../method-routes.ts'
import { originOf } from '../request/origin.ts'
import { rawQueryOf } from '../request/query-string.ts'
import type { Server } from '../server.ts'
import { authorJson } from './author-json.ts'
import { textIn } from './query.ts'
import { parsePeriod } from './times.ts'
import { visibleDocuments } from './visible-documents.ts'

/** A calendar shows a month; more than this are listed in parts. */
const MAX_LISTED = 1_000

export function scheduleRoutes(app: FastifyInstance, server: Server): void {
  const list: Handler = async (request) => {
    const { scope } = await requireTeam(server, request)
    const query = server.parseQuery(rawQueryOf(request))
    const filter = {
      ...parsePeriod(query),
      type: textIn(query, 'type'),
      documentId: textIn(query, 'documentId'),
    }
    const found = await listSchedules(server.store, filter, MAX_LISTED)
    const visible = await visibleDocuments(server, scope, found)
    const data = found.flatMap((schedule) => {
      const document = visible(schedule)
      return document ? [{ ...scheduleJson(schedule), title: document.title }] : []
    })
    return { data, meta: { total: data.length } }
  }

  const cancel: Handler = async (request, reply) => {
    const { scope } = await requireTeam(server, request)
    const id = Number(pathParam(request, 'id'))
    const schedule = Number.isSafeInteger(id) ? await readSchedule(server.store, id) : null
    const type = schedule && server.layout().model.types.get(schedule.type)
    if (!schedule) throw errors.notFound()
    const { action, documentId, locale } = schedule
    if (type) await checkMayChangePublication(server, scope, type.uid, action, documentId)
    await server.store.write(async (transaction) => {
      const caller = { transaction, request: { scope, rules: rowRulesOf(server, scope) } }
      if (type) await findChangeable(caller, server.layout(), type, documentId, locale, [action])
      if (!(await cancelSchedule(transaction, id))) throw errors.notFound()
      const actor = { by: scope.principal, origin: originOf(request) }
      const details = { [action === 'publish' ? 'publishAt' : 'unpublishAt']: null }
      const entry = { action: 'document.schedule', type: schedule.type, documentId, locale, details }
      server.access.audit.record(transaction, actor, entry)
    })
    return reply.code(204).send()
  }

  declareRoute(app, '/schedules', { GET: list })
  declareRoute(app, '/schedules/:id', { DELETE: cancel })
}

const scheduleJson = ({ id, type, documentId, locale, action, runAt, author }: Schedule) => ({
  ...{ id, type, documentId },
  locale: locale === '' ? null : locale,
  ...{ action, runAt },
  by: authorJson(author),
})
