/** A project's own code around reads: what is asked for may be changed before it is read, and the answer after. */
import { parseParams, rawQueryOfParams } from '../../query/params.ts'
import type { Server } from '../server.ts'
import type { FindEvent } from './extension.ts'

type Serving = Pick<Server, 'extension' | 'project'>

/** The query that is read with: what a hook made of the parameters, or the one that was sent. */
export async function queryBefore(server: Serving, event: FindEvent, rawQuery: string): Promise<string> {
  const before = server.extension.find?.[event.type]?.before
  if (!before) return rawQuery
  const params = await before({
    ...event,
    params: parseParams(rawQuery, server.project.config.api.rest.bounds),
  })
  return params ? rawQueryOfParams(params) : rawQuery
}

/** The data that is sent: what a hook made of it, or what was read. */
export async function dataAfter(server: Serving, event: FindEvent, data: string): Promise<string> {
  const after = server.extension.find?.[event.type]?.after
  if (!after) return data
  const changed = await after({ ...event, data: JSON.parse(data) })
  return changed === undefined ? data : JSON.stringify(changed)
}
