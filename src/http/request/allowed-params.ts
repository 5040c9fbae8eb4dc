/** The query parameters of endpoints that have few of their own. */

import type { FastifyRequest } from 'fastify'
import { type ParamObject, refuseUnknownParams } from '../../query/params.ts'
import type { Server } from '../server.ts'
import { parseQueryString, rawQueryOf } from './query-string.ts'

/** The parameters of a request; where the configuration is strict, others than those that are known are refused. */
export function paramsAmong(
  known: readonly string[],
  { server, request }: { readonly server: Pick<Server, 'project'>; readonly request: FastifyRequest },
): ParamObject {
  const { bounds, strictParams } = server.project.config.api.rest
  const params = parseQueryString(rawQueryOf(request), bounds)
  if (strictParams) refuseUnknownParams(params, known)
  return params
}
