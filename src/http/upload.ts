/** The upload interface under `/api/upload`: plain answers without an envelope, as clients of it know them. */
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '../errors.ts'
import { parsePlace } from '../media/attach.ts'
import { listFolders } from '../media/folders.ts'
import { type FileInfo, parseFileInfos } from '../media/info.ts'
import { createLibrary, type Library } from '../media/library.ts'
import { folderPath } from '../media/names.ts'
import { limitsOf, type ReceivedUpload, receiveUpload } from '../media/receive.ts'
import type { Stage } from '../media/staging.ts'
import { FILE } from '../model/model.ts'
import { type ParamObject, parseParams } from '../query/params.ts'
import type { Action, Scope } from '../query/scope.ts'
import { permitted } from './caller.ts'
import { rawQueryOf } from './content.ts'
import { explainer, explainerOf } from './explain.ts'
import { presentFile, relatedTo } from './file-record.ts'
import { explainFolders, fileAsked, filesAsked } from './files-asked.ts'
import { JSON_TYPE } from './outcome.ts'
import { type Handler, parameter, path } from './paths.ts'
import type { Server } from './server.ts'
import { uploadedRoutes } from './uploaded.ts'

interface Call {
  readonly server: Server
  readonly library: Library
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Adds the routes of uploads and of the stored files themselves. */
export async function uploadRoutes(app: FastifyInstance, server: Server): Promise<void> {
  const { config, dir } = server.project
  const library = await createLibrary({
    store: server.store,
    layout: server.layout,
    reads: server.reads,
    config: config.upload,
    directory: dir,
    log: server.log,
  })
  app.addHook('onClose', async () => library.close())
  await app.register(async (scoped) => {
    await scoped.register(multipart, { limits: limitsOf(config.upload) })
    const handle =
      (work: (call: Call) => Promise<FastifyReply>): Handler =>
      (request, reply) =>
        work({ server, library, request, reply })
    const explain = explainer(server)
    path(scoped, '/api/upload', { POST: handle(fewAtATime(config.upload.maxAtOnce, upload)) })
    path(scoped, '/api/upload/files', {
      GET: handle(listFiles),
      explain: explain(filesAsked),
    })
    path(scoped, '/api/upload/files/:id', {
      GET: handle(showFile),
      DELETE: handle(removeFile),
      explain: explain(fileAsked),
    })
    path(scoped, '/api/upload/folders', {
      GET: handle(showFolders),
      explain: explainerOf(server, explainFolders),
    })
    await uploadedRoutes(scoped, server, library)
  })
}

const mayOnFiles = ({ server, request }: Call, action: Action) => permitted(server, request, FILE, action)

const paramsOf = ({ server, request }: Call): ParamObject =>
  parseParams(rawQueryOf(request), server.project.config.api.rest.bounds)

const send = (reply: FastifyReply, status: number, body: unknown) =>
  reply.code(status).header('content-type', JSON_TYPE).send(JSON.stringify(body))

/** An upload holds files on disk and, for pictures, memory: past the bound it is refused before its body is read. */
function fewAtATime(most: number, work: (call: Call) => Promise<FastifyReply>) {
  let running = 0
  return async (call: Call) => {
    if (running >= most) {
      // What is left of the body is not read, so the connection cannot be used again.
      call.reply.header('connection', 'close')
      throw errors.unavailable(1, 'Too many uploads are under way')
    }
    running += 1
    try {
      return await work(call)
    } finally {
      running -= 1
    }
  }
}

/** `POST /api/upload`: new files, or with `?id=` other bytes or another description for a file. */
async function upload(call: Call): Promise<FastifyReply> {
  const { library, reply } = call
  const scope = await mayOnFiles(call, 'upload')
  const { id } = paramsOf(call)
  if (id !== undefined && (typeof id !== 'string' || id === ''))
    throw errors.invalidParameter('id', null, 'must be the id of one file')
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

/** Reads the body. A caller who does not send a form sends no files. */
async function receive({ library, request, reply }: Call, stage: Stage): Promise<ReceivedUpload> {
  if (!request.isMultipart()) return { files: [], fields: fieldsOf(request.body) }
  try {
    const { maxFiles, maxFileSize } = library.config
    const announced = Number(request.headers['content-length'] ?? Number.NaN)
    if (announced > maxFiles * maxFileSize + PATIENCE)
      throw errors.tooLarge(`${maxFiles} files of ${maxFileSize} bytes`)
    const onTooLarge = () => (Number.isNaN(announced) ? hangUpSoon(request) : null)
    return await receiveUpload(request.parts(), stage, library.config, onTooLarge)
  } catch (error) {
    // What is left of the body is not read, so the connection cannot be used again.
    reply.header('connection', 'close')
    throw error
  }
}

/**
 * How much is read and thrown away of a body without an end in sight when a file in it has become too large. A body
 * that announced its length is read to its end, so that its sender reads the answer.
 */
const PATIENCE = 16_777_216

function hangUpSoon(request: FastifyRequest): void {
  let left = PATIENCE
  request.raw.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) request.raw.destroy()
  })
}

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
    throw errors.invalid(`${name} must be one text`)
  return String(value)
}

function infosOf(received: ReceivedUpload): FileInfo[] {
  const infos = parseFileInfos(received.fields.get('fileInfo') ?? [])
  const given = textField(received, 'path')
  if (given === undefined) return infos
  const folder = folderPath(given)
  return received.files.map((_file, index) => ({ folder, ...infos[index] }))
}

function create({ server, library }: Call, received: ReceivedUpload, scope: Scope, stage: Stage) {
  if (received.files.length === 0) throw errors.invalid('There is no file in the field "files"')
  const infos = infosOf(received)
  if (infos.length > received.files.length) throw errors.invalid('There are more fileInfo than files')
  const place = parsePlace(server.layout().model, (name) => textField(received, name))
  return library.create(received.files, infos, place, scope, stage)
}

function change({ library }: Call, id: string, received: ReceivedUpload, scope: Scope, stage: Stage) {
  const [file, ...more] = received.files
  const [info, ...others] = infosOf(received)
  if (more.length > 0 || others.length > 0) throw errors.invalid('Only one file can be changed at a time')
  if (file) return library.replace(id, file, info ?? {}, scope, stage)
  if (!info) throw errors.invalid('There is neither a file in "files" nor a "fileInfo"')
  return library.describe(id, info, scope)
}

/** `GET /api/upload/files` */
async function listFiles({ server, library, request, reply }: Call): Promise<FastifyReply> {
  const { type, rawQuery, scope } = await filesAsked(request, server)
  const answer = await server.reads().list(type, rawQuery, scope)
  const files: unknown[] = JSON.parse(answer.data)
  if (answer.total !== null) reply.header('x-total-count', String(answer.total))
  return send(reply, 200, await Promise.all(files.map((file) => presentFile(file, library))))
}

/** `GET /api/upload/files/:id`, with the documents that show the file when they are asked for. */
async function showFile(call: Call): Promise<FastifyReply> {
  const { server, library, request, reply } = call
  const { type, id, rawQuery, scope } = await fileAsked(request, server)
  const { populate } = paramsOf(call)
  const found = await server.reads().document(type, id, rawQuery, scope)
  if (!found) throw errors.notFound()
  const file = { ...JSON.parse(found.data), ...(await relatedTo(found.data, populate, server, scope)) }
  return send(reply, 200, await presentFile(file, library))
}

/** `DELETE /api/upload/files/:id` */
async function removeFile(call: Call): Promise<FastifyReply> {
  const { library, request, reply } = call
  const scope = await mayOnFiles(call, 'destroy')
  const removed = await library.remove(parameter(request, 'id'), scope)
  return send(reply, 200, await presentFile(removed, library))
}

/** `GET /api/upload/folders`: the folders that hold files which the caller may find, and how many. */
async function showFolders(call: Call): Promise<FastifyReply> {
  const scope = await mayOnFiles(call, 'find')
  const { store, layout, project } = call.server
  return send(call.reply, 200, await listFolders(store, layout(), scope, project.config.api.rest))
}
