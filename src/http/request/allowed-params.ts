/** The query parameters of routes that know only a few. */

import type { FastifyRequest } from 'fastify'
import { type ParamObject, refuseUnknownParams } from '../../query/params.ts'
import type { Server } from '../server.ts'
import { parseQueryString, rawQueryOf } from './query-string.ts'

/** The parameters of a request. With `api.rest.strictParams` others than the known ones are refused. */
export function allowedParams(
  known: readonly string[],
  { server, request }: { readonly server: Pick<Server, 'project'>; readonly request: FastifyRequest },
): ParamObject {
  const { bounds, strictParams } = server.project.config.api.rest
  const params = parseQueryString(rawQueryOf(request), bounds)
  if (strictParams) refuseUnknownParams(params, known)
  return params
}
