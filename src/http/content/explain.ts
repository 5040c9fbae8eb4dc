/** `explain=true` on a read of content: instead of the data, how it would be read. For admins alone, since it shows SQL. */
import type { FastifyRequest } from 'fastify'
import { isAdmin } from '../../access/credentials/callers.ts'
import { scopeOfPermissions } from '../../access/roles/permissions.ts'
import { ApiError, errors } from '../../errors.ts'
import type { ContentType } from '../../model/model.ts'
import type { ParamObject } from '../../query/params.ts'
import { parseBoolean } from '../../query/parse-boolean.ts'
import type { ReadTarget } from '../../query/parse-query.ts'
import type { Scope } from '../../query/scope.ts'
import type { Explanation } from '../../reads/explain.ts'
import type { ContentResponse } from '../response/content-response.ts'
import type { Server } from '../server.ts'

/** How a GET reads what it answers with, when a request asks for that; null when it does not. */
export type Explain = (request: FastifyRequest) => Promise<ContentResponse | null>

/** A read of a list or of the document of a single type; with an id, of that document. */
export interface ReadRequest {
  readonly type: ContentType
  readonly id?: string
  readonly query: ParamObject
  readonly scope: Scope
  /** What somebody of a role reads with, made from what the role allows; null where they may not. */
  readonly forRole?: (role: string, scope: Scope) => Scope | null
}

/** A read of one document. */
export interface DocumentReadRequest extends ReadRequest {
  readonly id: string
}

/**
 * Whether it is worth asking `asksToExplain`: nearly never. Nobody needs to encode small letters, which are all that
 * begins with %6 or %7 but for a few signs; whoever does may have encoded the name.
 */
export const mayRequestExplain = (rawQuery: string): boolean =>
  rawQuery.includes('explain') || /%[67]/.test(rawQuery)

/** Whether a request asks for an explanation; whoever is no admin is refused. */
export async function isExplainRequested(
  { access, parseQuery }: Server,
  rawQuery: string,
  authorization: string | undefined,
): Promise<boolean> {
  const { explain } = parseQuery(rawQuery)
  const word = parseBoolean(explain)
  if (explain === undefined || word === false) return false
  const caller = await access.callerOf(authorization)
  if (!caller || !isAdmin(caller)) throw errors.forbidden()
  if (word === null) throw errors.invalidParameter('explain', null, 'expected true or false')
  return true
}

/** Explains the reads of routes: `asked` checks the request as the route itself does, and says what it reads. */
export const explainer =
  (server: Server) =>
  (asked: (request: FastifyRequest, server: Server) => Promise<ReadRequest>): Explain =>
    explainerOf(server, async (request) => explainRead(server, await asked(request, server)))

/** Explains what a route reads in a way of its own. */
export const explainerOf =
  (server: Server, tell: (request: FastifyRequest, server: Server) => Promise<ReadExplanation>): Explain =>
  async (request) => {
    const isAsked = await isExplainRequested(server, queryOf(request), request.headers.authorization)
    return isAsked ? outcomeOf(await tell(request, server)) : null
  }

/** Where no content is read, that is what everybody is told, whoever they are. */
export const refuseExplain: Explain = async (request) => {
  const params = [...new URLSearchParams(queryOf(request))]
  const asked = params.find(([name]) => name === 'explain' || name.startsWith('explain['))
  if (!asked || (asked[0] === 'explain' && parseBoolean(asked[1]) === false)) return null
  throw errors.invalidParameter('explain', null, 'this path makes no read of content that could be explained')
}

const queryOf = ({ url }: FastifyRequest) => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')

/** How a read of a generated endpoint would be made; it is checked like any, and nothing is read. */
export const explainResponse = async (server: Server, asked: ReadRequest): Promise<ContentResponse> =>
  outcomeOf(await explainRead(server, asked))

/** What a read is of. */
export const readTargetOf = ({ type, id }: ReadRequest): ReadTarget =>
  id === undefined ? { kind: type.kind === 'single' ? 'single' : 'list' } : { kind: 'document', id }

/** What is told of a read. */
export interface ReadExplanation extends Explanation {
  readonly roles: Readonly<Record<string, RoleView>>
}

/** What somebody of a role gets for the same read. */
interface RoleView {
  readonly status: number
  /** What is left out because they may not see it. */
  readonly omitted: readonly string[]
}

const outcomeOf = (data: ReadExplanation): ContentResponse => ({
  status: 200,
  headers: { 'cache-control': 'no-store' },
  body: JSON.stringify({ data, meta: {} }),
})

async function explainRead(server: Server, asked: ReadRequest): Promise<ReadExplanation> {
  const { type, query, scope } = asked
  const wanted = readTargetOf(asked)
  const action = wanted.kind === 'document' ? 'findOne' : 'find'
  const explained = await server.reads().explain(type, wanted, query, scope)
  const roles = await forRoles(server, (role, allowed) => {
    const theirs = asked.forRole ? asked.forRole(role, allowed) : allowed
    if (!theirs?.may(type.uid, action)) throw errors.forbidden()
    return server.reads().queryAccess(type, wanted, query, theirs).omitted
  })
  return { ...explained, roles }
}

/** Anybody: who it is decides which documents a rule shows, not what may be asked for. */
const ANYBODY = { id: 0, documentId: 'anybody', username: 'anybody', email: 'anybody' }

/** What somebody of each role gets, when `omitted` says what is left out for them, or throws what they are answered. */
export async function forRoles(
  { access: { roles } }: Server,
  omitted: (role: string, scope: Scope) => readonly string[],
): Promise<ReadExplanation['roles']> {
  const permissions = await roles.all()
  const views = (await roles.types()).map((role): [string, RoleView] => {
    const user = role === 'public' ? null : { ...ANYBODY, role }
    const scope = scopeOfPermissions(permissions.get(role) ?? {}, { kind: 'public' }, user)
    return [role, viewOf(() => omitted(role, scope))]
  })
  return Object.fromEntries(views.sort(([one], [other]) => (one < other ? -1 : 1)))
}

function viewOf(omitted: () => readonly string[]): RoleView {
  try {
    return { status: 200, omitted: omitted() }
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, omitted: [] }
    throw error
  }
}
