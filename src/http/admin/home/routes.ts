/** `GET /home`: what a person sees first. Its cost depends on recent changes, not on how much content there is. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { authorText } from '../../../documents/changes/author-text.ts'
import { ApiError } from '../../../errors.ts'
import { segmentOf } from '../../../model/naming.ts'
import type { ContentResponder } from '../../content/respond.ts'
import { declareRoute } from '../../method-routes.ts'
import type { Server } from '../../server.ts'
import { pageIn, performFor } from '../content/operations.ts'
import { teamCaller } from '../session/caller.ts'
import { readPlanned } from './planned.ts'
import { keyOf, recentChanges, recentChangesBy } from './recent-changes.ts'
import { type HomeCall, readRecentDocuments } from './recent-documents.ts'

/** Per list. */
const SHOWN = 6

/** Changes of which some may be of documents that the person may not find, or that no longer exist. */
const CONSIDERED = 60

/** A project with fewer documents is shown how to begin. */
const FEW = 3

export function homeRoutes(app: FastifyInstance, server: Server, responder: ContentResponder): void {
  const callOf = async (request: FastifyRequest): Promise<HomeCall> => {
    const caller = await teamCaller(server, request)
    return { server, responder, request, caller, scope: caller.scope }
  }

  declareRoute(app, '/home', {
    GET: async (request) => {
      const call = await callOf(request)
      const { scope } = call
      const me = authorText(scope.principal)
      const mine = (await recentChangesBy(server, me)).slice(0, CONSIDERED)
      const byOthers = (await recentChanges(server))
        .filter(({ author }) => author !== me)
        .slice(0, CONSIDERED)
      const own = await readRecentDocuments(call, mine)
      const others = await readRecentDocuments(call, byOthers)
      const ownKeys = new Set(own.map(keyOf))
      const waiting = [...own, ...others.filter((document) => !ownKeys.has(keyOf(document)))]
        .filter(
          (document) =>
            (document.status === 'draft' || document.status === 'modified') &&
            (ownKeys.has(keyOf(document)) || scope.may(document.type, 'publish')),
        )
        .toSorted((one, other) => other.at.localeCompare(one.at))
      return {
        data: {
          mine: own.slice(0, SHOWN),
          waiting: waiting.slice(0, SHOWN),
          planned: await readPlanned(server, scope, SHOWN),
          others: others.slice(0, SHOWN),
          isNew: await hasFewDocuments(call),
        },
      }
    },
  })
}

/** Reads at most a few documents of each content-type, and stops as soon as there are enough. */
async function hasFewDocuments(call: HomeCall): Promise<boolean> {
  const types = [...call.server.layout().model.endpoints.values()].filter(
    ({ kind, uid }) => kind === 'collection' && call.scope.may(uid, 'find'),
  )
  let count = 0
  for (const type of types) {
    const query = {
      ...{ status: 'draft', fields: 'documentId' },
      pagination: { pageSize: String(FEW), withCount: 'false' },
    }
    try {
      const page = await performFor({ ...call, type, name: segmentOf(type) }, { method: 'GET', query })
      count += pageIn(page).documents.length
    } catch (error) {
      // A policy of the project may refuse the person.
      if (!(error instanceof ApiError) || error.status >= 500) throw error
    }
    if (count >= FEW) return false
  }
  return true
}
