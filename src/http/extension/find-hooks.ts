/** Runs a project's hooks around reads: `before` may replace the query, `after` the data. */
import { type ParamObject, paramsOf } from '../../query/params.ts'
import { parseQueryString } from '../request/query-string.ts'
import type { Server } from '../server.ts'
import type { FindEvent } from './hooks-and-policies.ts'

type HookedServer = Pick<Server, 'extension' | 'project' | 'parseQuery'>

/** The query that the `before` hook returns, or the one that was sent. */
export async function queryAfterHook(
  server: HookedServer,
  event: FindEvent,
  rawQuery: string,
): Promise<ParamObject> {
  const before = server.extension.find?.[event.type]?.before
  if (!before) return server.parseQuery(rawQuery)
  // Parsed anew, because the hook may modify it.
  const params = parseQueryString(rawQuery, server.project.config.api.rest.bounds)
  const replaced = await before({ ...event, params })
  return replaced === undefined ? server.parseQuery(rawQuery) : paramsOf({ ...replaced })
}

/**
 * The filters that the `before` hook adds to a read, whatever filters were sent. For requests that name a document without
 * returning it as it is.
 */
export async function filtersOfHook(
  server: HookedServer,
  event: FindEvent,
  rawQuery: string,
): Promise<ParamObject> {
  const before = server.extension.find?.[event.type]?.before
  if (!before) return {}
  const { filters: _sent, ...params } = parseQueryString(rawQuery, server.project.config.api.rest.bounds)
  const replaced = await before({ ...event, params })
  const { filters } = replaced === undefined ? {} : paramsOf({ ...replaced })
  return filters === undefined ? {} : { filters }
}

/** The data that the `after` hook returns, or the data that was read. */
export async function dataAfterHook(server: HookedServer, event: FindEvent, data: string): Promise<string> {
  const after = server.extension.find?.[event.type]?.after
  if (!after) return data
  const changed = await after({ ...event, data: JSON.parse(data) })
  return changed === undefined ? data : JSON.stringify(changed)
}
