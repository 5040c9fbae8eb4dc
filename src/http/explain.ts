/** `explain=true` on a read of content: instead of the data, how it would be read. For admins alone, since it shows SQL. */
import { isAdmin } from '../access/callers.ts'
import { scopeOfPermissions } from '../access/grants.ts'
import { ApiError, errors } from '../errors.ts'
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
  const told = await server.reads().explain(type, wanted, rawQuery, scope)
  const data = { ...told, roles: await forRoles(server, type, wanted, rawQuery) }
  return { status: 200, headers: { 'cache-control': 'no-store' }, body: JSON.stringify({ data, meta: {} }) }
}

/** What somebody of a role gets for the same read. */
interface RoleView {
  readonly status: number
  /** What is left out because they may not see it. */
  readonly omitted: readonly string[]
}

/** Anybody: who it is decides which documents a rule shows, not what may be asked for. */
const ANYBODY = { id: 0, documentId: '', username: '', email: '' }

async function forRoles(
  server: Server,
  type: ContentType,
  wanted: Wanted,
  rawQuery: string,
): Promise<Readonly<Record<string, RoleView>>> {
  const { roles } = server.access
  const permissions = await roles.all()
  const views = (await roles.types()).map((role): [string, RoleView] => {
    const user = role === 'public' ? null : { ...ANYBODY, role }
    const scope = scopeOfPermissions(permissions.get(role) ?? {}, { kind: 'public' }, user)
    return [role, viewOf(server, type, wanted, rawQuery, scope)]
  })
  return Object.fromEntries(views.sort(([one], [other]) => (one < other ? -1 : 1)))
}

function viewOf(server: Server, type: ContentType, wanted: Wanted, rawQuery: string, scope: Scope): RoleView {
  if (!scope.may(type.uid, wanted.kind === 'document' ? 'findOne' : 'find'))
    return { status: 403, omitted: [] }
  try {
    return { status: 200, omitted: server.reads().omitted(type, wanted, rawQuery, scope) }
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, omitted: [] }
    throw error
  }
}
