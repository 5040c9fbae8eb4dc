/** Routes for several files together, and for more about one file: its original, and where it is used. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { typeViewOf } from '../../access/team/type-view.ts'
import { errors } from '../../errors.ts'
import { contentTypeOf } from '../../media/files/file-types.ts'
import { parseFolderPath } from '../../media/files/names.ts'
import { fileType } from '../../media/files/records.ts'
import { type ContentType, FILE, typeOf } from '../../model/model.ts'
import { isObject, type Values } from '../../project/values.ts'
import { USED_BY } from '../../query/find-name.ts'
import type { ParamObject } from '../../query/params.ts'
import type { Scope } from '../../query/scope.ts'
import { checkPolicies, resolveDocumentId } from '../auth/permitted.ts'
import { titleFields } from '../auth/title-fields.ts'
import { narrowReadScope } from '../content/visible-types.ts'
import { declareRoute, pathParam } from '../method-routes.ts'
import { allowedParams } from '../request/allowed-params.ts'
import { byNetwork, clientOf } from '../request/client.ts'
import { type Call, type Handle, permittedOnFiles, send, writerOf } from './call.ts'
import { presentFile } from './file-record.ts'

/** Files that one request can move or delete. */
const MAX_FILES = 100

export function fileActionRoutes(app: FastifyInstance, base: string, handle: Handle): void {
  declareRoute(app, `${base}/files/move`, { POST: handle(moveFiles) })
  declareRoute(app, `${base}/files/delete`, { POST: handle(deleteFiles) })
  declareRoute(app, `${base}/files/:id/original`, { GET: handle(sendOriginal) })
  declareRoute(app, `${base}/files/:id/used-by`, { GET: handle(showUsage) })
}

/** `POST /api/upload/files/move` */
async function moveFiles(call: Call): Promise<FastifyReply> {
  const { server, library, request, reply } = call
  // Uploaders may change their own files; the library checks each.
  const scope = await permittedOnFiles(call, 'upload')
  allowedParams([], call)
  const body = bodyWith(request.body, ['files', 'folder'])
  const ids = idsIn(body)
  if (typeof body.folder !== 'string') throw errors.invalid('folder must be a path, such as /menus/2024')
  const folder = parseFolderPath(body.folder)
  for (const id of ids)
    await checkPolicies(server, scope, FILE, 'update', await resolveDocumentId(server, FILE, id))
  const moved = await library.move(ids, folder, writerOf(call, scope))
  return send(reply, 200, await Promise.all(moved.map((file) => presentFile(file, library))))
}

/** `POST /api/upload/files/delete` */
async function deleteFiles(call: Call): Promise<FastifyReply> {
  const { server, library, request, reply } = call
  const scope = await permittedOnFiles(call, 'destroy')
  allowedParams([], call)
  const ids = idsIn(bodyWith(request.body, ['files']))
  for (const id of ids)
    await checkPolicies(server, scope, FILE, 'destroy', await resolveDocumentId(server, FILE, id))
  const removed = await library.removeAll(ids, writerOf(call, scope))
  return send(reply, 200, await Promise.all(removed.map((file) => presentFile(file, library))))
}

function bodyWith(body: unknown, keys: readonly string[]): Values {
  if (!isObject(body)) throw errors.invalid(`The body must be JSON with ${keys.join(' and ')}`)
  for (const key of Object.keys(body))
    if (!keys.includes(key)) throw errors.invalidKey({ key, path: null, source: 'body' })
  return body
}

/** Each file once. */
function idsIn({ files }: Values): string[] {
  const isId = (id: unknown) => typeof id === 'string' || typeof id === 'number'
  if (!Array.isArray(files) || files.length === 0 || files.length > MAX_FILES || !files.every(isId))
    throw errors.invalid(`files must be a list of 1 to ${MAX_FILES} ids`)
  return [...new Set(files.map(String))]
}

/** `GET /api/upload/files/:id/original`: the image before it was cropped, for those who may crop it. */
async function sendOriginal(call: Call): Promise<FastifyReply> {
  const { server, library, request, reply } = call
  const id = pathParam(request, 'id')
  const scope = await permittedOnFiles(call, 'upload')
  await checkPolicies(server, scope, FILE, 'update', await resolveDocumentId(server, FILE, id))
  allowedParams([], call)
  const { key, contents } = await library.readOriginal(id, writerOf(call, scope))
  return reply
    .header('content-type', contentTypeOf(key))
    .header('content-disposition', 'attachment')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .send(contents)
}

/** `GET /api/upload/files/:id/used-by`: the documents that use a file, drafts included where the caller may read them. */
async function showUsage(call: Call): Promise<FastifyReply> {
  const { server, request, reply } = call
  const id = await resolveDocumentId(server, FILE, pathParam(request, 'id'))
  const scope = await permittedOnFiles(call, 'findOne', id)
  allowedParams([], call)
  const { model } = server.layout()
  const views = await server.access.views.types()
  const mainFieldOf = (uid: string) => typeViewOf(typeOf(model, uid), views.get(uid)).mainField
  const readable = [...model.endpoints.values()].filter(({ uid }) => scope.may(uid, 'find'))
  const optionsFor = ({ uid, localized }: ContentType): [string, ParamObject] => {
    const title = titleFields(scope, uid, mainFieldOf(uid))
    return [uid, { fields: ['publishedAt', ...title, ...(localized ? ['locale'] : [])] }]
  }
  const read = async (name: string, types: readonly ContentType[], status: string) => {
    const on = Object.fromEntries(types.map(optionsFor))
    const query = { status, fields: 'documentId', populate: { [name]: { on } } }
    return versionsIn(call, id, scope, query, name)
  }
  const [drafts, published] = [
    readable.filter(({ uid, draftAndPublish }) => !draftAndPublish || scope.may(uid, 'readDrafts')),
    readable.filter(({ uid, draftAndPublish }) => draftAndPublish && !scope.may(uid, 'readDrafts')),
  ]
  const versions = [
    ...(await read(USED_BY, drafts, 'draft')),
    ...(published.length > 0 ? await read('related', published, 'published') : []),
  ]
  const documents = documentsOf(versions, (one) => one[mainFieldOf(String(one.__type))])
  return send(reply, 200, { data: documents, meta: { total: documents.length } })
}

/** The versions that a file is populated with under a name; throws a 404 unless the caller may read the file. */
async function versionsIn(
  { server, request }: Call,
  id: string,
  scope: Scope,
  query: ParamObject,
  name: string,
): Promise<readonly Values[]> {
  const type = fileType(server.layout())
  const read = await narrowReadScope(server, { type, id, query, scope })
  const found = await server.reads().document(type, id, read.query, read.scope, byNetwork(clientOf(request)))
  if (!found) throw errors.notFound()
  const file: unknown = JSON.parse(found.data)
  const versions: unknown = isObject(file) ? file[name] : null
  return Array.isArray(versions) ? versions.filter(isObject) : []
}

/** A document in a locale once, with what its draft says; a published version alone where the draft has another file. */
function documentsOf(versions: readonly Values[], titleOf: (version: Values) => unknown) {
  const found = new Map<string, object>()
  const isPublished = (version: Values) => version.publishedAt !== null
  const drafts = versions.filter((version) => !isPublished(version))
  for (const one of [...drafts, ...versions.filter(isPublished)]) {
    const key = [one.__type, one.documentId, one.locale].join(' ')
    if (found.has(key)) continue
    found.set(key, {
      type: one.__type,
      documentId: one.documentId,
      locale: one.locale ?? null,
      title: titleOf(one) ?? null,
      status: isObject(one.__meta) ? one.__meta.status : null,
    })
  }
  return [...found.values()]
}
