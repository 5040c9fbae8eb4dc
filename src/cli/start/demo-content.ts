/**
 * Loads the demo content of a project (`content/*.json`) into an empty database, in the order of the file names. It is
 * sent through the API, so that it is validated like any other request.
 *
 * A file is named for the path it writes to (`50-restaurants.json` for `/api/restaurants`) and lists writes:
 * `{ key, locale?, status?, data }`. A new key creates a document, a known key updates it. A string such as
 * `@restaurants/alba` in `data` is replaced with the documentId for that key. `00-files.json` lists uploads.
 */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { messageOf } from '../../errors.ts'
import type { OctavoServer } from '../../http/app.ts'
import type { Model } from '../../model/model.ts'
import { UsageError } from '../error-message.ts'

/** Sends a request to the server. */
type Send = (request: {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}) => Promise<{ readonly status: number; readonly body: unknown }>

interface Upload {
  readonly key: string
  /** Path relative to the content folder. */
  readonly file: string
  readonly alternativeText: string | null
  readonly caption: string | null
}

interface Write {
  readonly key: string
  readonly locale?: string
  readonly status?: 'draft'
  readonly data: unknown
}

/** documentIds by reference, such as `@restaurants/alba`. */
type DocumentIds = Map<string, string>

/**
 * Loads the demo content, unless the project has none or the database already has content. Returns the documentIds of
 * what it created.
 */
export async function loadContent(server: OctavoServer): Promise<DocumentIds> {
  const documentIds: DocumentIds = new Map()
  const folder = path.join(server.project.dir, 'content')
  if (!existsSync(folder)) return documentIds
  const send = sendTo(server)
  const files = (await readdir(folder)).filter((file) => /^\d+-[a-z0-9-]+\.json$/.test(file)).sort()
  if (await hasContent(new Set(files.map(endpointOf)), send)) return documentIds
  // All files are read before the first write, so that an invalid one does not leave partial content behind.
  const parts = await Promise.all(
    files.map(async (file) => [endpointOf(file), await read(folder, file)] as const),
  )
  for (const [endpoint, list] of parts) {
    if (endpoint === 'files') await uploadAll(list, folder, documentIds, send)
    else await writeAll(list, endpoint, server.project.model, documentIds, send)
  }
  return documentIds
}

async function read(folder: string, file: string) {
  const text = await readFile(path.join(folder, file), 'utf8')
  try {
    return JSON.parse(text)
  } catch (failure) {
    throw new UsageError(`content/${file} is not JSON: ${messageOf(failure)}`)
  }
}

/** Sends requests to the server without the network, with a full-access token from the configuration. */
function sendTo({ app, project }: OctavoServer): Send {
  const token = Object.values(project.config.tokens).find(({ type }) => type === 'full-access')?.token
  if (!token) throw new UsageError('Demo content requires a token of type full-access in config/tokens.json')
  return async ({ method, path: url, headers = {}, body }) => {
    const response = await app.inject({
      method,
      url,
      headers: { ...headers, authorization: `Bearer ${token}` },
      ...(body !== undefined && { payload: body }),
    })
    return { status: response.statusCode, body: response.payload === '' ? null : response.json() }
  }
}

const endpointOf = (file: string) => file.replace(/^\d+-/, '').replace(/\.json$/, '')

async function hasContent(endpoints: ReadonlySet<string>, send: Send): Promise<boolean> {
  for (const endpoint of endpoints) {
    if (endpoint === 'files') continue
    const { status, body } = await send({ method: 'GET', path: `/api/${endpoint}?status=draft&fields=id` })
    const found = status === 200 ? property(body, 'data') : null
    if (found && !(Array.isArray(found) && found.length === 0)) return true
  }
  return false
}

/** Uploads in parallel, because image processing is slow. */
async function uploadAll(uploads: readonly Upload[], folder: string, documentIds: DocumentIds, send: Send) {
  await Promise.all(
    uploads.map(async ({ key, file, alternativeText, caption }) => {
      const form = new FormData()
      const name = path.basename(file)
      form.set('fileInfo', JSON.stringify({ name, alternativeText, caption }))
      form.set('files', new Blob([await readFile(path.join(folder, file))]), name)
      const encoded = new Response(form)
      const response = await send({
        method: 'POST',
        path: '/api/upload',
        headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
        body: Buffer.from(await encoded.arrayBuffer()),
      })
      const files = response.status === 201 && Array.isArray(response.body) ? response.body : []
      documentIds.set(`@files/${key}`, documentIdOf(files[0], `the file ${file}`, response))
    }),
  )
}

async function writeAll(
  writes: readonly Write[],
  endpoint: string,
  model: Model,
  documentIds: DocumentIds,
  send: Send,
) {
  const isSingle = model.endpoints.get(endpoint)?.kind === 'single'
  for (const { key, locale, status, data } of writes) {
    const reference = `@${endpoint}/${key}`
    const known = documentIds.get(reference)
    const query = new URLSearchParams({ ...(locale && { locale }), ...(status && { status }) })
    const document = known && !isSingle ? `/${known}` : ''
    const response = await send({
      method: isSingle || known ? 'PUT' : 'POST',
      path: `/api/${endpoint}${document}?${query}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: resolve(data, documentIds) }),
    })
    documentIds.set(reference, documentIdOf(property(response.body, 'data'), reference, response))
  }
}

/** The data with every reference replaced by its documentId. */
function resolve(data: unknown, documentIds: DocumentIds): unknown {
  if (typeof data === 'string' && /^@[a-z0-9-]+\/[a-z0-9-]+$/.test(data)) {
    const documentId = documentIds.get(data)
    if (!documentId) throw new UsageError(`The demo content refers to ${data} before it is created`)
    return documentId
  }
  if (Array.isArray(data)) return data.map((item) => resolve(item, documentIds))
  if (data && typeof data === 'object')
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, resolve(value, documentIds)]))
  return data
}

function documentIdOf(document: unknown, name: string, response: { status: number; body: unknown }): string {
  const documentId = property(document, 'documentId')
  if (typeof documentId === 'string') return documentId
  throw new UsageError(
    `The server refused demo content at ${name}: ${response.status} ${JSON.stringify(response.body)}\nThe content before it has been created: correct the error and start with an empty database`,
  )
}

const property = (value: unknown, name: string): unknown =>
  value && typeof value === 'object' ? Reflect.get(value, name) : undefined
