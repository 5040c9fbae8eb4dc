/** `explain=true` on a read: explains how the content would be read. Only for admins, because it shows SQL. */
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

/** Explains how a GET reads, when the request asks for it; null otherwise. */
export type Explain = (request: FastifyRequest) => Promise<ContentResponse | null>

/** A read of the document with `id`; without one, of a list or of the document of a single type. */
export interface ReadRequest {
  readonly type: ContentType
  readonly id?: string
  readonly query: ParamObject
  readonly scope: Scope
  /** The scope that a role reads with, given its permissions; null when it may not read. */
  readonly forRole?: (role: string, scope: Scope) => Scope | null
}

export interface DocumentReadRequest extends ReadRequest {
  readonly id: string
}

/** A cheap check that rules out nearly all requests. %6 and %7 start the encodings of lower-case letters. */
export const mayRequestExplain = (rawQuery: string): boolean =>
  rawQuery.includes('explain') || /%[67]/.test(rawQuery)

/** Whether a request asks for an explanation. Callers who are not admins are refused. */
export async function isExplainRequested(
  { access, parseQuery }: Server,
  rawQuery: string,
  authorization: string | undefined,
): Promise<boolean> {
  const { explain } = parseQuery(rawQuery)
  const value = parseBoolean(explain)
  if (explain === undefined || value === false) return false
  const caller = await access.callerOf(authorization)
  if (!caller || !isAdmin(caller)) throw errors.forbidden()
  if (value === null) throw errors.invalidParameter('explain', null, 'expected true or false')
  return true
}

/** Explains the reads of a route; `readRequest` checks the request as the route itself does. */
export const explainer =
  (server: Server) =>
  (readRequest: (request: FastifyRequest, server: Server) => Promise<ReadRequest>): Explain =>
    customExplainer(server, async (request) => explainRead(server, await readRequest(request, server)))

/** For routes that explain their reads themselves. */
export const customExplainer =
  (server: Server, explain: (request: FastifyRequest, server: Server) => Promise<ReadExplanation>): Explain =>
  async (request) => {
    const isRequested = await isExplainRequested(server, queryOf(request), request.headers.authorization)
    return isRequested ? responseOf(await explain(request, server)) : null
  }

/** For routes that read no content. */
export const refuseExplain: Explain = async (request) => {
  const params = [...new URLSearchParams(queryOf(request))]
  const sent = params.find(([name]) => name === 'explain' || name.startsWith('explain['))
  if (!sent || (sent[0] === 'explain' && parseBoolean(sent[1]) === false)) return null
  throw errors.invalidParameter('explain', null, 'this path reads no content')
}

const queryOf = ({ url }: FastifyRequest) => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')

/** Explains a read of a generated route. It is checked like any read, but not made. */
export const explainResponse = async (server: Server, request: ReadRequest): Promise<ContentResponse> =>
  responseOf(await explainRead(server, request))

export const readTargetOf = ({ type, id }: ReadRequest): ReadTarget =>
  id === undefined ? { kind: type.kind === 'single' ? 'single' : 'list' } : { kind: 'document', id }

export interface ReadExplanation extends Explanation {
  readonly roles: Readonly<Record<string, RoleView>>
}

/** What a role gets for the same read. */
interface RoleView {
  readonly status: number
  /** Paths that are left out for lack of permission. */
  readonly omitted: readonly string[]
}

const responseOf = (data: ReadExplanation): ContentResponse => ({
  status: 200,
  headers: { 'cache-control': 'no-store' },
  body: JSON.stringify({ data, meta: {} }),
})

async function explainRead(server: Server, request: ReadRequest): Promise<ReadExplanation> {
  const { type, query, scope } = request
  const target = readTargetOf(request)
  const action = target.kind === 'document' ? 'findOne' : 'find'
  const explained = await server.reads().explain(type, target, query, scope)
  const roles = await roleViews(server, (role, allowed) => {
    const scoped = request.forRole ? request.forRole(role, allowed) : allowed
    if (!scoped?.may(type.uid, action)) throw errors.forbidden()
    return server.reads().queryAccess(type, target, query, scoped).omitted
  })
  return { ...explained, roles }
}

/** Stands for any user: the user decides which documents a row rule shows, not what may be requested. */
const ANY_USER = { id: 0, documentId: 'anybody', username: 'anybody', email: 'anybody' }

/** What each role gets. `omitted` returns the paths that are left out for a role, or throws the error it gets. */
export async function roleViews(
  { access: { roles } }: Server,
  omitted: (role: string, scope: Scope) => readonly string[],
): Promise<ReadExplanation['roles']> {
  const permissions = await roles.all()
  const views = (await roles.types()).map((role): [string, RoleView] => {
    const user = role === 'public' ? null : { ...ANY_USER, role }
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
