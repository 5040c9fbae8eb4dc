/**
 * `/content`: the content API for the person who is signed in to the admin app. The operations are those of `/api`; the
 * scope of a session adds to each document what an editor needs. Drafts are shown and written unless `status` says otherwise.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contentPathsBelow, segmentsOf } from '../../content/paths.ts'
import type { ContentRequest, ContentResponder } from '../../content/respond.ts'
import { METHODS, type Params } from '../../content/routes.ts'
import { clientOf } from '../../request/client.ts'
import { rawQueryOf } from '../../request/query-string.ts'
import { sendReply } from '../../response/send.ts'

export function adminContentRoutes(app: FastifyInstance, responder: ContentResponder): void {
  const handler = async (request: FastifyRequest<{ Params: Params }>, reply: FastifyReply) => {
    return sendReply(reply, await responder.responseTo(contentRequestOf(request)))
  }
  for (const url of contentPathsBelow('/content'))
    app.route<{ Params: Params }>({ method: METHODS, url, handler })
}

function contentRequestOf(request: FastifyRequest<{ Params: Params }>): ContentRequest {
  const { id: requestId, method, headers, body, params, routeOptions } = request
  const rawQuery = withDefaultStatus(rawQueryOf(request))
  const path = segmentsOf(routeOptions.url ?? '', params)
  return { requestId, method, path, rawQuery, headers, body, client: clientOf(request) }
}

function withDefaultStatus(rawQuery: string): string {
  if (/(?:^|&)status=/.test(rawQuery)) return rawQuery
  return rawQuery === '' ? 'status=draft' : `${rawQuery}&status=draft`
}
