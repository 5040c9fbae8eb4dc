/** Routes to list background jobs, to run one now, and to cancel one. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { cancelJob } from '../../../documents/schedules/cancel-job.ts'
import { errors } from '../../../errors.ts'
import { countJobs, JOB_STATES, listJobs, retryNow } from '../../../jobs/list.ts'
import { nearest } from '../../../project/suggest.ts'
import { declareRoute, type Handler, pathParam } from '../../method-routes.ts'
import { actorOf } from '../../request/actor.ts'
import { rawQueryOf } from '../../request/query-string.ts'
import type { Server } from '../../server.ts'

const KEYS = ['state', 'limit']
const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1_000

export function jobRoutes(app: FastifyInstance, server: Server): void {
  const { access, store } = server

  const list: Handler = async (request) => {
    const params = server.parseQuery(rawQueryOf(request))
    const unknown = Object.keys(params).find((key) => !KEYS.includes(key))
    if (unknown !== undefined)
      throw errors.invalidKey({ key: unknown, path: null, source: 'query', meant: nearest(unknown, KEYS) })
    const state = JOB_STATES.find((one) => one === params.state)
    if (params.state !== undefined && !state)
      throw errors.invalidParameter('state', null, `expected one of ${JOB_STATES.join(', ')}`)
    const { limit = String(DEFAULT_LIMIT) } = params
    if (typeof limit !== 'string' || !/^\d{1,9}$/.test(limit) || Number(limit) === 0)
      throw errors.invalidParameter('limit', null, 'expected a positive integer')
    const data = await listJobs(store, Math.min(Number(limit), MAX_LIMIT), state)
    return { data, meta: { counts: await countJobs(store) } }
  }

  const changeJob =
    (change: typeof retryNow, action: string): Handler =>
    async (request, reply) => {
      const id = idIn(request)
      if (!(await change(store, id))) throw errors.notFound()
      await access.audit.add(await actorOf(server, request), { action, details: { id } })
      return reply.code(204).send()
    }

  declareRoute(app, '/jobs', { GET: list })
  declareRoute(app, '/jobs/:id', { DELETE: changeJob(cancelJob, 'job.cancel') })
  declareRoute(app, '/jobs/:id/retry', { POST: changeJob(retryNow, 'job.retry') })
}

function idIn(request: FastifyRequest): number {
  const id = pathParam(request, 'id')
  if (!/^\d{1,15}$/.test(id)) throw errors.notFound()
  return Number(id)
}
