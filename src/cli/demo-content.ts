/**
 * The content a project brings along: `content/*.json`, written into an empty database in the order of the file names
 * through the API itself, so that it is checked like anybody's.
 *
 * A file is named for the path it writes to (`50-restaurants.json` for `/api/restaurants`) and lists writes:
 * `{ key, locale?, status?, data }`. A new key creates a document, a known key changes it. A text like
 * `@restaurants/alba` anywhere in `data` stands for the document with that key. `00-files.json` lists uploads.
 */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { messageOf } from '../errors.ts'
import type { OctavoServer } from '../http/app.ts'
import type { Model } from '../model/model.ts'
import { UsageError } from './error-message.ts'

/** Sends a request to the server and answers with its status and its parsed body. */
type Send = (request: {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}) => Promise<{ readonly status: number; readonly body: unknown }>

interface Upload {
  readonly key: string
  /** Path below the content folder. */
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

type Written = Map<string, string>

/**
 * Writes the content of the project, unless it brings none or the database has some already. Answers with the
 * documentIds of what it wrote, by `@path/key`.
 */
export async function loadContent(server: OctavoServer): Promise<Written> {
  const written: Written = new Map()
  const folder = path.join(server.project.dir, 'content')
  if (!existsSync(folder)) return written
  const send = sendTo(server)
  const files = (await readdir(folder)).filter((file) => /^\d+-[a-z0-9-]+\.json$/.test(file)).sort()
  if (await anyContent(new Set(files.map(endpointOf)), send)) return written
  // All of them before the first is written: a mistake in the last one must not leave the others behind.
  const parts = await Promise.all(
    files.map(async (file) => [endpointOf(file), await read(folder, file)] as const),
  )
  for (const [endpoint, list] of parts) {
    if (endpoint === 'files') await uploadAll(list, folder, written, send)
    else await writeAll(list, endpoint, server.project.model, written, send)
  }
  return written
}

async function read(folder: string, file: string) {
  const text = await readFile(path.join(folder, file), 'utf8')
  try {
    return JSON.parse(text)
  } catch (failure) {
    throw new UsageError(`content/${file} is not JSON: ${messageOf(failure)}`)
  }
}

/** Requests to the server itself, without the network, as the holder of its full-access token. */
function sendTo({ app, project }: OctavoServer): Send {
  const token = Object.values(project.config.tokens).find(({ type }) => type === 'full-access')?.token
  if (!token) throw new UsageError('Content needs a token of type full-access in config/tokens.json')
  return async ({ method, path: url, headers = {}, body }) => {
    const answer = await app.inject({
      method,
      url,
      headers: { ...headers, authorization: `Bearer ${token}` },
      ...(body !== undefined && { payload: body }),
    })
    return { status: answer.statusCode, body: answer.payload === '' ? null : answer.json() }
  }
}

const endpointOf = (file: string) => file.replace(/^\d+-/, '').replace(/\.json$/, '')

async function anyContent(endpoints: ReadonlySet<string>, send: Send): Promise<boolean> {
  for (const endpoint of endpoints) {
    if (endpoint === 'files') continue
    const { status, body } = await send({ method: 'GET', path: `/api/${endpoint}?status=draft&fields=id` })
    const found = status === 200 ? property(body, 'data') : null
    if (found && !(Array.isArray(found) && found.length === 0)) return true
  }
  return false
}

/** All at once: pictures take their time. */
async function uploadAll(uploads: readonly Upload[], folder: string, written: Written, send: Send) {
  await Promise.all(
    uploads.map(async ({ key, file, alternativeText, caption }) => {
      const form = new FormData()
      const name = path.basename(file)
      form.set('fileInfo', JSON.stringify({ name, alternativeText, caption }))
      form.set('files', new Blob([await readFile(path.join(folder, file))]), name)
      const encoded = new Response(form)
      const answer = await send({
        method: 'POST',
        path: '/api/upload',
        headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
        body: Buffer.from(await encoded.arrayBuffer()),
      })
      const files = answer.status === 201 && Array.isArray(answer.body) ? answer.body : []
      written.set(`@files/${key}`, documentIdOf(files[0], `the file ${file}`, answer))
    }),
  )
}

async function writeAll(
  writes: readonly Write[],
  endpoint: string,
  model: Model,
  written: Written,
  send: Send,
) {
  const single = model.endpoints.get(endpoint)?.kind === 'single'
  for (const { key, locale, status, data } of writes) {
    const reference = `@${endpoint}/${key}`
    const known = written.get(reference)
    const query = new URLSearchParams({ ...(locale && { locale }), ...(status && { status }) })
    const document = known && !single ? `/${known}` : ''
    const answer = await send({
      method: single || known ? 'PUT' : 'POST',
      path: `/api/${endpoint}${document}?${query}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: resolve(data, written) }),
    })
    written.set(reference, documentIdOf(property(answer.body, 'data'), reference, answer))
  }
}

/** The same data with every reference replaced by the documentId it stands for. */
function resolve(data: unknown, written: Written): unknown {
  if (typeof data === 'string' && /^@[a-z0-9-]+\/[a-z0-9-]+$/.test(data)) {
    const documentId = written.get(data)
    if (!documentId) throw new UsageError(`The content of the project refers to ${data} before it is written`)
    return documentId
  }
  if (Array.isArray(data)) return data.map((item) => resolve(item, written))
  if (data && typeof data === 'object')
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, resolve(value, written)]))
  return data
}

function documentIdOf(document: unknown, what: string, answer: { status: number; body: unknown }): string {
  const documentId = property(document, 'documentId')
  if (typeof documentId === 'string') return documentId
  throw new UsageError(
    `The content of the project was refused at ${what}: ${answer.status} ${JSON.stringify(answer.body)}\nWhat comes before it is written: correct it, and start with an empty database`,
  )
}

const property = (value: unknown, name: string): unknown =>
  value && typeof value === 'object' ? Reflect.get(value, name) : undefined
