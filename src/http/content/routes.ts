/** The generated routes in Fastify, for content requests that do not take the fast path. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FEED_NAME, type FeedRoute } from '../events/route.ts'
import { clientOf } from '../request/client.ts'
import { rawQueryOf } from '../request/query-string.ts'
import { sendReply } from '../response/send.ts'
import { CONTENT_PATHS, segmentsOf } from './paths.ts'
import type { ContentRequest, ContentResponder } from './respond.ts'

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

export type Params = { readonly name: string } & Readonly<Record<string, string | undefined>>

/** Adds the routes. While `isHooked`, Fastify sends the responses, so that hooks of others see them and can change them. */
export function contentRoutes(
  app: FastifyInstance,
  { respond, responseTo }: ContentResponder,
  isHooked: () => boolean,
  feed: FeedRoute | null,
): void {
  const handler = async (request: FastifyRequest<{ Params: Params }>, reply: FastifyReply) => {
    if (feed && isFeedRequest(request, feed)) return feed.respond(request, reply)
    const content = contentRequestOf(request)
    if (isHooked()) return sendReply(reply, await responseTo(content))
    reply.hijack()
    respond(content, reply.raw)
    return reply
  }
  for (const url of CONTENT_PATHS) app.route<{ Params: Params }>({ method: METHODS, url, handler })
}

const isFeedRequest = ({ method, params, headers }: FastifyRequest<{ Params: Params }>, feed: FeedRoute) =>
  params.name === FEED_NAME && params.id === undefined && feed.accepts(method, headers)

function contentRequestOf(request: FastifyRequest<{ Params: Params }>): ContentRequest {
  const { id: requestId, method, headers, body, params, routeOptions } = request
  return {
    requestId,
    method,
    path: segmentsOf(routeOptions.url ?? '', params),
    rawQuery: rawQueryOf(request),
    headers,
    body,
    client: clientOf(request),
  }
}
