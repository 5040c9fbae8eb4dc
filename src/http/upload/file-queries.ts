/** What the upload interface reads of files and folders, whether it is to be answered with or explained. */
import type { FastifyRequest } from 'fastify'
import { errors } from '../../errors.ts'
import { folderPath } from '../../media/files/names.ts'
import { filesOf } from '../../media/files/records.ts'
import { foldersStatement } from '../../media/folders.ts'
import { FILE } from '../../model/model.ts'
import { refuseCursor } from '../../query/pagination.ts'
import { type ParamObject, parseParams } from '../../query/params.ts'
import type { Scope } from '../../query/scope.ts'
import { documentIdIn, permitted } from '../auth/permitted.ts'
import { type Asked, type AskedDocument, forRoles, type Told } from '../content/explain.ts'
import { asSeen } from '../content/visible-types.ts'
import type { FindEvent } from '../extension/extension.ts'
import { queryBefore } from '../extension/find-hooks.ts'
import { parameter } from '../method-routes.ts'
import { paramsAmong } from '../request/allowed-params.ts'
import { rawQueryOf } from '../request/raw-query.ts'
import type { Server } from '../server.ts'

/** What `GET /api/upload/files` reads: with the parameters of any list; `start` and `limit` may also stand alone. */
export async function filesAsked(request: FastifyRequest, server: Server): Promise<Asked> {
  const { authorization } = request.headers
  const scope = await permitted({ server, authorization }, FILE, 'find')
  const { maxLimit, bounds } = server.project.config.api.rest
  const rawQuery = await queryBefore(server, fileEvent(scope), rawQueryOf(request))
  const params = parseParams(rawQuery, bounds)
  refuseCursor(params)
  const { start, limit, folder, pagination } = params
  const own = withoutParams(rawQuery, ['start', 'limit', 'folder'])
  const paged =
    pagination === undefined
      ? [own, ...pageParam('start', start ?? '0'), ...pageParam('limit', limit ?? String(maxLimit))]
      : [own]
  return asSeen(server, {
    type: filesOf(server.layout()),
    rawQuery: paged.filter((part) => part !== '').join('&'),
    scope: inFolder(scope, folder),
    forRole: (_role: string, theirs: Scope) => inFolder(theirs, folder),
  })
}

/** What `GET /api/upload/files/:id` reads: all fields, as clients know it; those they ask for are only checked. */
export async function fileAsked(request: FastifyRequest, server: Server): Promise<AskedDocument> {
  const { authorization } = request.headers
  const id = await documentIdIn(server, FILE, parameter(request, 'id'))
  const scope = await permitted({ server, authorization }, FILE, 'findOne', id)
  const type = filesOf(server.layout())
  const asked = await queryBefore(server, fileEvent(scope, id), rawQueryOf(request))
  const rawQuery = withoutParams(asked, ['fields'])
  if (rawQuery !== asked) server.reads().outlook(type, { kind: 'document', id }, asked, scope)
  return asSeen(server, { type, id, rawQuery, scope })
}

/** What hooks around reads are told: of a list, or of one file. */
export const fileEvent = (scope: Scope, documentId: string | null = null): FindEvent => ({
  type: FILE,
  action: documentId === null ? 'find' : 'findOne',
  documentId,
  scope,
})

/** The parameters of `GET /api/upload/folders`. */
export const FOLDER_PARAMS = ['explain']

/** How it reads. */
export async function explainFolders(request: FastifyRequest, server: Server): Promise<Told> {
  const { authorization } = request.headers
  const caller = await permitted({ server, authorization }, FILE, 'find')
  paramsAmong(FOLDER_PARAMS, { server, request })
  const layout = server.layout()
  const read = (scope: Scope) => foldersStatement(server.store, layout, scope, server.project.config.api.rest)
  const { explain } = await import('../../reads/explain.ts')
  const explained = await explain(server.store, layout, null, read(caller))
  const roles = await forRoles(server, (_role, scope) => {
    if (!scope.may(FILE, 'find')) throw errors.forbidden()
    read(scope)
    return []
  })
  return { ...explained, roles }
}

const pageParam = (name: string, value: ParamObject[string]) => [
  `pagination[${name}]=${encodeURIComponent(typeof value === 'string' ? value : 'NaN')}`,
]

/** The query string without some of its parameters. */
function withoutParams(rawQuery: string, names: readonly string[]): string {
  return rawQuery
    .split('&')
    .filter((part) => !names.includes(decodeName(part)))
    .join('&')
}

function decodeName(part: string): string {
  try {
    return decodeURIComponent(part).split(/[[=]/, 1)[0] ?? ''
  } catch {
    return ''
  }
}

/** The same caller, looking into one folder. Folders are private to the library, so no filter of a caller sees them. */
function inFolder(scope: Scope, folder: ParamObject[string] | undefined): Scope {
  if (folder === undefined) return scope
  if (typeof folder !== 'string') throw errors.invalidParameter('folder', null, 'must be one path')
  const inside = folderPath(folder)
  return {
    key: `${scope.key} in ${inside}`,
    principal: scope.principal,
    may: (type, action) => scope.may(type, action),
    rule(type, action) {
      const rule = scope.rule(type, action)
      if (type !== FILE) return rule
      const there = { folderPath: { $eq: inside } }
      return { ...rule, filters: rule?.filters ? { $and: [rule.filters, there] } : there }
    },
  }
}
