/** `explain=true` on a read of content: instead of the data, how it would be read. For admins alone, since it shows SQL. */
import { isAdmin } from '../access/access.ts'
import { errors } from '../errors.ts'
import type { ContentType } from '../model/model.ts'
import { parseParams } from '../query/params.ts'
import type { Wanted } from '../query/parse.ts'
import type { Scope } from '../query/scope.ts'
import { booleanWord } from '../query/words.ts'
import type { Outcome } from './outcome.ts'
import type { Server } from './server.ts'

/** Whether it is worth asking `asksToExplain`: nearly never. */
export const mayAskToExplain = (rawQuery: string): boolean => rawQuery.includes('explain=')

/** Whether a request asks for an explanation; whoever is no admin is refused. */
export async function asksToExplain(
  { access, project }: Server,
  rawQuery: string,
  authorization: string | undefined,
): Promise<boolean> {
  const { explain } = parseParams(rawQuery, project.config.api.rest.bounds)
  const word = booleanWord(explain)
  if (explain === undefined || word === false) return false
  const caller = await access.callerOf(authorization)
  if (!caller || !isAdmin(caller)) throw errors.forbidden()
  if (word === null) throw errors.invalidParameter('explain', null, 'expected true or false')
  return true
}

/** How a read would be made; it is checked like any, and nothing is read. */
export async function explanation(
  server: Server,
  type: ContentType,
  documentId: string | null,
  rawQuery: string,
  scope: Scope,
): Promise<Outcome> {
  const wanted: Wanted =
    documentId !== null
      ? { kind: 'document', id: documentId }
      : { kind: type.kind === 'single' ? 'single' : 'list' }
  const data = await server.reads().explain(type, wanted, rawQuery, scope)
  return { status: 200, headers: { 'cache-control': 'no-store' }, body: JSON.stringify({ data, meta: {} }) }
}
