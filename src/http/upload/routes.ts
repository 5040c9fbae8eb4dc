/** Routes under `/api/upload`. Responses have no `data` envelope (as recorded). */
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { errors } from '../../errors.ts'
import { changeSinks } from '../../events/sinks.ts'
import { type AttachTarget, parseAttachTarget } from '../../media/attach.ts'
import { type FileInfo, parseFileInfos } from '../../media/files/file-info.ts'
import { parseFolderPath } from '../../media/files/names.ts'
import { createLibrary, type Library } from '../../media/library.ts'
import { limitsOf, type ReceivedUpload, receiveUpload } from '../../media/receive.ts'
import type { Stage } from '../../media/storage/staging.ts'
import { FILE } from '../../model/model.ts'
import type { Scope } from '../../query/scope.ts'
import { parseWriteLocale } from '../../query/version-params.ts'
import { checkPermitted, checkPolicies, resolveDocumentId } from '../auth/permitted.ts'
import { explainer } from '../content/explain.ts'
import { dataAfterHook } from '../extension/find-hooks.ts'
import { withoutRefused } from '../extension/policies.ts'
import { declareRoute, type Handler, pathParam } from '../method-routes.ts'
import { allowedParams } from '../request/allowed-params.ts'
import { refuseUnsupportedEncoding } from '../request/body.ts'
import { byNetwork, clientOf } from '../request/client.ts'
import { originOf } from '../request/origin.ts'
import { allowSlowBody } from '../request/slow-bodies.ts'
import { afterExcess, announcedLength, closeAfterDraining, drainBody } from '../request/unread-body.ts'
import { forbidStoring } from '../response/cache-control.ts'
import { JSON_TYPE, listResponse } from '../response/content-response.ts'
import { sendReply } from '../response/send.ts'
import type { Server } from '../server.ts'
import { type Call, permittedOnFiles, send, sendJson } from './call.ts'
import { fileActionRoutes } from './file-actions.ts'
import { fileEvent, parseFileList, parseFilePage, parseFileRead } from './file-queries.ts'
import { presentFile } from './file-record.ts'
import { folderRoutes } from './folder-routes.ts'
import { storedFileRoutes } from './stored-files.ts'

export interface UploadRoutes {
  /** Adds the routes of uploads below another path too. */
  readonly addRoutes: (other: FastifyInstance, base: string) => Promise<void>
  readonly library: Library
  readonly limitUploads: LimitUploads
}

/** Runs an upload, or refuses it with a 503: uploads take disk space and memory. */
export type LimitUploads = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Adds the routes of uploads and of the stored files. */
export async function uploadRoutes(app: FastifyInstance, server: Server): Promise<UploadRoutes> {
  const { config, dir } = server.project
  const library = await createLibrary({
    store: server.store,
    layout: server.layout,
    reads: server.reads,
    config: config.upload,
    directory: dir,
    log: server.log,
    sinks: changeSinks(config),
  })
  app.addHook('onClose', async () => library.close())
  const handle =
    (work: (call: Call) => Promise<FastifyReply>): Handler =>
    (request, reply) =>
      work({ server, library, request, reply })
  const limitUploads = limitConcurrent(config.upload.maxAtOnce)
  // Before the body is read.
  const receiveFiles = handle(readingWholeBody((call) => limitUploads(() => upload(call))))
  const explain = explainer(server)

  async function addRoutes(scoped: FastifyInstance, base: string): Promise<void> {
    await scoped.register(multipart, { limits: limitsOf(config.upload) })
    declareRoute(scoped, base, { POST: receiveFiles })
    declareRoute(scoped, `${base}/files`, {
      GET: handle(listFiles),
      explain: explain(parseFileList),
    })
    declareRoute(scoped, `${base}/files/page`, {
      GET: handle(listFilePage),
      explain: explain(parseFilePage),
    })
    declareRoute(scoped, `${base}/files/:id`, {
      GET: handle(showFile),
      DELETE: handle(removeFile),
      explain: explain(parseFileRead),
    })
    fileActionRoutes(scoped, base, handle)
    folderRoutes(scoped, base, server, handle)
  }

  await app.register(async (scoped) => {
    forbidStoring(scoped)
    await addRoutes(scoped, '/api/upload')
    await storedFileRoutes(scoped, server, library)
  })
  return { addRoutes, library, limitUploads }
}

function limitConcurrent(max: number): LimitUploads {
  let running = 0
  return async (work) => {
    if (running >= max) throw errors.unavailable(1, 'Too many uploads in progress')
    running += 1
    try {
      return await work()
    } finally {
      running -= 1
    }
  }
}

/** Reads a rejected form to its end: many clients read the response only after sending the whole body. */
function readingWholeBody(work: (call: Call) => Promise<FastifyReply>) {
  return async (call: Call) => {
    const { raw } = call.request
    try {
      return await work(call)
    } catch (error) {
      // Node discards a body that was not read at all.
      if (raw.readableDidRead && !(await drainBody(raw))) closeAfterDraining(raw)
      throw error
    }
  }
}

const UPLOAD_PARAMS = ['id', 'locale']

/** `POST /api/upload`: creates files, or with `?id=` changes the bytes or the description of a file. */
async function upload(call: Call): Promise<FastifyReply> {
  const { server, library, reply } = call
  const scope = await permittedOnFiles(call, 'upload')
  const { id } = allowedParams(UPLOAD_PARAMS, call)
  if (id !== undefined && (typeof id !== 'string' || id === ''))
    throw errors.invalidParameter('id', null, 'must be the id of one file')
  // The library checks the permission to change the file, which depends on its owner; policies do not.
  if (id !== undefined)
    await checkPolicies(server, scope, FILE, 'update', await resolveDocumentId(server, FILE, id))
  allowSlowBody(call.request.raw)
  const stage = library.staging.open()
  try {
    const received = await receive(call, stage)
    if (typeof id === 'string') {
      return send(reply, 200, await presentFile(await change(call, id, received, scope, stage), library))
    }
    const created = await create(call, received, scope, stage)
    return send(reply, 201, await Promise.all(created.map((file) => presentFile(file, library))))
  } finally {
    await stage.clear()
  }
}

/** A body that is not a form contains no files. */
async function receive({ library, request }: Call, stage: Stage): Promise<ReceivedUpload> {
  if (!request.isMultipart()) return { files: [], fields: fieldsOf(request.body) }
  refuseUnsupportedEncoding(request.headers)
  const { maxFiles, maxFileSize } = library.config
  const announced = announcedLength(request.raw)
  if (announced > maxFiles * maxFileSize + MAX_FIELD_BYTES) {
    closeAfterDraining(request.raw)
    throw errors.tooLarge(`${maxFiles} files of ${maxFileSize} bytes`)
  }
  // A body with Content-Length is read to its end, so that the client reads the response.
  const onTooLarge = (abort: () => void) => (Number.isNaN(announced) ? afterExcess(request.raw, abort) : null)
  return receiveUpload(request.parts(), stage, library.config, onTooLarge)
}

const MAX_FIELD_BYTES = 16_777_216

const fieldsOf = (body: unknown): Map<string, unknown[]> =>
  new Map(
    Object.entries(typeof body === 'object' && body !== null ? body : {}).map(([name, value]) => [
      name,
      [value],
    ]),
  )

function textField(received: ReceivedUpload, name: string): string | undefined {
  const values = received.fields.get(name) ?? []
  const value = values.at(-1)
  if (value === undefined || value === '') return undefined
  if (values.length > 1 || (typeof value !== 'string' && typeof value !== 'number'))
    throw errors.invalid(`${name} must be a string`)
  return String(value)
}

function infosOf(received: ReceivedUpload): FileInfo[] {
  const infos = parseFileInfos(received.fields.get('fileInfo') ?? [])
  const given = textField(received, 'path')
  if (given === undefined) return infos
  const folder = parseFolderPath(given)
  // Without files it applies to the file that the request names by its id.
  const length = Math.max(received.files.length, infos.length, 1)
  return Array.from({ length }, (_, index) => ({ folder, ...infos[index] }))
}

async function create(call: Call, received: ReceivedUpload, scope: Scope, stage: Stage) {
  const { server, library } = call
  if (received.files.length === 0) throw errors.invalid('The field "files" is required')
  const infos = infosOf(received)
  if (infos.length > received.files.length)
    throw errors.invalid('fileInfo has more entries than there are files')
  const { model } = server.layout()
  const target = parseAttachTarget(
    model,
    (name) => textField(received, name),
    (type) => parseWriteLocale(allowedParams(UPLOAD_PARAMS, call), type, model),
  )
  const by = target ? await scopeToAttach(server, target, scope) : scope
  return library.create(received.files, infos, target, { scope: by, origin: originOf(call.request) }, stage)
}

/** Without `publish` where a policy refuses it: only later is it known whether a published version is changed. */
async function scopeToAttach(
  server: Server,
  { type: { uid }, id }: AttachTarget,
  scope: Scope,
): Promise<Scope> {
  await checkPermitted(server, scope, uid, 'update', await resolveDocumentId(server, uid, id))
  return withoutRefused(server.extension, scope, 'publish', [uid])
}

function change(
  { library, request }: Call,
  id: string,
  received: ReceivedUpload,
  scope: Scope,
  stage: Stage,
) {
  const [file, ...more] = received.files
  const [info, ...others] = infosOf(received)
  if (more.length > 0 || others.length > 0) throw errors.invalid('Only one file can be changed at a time')
  const by = { scope, origin: originOf(request) }
  if (file) return library.replace(id, file, info ?? {}, by, stage)
  if (!info) throw errors.invalid('Either "files" or "fileInfo" is required')
  return library.describe(id, info, by, stage)
}

/** `GET /api/upload/files` */
async function listFiles({ server, library, request, reply }: Call): Promise<FastifyReply> {
  const { type, query, scope } = await parseFileList(request, server)
  const result = await server.reads().list(type, query, scope, byNetwork(clientOf(request)))
  const files: unknown[] = JSON.parse(result.data)
  if (result.total !== null) reply.header('x-total-count', String(result.total))
  const shown = await Promise.all(files.map((file) => presentFile(file, library)))
  return sendJson(reply, 200, await dataAfterHook(server, fileEvent(scope), JSON.stringify(shown)))
}

/** `GET /api/upload/files/page`: in the envelope of other lists. */
async function listFilePage({ server, library, request, reply }: Call): Promise<FastifyReply> {
  const { type, query, scope } = await parseFilePage(request, server)
  const result = await server.reads().list(type, query, scope, byNetwork(clientOf(request)))
  const files: unknown[] = JSON.parse(result.data)
  const shown = JSON.stringify(await Promise.all(files.map((file) => presentFile(file, library))))
  const data = await dataAfterHook(server, fileEvent(scope), shown)
  return sendReply(reply, listResponse(result, data, { 'content-type': JSON_TYPE }))
}

/** `GET /api/upload/files/:id` */
async function showFile({ server, library, request, reply }: Call): Promise<FastifyReply> {
  const { type, id, query, scope } = await parseFileRead(request, server)
  const found = await server.reads().document(type, id, query, scope, byNetwork(clientOf(request)))
  if (!found) throw errors.notFound()
  const shown = JSON.stringify(await presentFile(found.data, library))
  return sendJson(reply, 200, await dataAfterHook(server, fileEvent(scope, id), shown))
}

/** `DELETE /api/upload/files/:id` */
async function removeFile(call: Call): Promise<FastifyReply> {
  const { server, library, request, reply } = call
  const id = pathParam(request, 'id')
  const scope = await permittedOnFiles(call, 'destroy', await resolveDocumentId(server, FILE, id))
  allowedParams([], call)
  const removed = await library.remove(id, { scope, origin: originOf(request) })
  return send(reply, 200, await presentFile(removed, library))
}
