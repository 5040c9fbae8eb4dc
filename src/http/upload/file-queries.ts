/** Turns requests for files and folders into reads, to run or to explain. */
import type { FastifyRequest } from 'fastify'
import { errors } from '../../errors.ts'
import { parseFolderPath } from '../../media/files/names.ts'
import { canReadFolders } from '../../media/files/permissions.ts'
import { fileType } from '../../media/files/records.ts'
import { FILE } from '../../model/model.ts'
import { refuseCursor } from '../../query/pagination.ts'
import type { ParamObject } from '../../query/params.ts'
import type { Scope } from '../../query/scope.ts'
import { permittedScope, resolveDocumentId } from '../auth/permitted.ts'
import type { DocumentReadRequest, ReadRequest } from '../content/explain.ts'
import { narrowReadScope } from '../content/visible-types.ts'
import { queryAfterHook } from '../extension/find-hooks.ts'
import type { FindEvent } from '../extension/hooks-and-policies.ts'
import { pathParam } from '../method-routes.ts'
import { rawQueryOf } from '../request/query-string.ts'
import type { Server } from '../server.ts'

/** `GET /api/upload/files`: the parameters of any list, and `start` and `limit` at the top level. */
export async function parseFileList(request: FastifyRequest, server: Server): Promise<ReadRequest> {
  const { maxLimit } = server.project.config.api.rest
  return parseFiles(request, server, ({ start = '0', limit = String(maxLimit), ...query }) => {
    refuseCursor(query)
    return query.pagination === undefined ? { ...query, pagination: { start, limit } } : query
  })
}

/** `GET /api/upload/files/page`: the parameters of any list, including a cursor. */
export const parseFilePage = (request: FastifyRequest, server: Server): Promise<ReadRequest> =>
  parseFiles(request, server, (query) => query)

async function parseFiles(
  request: FastifyRequest,
  server: Server,
  paged: (query: ParamObject) => ParamObject,
): Promise<ReadRequest> {
  const { authorization } = request.headers
  const scope = await permittedScope({ server, authorization }, FILE, 'find')
  const sent = await queryAfterHook(server, fileEvent(scope), rawQueryOf(request))
  const { folder, ...query } = sent
  return narrowReadScope(server, {
    type: fileType(server.layout()),
    query: paged(query),
    scope: inFolder(scope, folder),
    forRole: (_role: string, theirs: Scope) => inFolder(theirs, folder),
  })
}

/** `GET /api/upload/files/:id`: returns all fields; `fields` is only validated (as recorded). */
export async function parseFileRead(request: FastifyRequest, server: Server): Promise<DocumentReadRequest> {
  const { authorization } = request.headers
  const id = await resolveDocumentId(server, FILE, pathParam(request, 'id'))
  const scope = await permittedScope({ server, authorization }, FILE, 'findOne', id)
  const type = fileType(server.layout())
  const sent = await queryAfterHook(server, fileEvent(scope, id), rawQueryOf(request))
  const { fields, ...query } = sent
  if (fields !== undefined) server.reads().queryAccess(type, { kind: 'document', id }, sent, scope)
  return narrowReadScope(server, { type, id, query, scope })
}

export const fileEvent = (scope: Scope, documentId: string | null = null): FindEvent => ({
  type: FILE,
  action: documentId === null ? 'find' : 'findOne',
  documentId,
  scope,
})

/** The scope restricted to one folder. `folderPath` is private, so a filter of the caller could not name it. */
function inFolder(scope: Scope, folder: ParamObject[string] | undefined): Scope {
  if (folder === undefined) return scope
  if (typeof folder !== 'string') throw errors.invalidParameter('folder', null, 'must be a path')
  if (!canReadFolders(scope)) throw errors.invalidKey({ key: 'folder', path: null, source: 'query' })
  const inside = parseFolderPath(folder)
  return {
    ...scope,
    key: `${scope.key} in ${inside}`,
    rule(type, action) {
      const rule = scope.rule(type, action)
      if (type !== FILE) return rule
      const isInside = { folderPath: { $eq: inside } }
      return { ...rule, filters: rule?.filters ? { $and: [rule.filters, isInside] } : isInside }
    },
  }
}
