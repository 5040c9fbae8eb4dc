/** The route that lists the indexes that would help and those that exist. */
import type { FastifyInstance } from 'fastify'
import type { Learner } from '../../../reads/indexes/learner.ts'
import { reportIndexes } from '../../../reads/indexes/report.ts'
import { declareRoute } from '../../method-routes.ts'
import type { Server } from '../../server.ts'

/** The reads of this process are included up to the last; those of others up to a minute ago. */
export function indexRoutes(app: FastifyInstance, server: Server, learner: Learner): void {
  declareRoute(app, '/indexes', {
    GET: async () => {
      await learner.learn()
      const { suggested, existing } = await reportIndexes(server.store, server.layout().model)
      return { data: { suggested, existing }, meta: { autoIndex: server.project.config.database.autoIndex } }
    },
  })
}
