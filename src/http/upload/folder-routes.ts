/** Routes under `/api/upload/folders`. A folder is named by its path, in the query string. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '../../errors.ts'
import { parseFolderPath } from '../../media/files/names.ts'
import { createFolder, deleteFolder, moveFolder } from '../../media/folders/change-folders.ts'
import {
  type FolderPage,
  foldersIn,
  foldersStatement,
  subfoldersIn,
} from '../../media/folders/list-folders.ts'
import { FILE } from '../../model/model.ts'
import type { Scope } from '../../query/scope.ts'
import { permittedScope } from '../auth/permitted.ts'
import { customExplainer, type ReadExplanation, roleViews } from '../content/explain.ts'
import { declareRoute } from '../method-routes.ts'
import { allowedParams } from '../request/allowed-params.ts'
import type { Server } from '../server.ts'
import { type Call, type Handle, permittedOnFiles, send } from './call.ts'

export function folderRoutes(app: FastifyInstance, base: string, server: Server, handle: Handle): void {
  declareRoute(app, `${base}/folders`, {
    GET: handle(list),
    POST: handle(create),
    PUT: handle(move),
    DELETE: handle(remove),
    explain: customExplainer(server, explainFolders),
  })
}

const LIST_PARAMS = ['parent', 'start', 'limit', 'explain']

/** All folders with files, or with `parent` a page of those in one folder. */
async function list(call: Call): Promise<FastifyReply> {
  const { server, request, reply } = call
  const scope = await permittedOnFiles(call, 'find')
  const page = parsePage(server, request)
  const rows = await server.store.read(foldersStatement(readsOf(server, scope), page))
  if (page === null) return send(reply, 200, foldersIn(rows))
  const { folders, total } = subfoldersIn(rows, scope, page)
  return send(reply.header('x-total-count', String(total)), 200, folders)
}

async function create(call: Call): Promise<FastifyReply> {
  const write = await writeOf(call, 'upload')
  allowedParams([], call)
  return send(call.reply, 201, await createFolder(write, pathIn(call.request.body)))
}

async function move(call: Call): Promise<FastifyReply> {
  const write = await writeOf(call, 'upload')
  const from = pathParam(allowedParams(['path'], call).path)
  return send(call.reply, 200, await moveFolder(write, from, pathIn(call.request.body)))
}

async function remove(call: Call): Promise<FastifyReply> {
  const write = await writeOf(call, 'upload')
  const { path, contents } = allowedParams(['path', 'contents'], call)
  if (contents !== undefined && contents !== 'move')
    throw errors.invalidParameter('contents', null, 'expected move')
  return send(call.reply, 200, await deleteFolder(write, pathParam(path), contents === 'move'))
}

/** The permission of uploaders is enough for their own empty folders; the rest is checked with the folder. */
async function writeOf(call: Call, action: 'upload') {
  const { store, layout } = call.server
  return { store, layout: layout(), scope: await permittedOnFiles(call, action) }
}

const readsOf = ({ store, layout, project }: Server, scope: Scope) => ({
  store,
  layout: layout(),
  scope,
  rest: project.config.api.rest,
})

function parsePage(server: Server, request: FastifyRequest): FolderPage | null {
  const { parent, start, limit } = allowedParams(LIST_PARAMS, { server, request })
  if (parent === undefined) return null
  const { defaultLimit, maxLimit } = server.project.config.api.rest
  return {
    parent: pathParam(parent, 'parent'),
    start: count('start', start, 0, Number.MAX_SAFE_INTEGER, 0),
    limit: count('limit', limit, 1, maxLimit, defaultLimit),
  }
}

function count(name: string, value: unknown, min: number, max: number, otherwise: number): number {
  if (value === undefined || value === '') return otherwise
  if (typeof value !== 'string' || !/^\d{1,15}$/.test(value))
    throw errors.invalidParameter(name, null, 'expected an integer')
  return Math.min(Math.max(Number(value), min), max)
}

function pathParam(value: unknown, name = 'path'): string {
  if (typeof value !== 'string' || value === '')
    throw errors.invalidParameter(name, null, 'expected the path of a folder, such as /menus/2024')
  return parseFolderPath(value)
}

/** The path of the new folder, or the new path of one. */
function pathIn(body: unknown): string {
  const path: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'path') : undefined
  if (typeof path !== 'string') throw errors.invalid('The body must be {"path": …} with the path of a folder')
  for (const key of Object.keys(body ?? {}))
    if (key !== 'path') throw errors.invalidKey({ key, path: null, source: 'body' })
  return parseFolderPath(path)
}

async function explainFolders(request: FastifyRequest, server: Server): Promise<ReadExplanation> {
  const { authorization } = request.headers
  const caller = await permittedScope({ server, authorization }, FILE, 'find')
  const page = parsePage(server, request)
  const read = (scope: Scope) => foldersStatement(readsOf(server, scope), page)
  const { explain } = await import('../../reads/explain.ts')
  const explained = await explain(server.store, server.layout(), null, read(caller))
  const roles = await roleViews(server, (_role, scope) => {
    if (!scope.may(FILE, 'find')) throw errors.forbidden()
    read(scope)
    return []
  })
  return { ...explained, roles }
}
