/** The rules every response must follow, and the differences allowed between the two servers. */

import type { KnownIds } from './known-ids.ts'
import type { FuzzRequest, WireRequest } from './request.ts'

export interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

const ERROR_NAMES: Readonly<Record<number, readonly string[]>> = {
  400: ['ValidationError', 'SyntaxError', 'ApplicationError', 'PaginationError'],
  401: ['UnauthorizedError'],
  403: ['ForbiddenError'],
  404: ['NotFoundError'],
  405: ['MethodNotAllowedError'],
  408: ['RequestTimeoutError'],
  412: ['PreconditionFailedError'],
  413: ['PayloadTooLargeError'],
  415: ['UnsupportedMediaTypeError'],
  429: ['RateLimitError'],
  431: ['HeadersTooLargeError'],
  503: ['ServiceUnavailableError'],
}

/** Internal terms. An error may contain them only if the request did. */
const INSIDE = [
  ...[
    /\n\s+at .+:\d+/,
    /node:internal/,
    /node_modules/,
    /\.ts:\d+/,
    /SQLITE_|ERR_SQLITE/,
    /syntax error at or near/,
  ],
  ...[/\bviolates\b.*\bconstraint\b/, /\b(select|insert into|update|delete from) "/i, /octavo_edges/],
  ...[
    /cannot read propert/i,
    /is not a function/,
    /invalid byte sequence/,
    /invalid input syntax/,
    /is not iterable/,
  ],
]
/** What no response may contain: password hashes and the signing secret. */
const SECRET = /\$argon2id\$|the same secret for both/

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What is wrong with a single response; null if nothing is. */
export function findFault(
  ask: FuzzRequest,
  wire: WireRequest,
  { status, headers, text }: Response,
): string | null {
  if (status >= 500 && !(status === 503 && headers['retry-after'] !== undefined)) return `answers ${status}`
  const sent = `${wire.target} ${wire.body ?? ''} ${decoded(wire.target)}`
  if (SECRET.test(text)) return 'leaks a secret'
  const inside =
    status < 400 ? undefined : INSIDE.find((pattern) => pattern.test(text) && !pattern.test(sent))
  if (inside) return `exposes internals: ${inside}`
  if (ask.method === 'HEAD' || status === 204 || status === 304)
    return text === '' ? null : `has a body with ${ask.method} ${status}`
  if (status < 400) return isJson(headers) && parsed(text) === undefined ? 'is not JSON' : null
  if (isPage(headers))
    return wantsPage(ask) ? null : `has a page with ${status} for a client that did not ask for one`
  const body = parsed(text)
  const error = isObject(body) ? body.error : undefined
  if (!isObject(body) || body.data !== null || !isObject(error)) return `has no error object with ${status}`
  if (error.status !== status) return 'has a different status in its error object'
  if (!ERROR_NAMES[status]?.includes(String(error.name))) return `calls ${status} a ${error.name}`
  if (typeof error.message !== 'string' || error.message === '') return 'has no message'
  if (!isObject(error.details)) return 'has no details'
  if (status === 405 && headers.allow === undefined) return 'has no Allow header'
  return null
}

const isJson = (headers: Response['headers']) => String(headers['content-type'] ?? '').includes('json')
const isPage = (headers: Response['headers']) => String(headers['content-type'] ?? '').includes('text/html')
const wantsPage = ({ headers }: FuzzRequest) =>
  headers.some(([name, value]) => name === 'accept' && value.includes('text/html'))

/** The random value with which a page allows its own scripts. */
const NONCE = /(?<=nonce=")[^"]+/g

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const COMPARED_HEADERS = ['content-type', 'allow', 'octavo-omitted', 'x-total-count', 'cache-control', 'vary']

/** Times, random names and signatures differ between servers. */
const OWN =
  /^(createdAt|updatedAt|publishedAt|lastUsedAt|jwt|refreshToken|token|\w*[cC]ursor|requestId|changes)$/
const TIMES = /createdAt|updatedAt|publishedAt/

/** A refused migration lists documents in the order of their random ids. */
const PLAN = /This takes content away|The content is in the way/

/** The difference between two responses that should be equal; null if there is none. */
export function findDifference(
  ask: FuzzRequest,
  [ours, theirs]: readonly [Response, Response],
  memory: KnownIds,
  wires: readonly [WireRequest, WireRequest],
): string | null {
  if (ours.status !== theirs.status) return `answers ${ours.status} and ${theirs.status}`
  if (ours.status === 503) return null
  for (const name of COMPARED_HEADERS) {
    // The number of files that match a search depends on their random names.
    if (name === 'x-total-count' && isLoose(ask)) continue
    const [a, b] = [ours.headers[name], theirs.headers[name]]
    if (String(a) !== String(b)) return `has the header ${name}: ${a} and ${b}`
  }
  if (ours.text === theirs.text || isLoose(ask)) return null
  if (PLAN.test(ours.text) && PLAN.test(theirs.text)) return null
  const read = ask.route === '/api/openapi.json' && ours.status === 200 ? withoutPositions : parsed
  const [a, b] = [read(ours.text), read(theirs.text)]
  if (a === undefined || b === undefined)
    return ours.text.replace(NONCE, '') === theirs.text.replace(NONCE, '') ? null : 'has a different body'
  return compare(a, b, '', { memory, refused: ours.status >= 400, wires })
}

/** The OpenAPI document without the header that only one engine has. */
function withoutPositions(text: string): unknown {
  return JSON.parse(text, (key, value: unknown) => {
    if (key === 'Octavo-Position' || key === 'Position') return undefined
    if (key === 'headers' && isObject(value) && Object.keys(value).length === 0) return undefined
    if (key !== 'parameters' || !Array.isArray(value)) return value
    const others = value.filter((one) => !(isObject(one) && String(one.$ref).endsWith('/Position')))
    return others.length > 0 ? others : undefined
  })
}

/**
 * Sorting or limiting by times or random ids selects different documents on each server. Folder names may contain ids,
 * which differ between servers. Query plans depend on the engine.
 */
const isLoose = ({ query, route, path }: FuzzRequest) =>
  route === '/api/upload/folders' ||
  // Durations and engine statistics.
  path === '/metrics' ||
  query.some(
    ({ name, value }) =>
      TIMES.test(name + value) ||
      name.startsWith('explain') ||
      (/^(sort|populate)/.test(name) && /documentId/.test(name + value)) ||
      /hash|url/i.test(name + value) ||
      (route.startsWith('/api/upload') && name.startsWith('_q')),
  )

interface Comparing {
  readonly memory: KnownIds
  readonly refused: boolean
  readonly wires: readonly [WireRequest, WireRequest]
}

function compare(a: unknown, b: unknown, at: string, comparing: Comparing): string | null {
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return `has ${a.length} and ${b.length} entries at ${at || 'the top'}`
    for (const [index, item] of a.entries()) {
      const found = compare(item, b[index], `${at}.${index}`, comparing)
      if (found) return found
    }
    return null
  }
  if (isObject(a) && isObject(b)) {
    const [ours, theirs] = [Object.keys(a), Object.keys(b)]
    if (ours.join() !== theirs.join()) return `has the keys ${ours} and ${theirs} at ${at || 'the top'}`
    for (const key of ours) {
      const found = compareMember(key, a, b, `${at}.${key}`, comparing)
      if (found) return found
    }
    return null
  }
  return a === b || sameText(a, b, comparing) ? null : `has ${show(a)} and ${show(b)} at ${at || 'the top'}`
}

type Values = Readonly<Record<string, unknown>>

function compareMember(key: string, a: Values, b: Values, at: string, comparing: Comparing): string | null {
  const [x, y] = [a[key], b[key]]
  const { memory } = comparing
  if (OWN.test(key))
    return typeof x === typeof y && (x === null) === (y === null)
      ? null
      : `has ${show(x)} and ${show(y)} at ${at}`
  if (typeof x === 'string' && typeof y === 'string') {
    if (key === 'documentId')
      return memory.correspond('name', x, y)
        ? null
        : `names ${show(x)} and ${show(y)} at ${at}, which do not correspond`
  }
  if (key === 'id' && typeof x === 'number' && typeof y === 'number') {
    const kind = typeof a.documentId === 'string' ? `id of ${a.documentId}` : 'id'
    if (kind === 'id') return null
    return memory.correspond(kind, String(x), String(y)) ? null : `has ids at ${at} that do not correspond`
  }
  return compare(x, y, at, comparing)
}

/** Strings may contain ids, and errors quote the request. */
function sameText(a: unknown, b: unknown, { memory, refused, wires }: Comparing): boolean {
  if (typeof a === 'string' && typeof b === 'string' && memory.agree(a, b)) return true
  // A number in an error that quotes the request is equal if each server quotes its own.
  if (!refused) return false
  const [ours, theirs] = [String(a).split(NUMBER), String(b).split(NUMBER)]
  const sent = wires.map(({ target, body }) => new Set(`${decoded(target)} ${body ?? ''}`.match(/\d+/g)))
  return (
    ours.length === theirs.length &&
    ours.every((part, index) => {
      const other = theirs[index] ?? ''
      if (index % 2 === 0) return memory.agree(part, other)
      return part === other || (sent[0]?.has(part) === true && sent[1]?.has(other) === true)
    })
  )
}

const NUMBER = /(?<![a-z0-9])(\d+)(?![a-z0-9])/

const show = (value: unknown) => String(JSON.stringify(value)).slice(0, 120)

/** Records the ids in a response, so that later requests can refer to them. */
export function recordIds(
  ask: FuzzRequest,
  [ours, theirs]: readonly [Response, Response],
  memory: KnownIds,
  uid: string | null,
): void {
  if (typeof ours.headers.etag === 'string' && typeof theirs.headers.etag === 'string')
    memory.note('etag', ours.headers.etag, theirs.headers.etag)
  if (ours.status >= 300 || ask.method === 'HEAD' || !isJson(ours.headers) || isLoose(ask)) return
  const [a, b] = [parsed(ours.text), parsed(theirs.text)]
  if (!isObject(a) || !isObject(b)) return
  learnCursors(a, b, memory)
  const made = ask.method === 'POST' && ask.route !== '/api/batch'
  if (made && /users|register/.test(ask.route)) learnId('made user', subject(a), subject(b), memory)
  if (made && ask.route === '/admin/api/tokens') learnId('made token', subject(a), subject(b), memory)
  if (uid !== null) recordDocumentIds(uid, a.data, b.data, memory)
}

const subject = (body: Values): Values => {
  const inner = body.data ?? body.user ?? body
  return isObject(inner) ? inner : {}
}

function learnId(pool: string, a: Values, b: Values, memory: KnownIds): void {
  if (a.id !== undefined && b.id !== undefined) memory.note(pool, String(a.id), String(b.id))
}

function learnCursors(a: Values, b: Values, memory: KnownIds): void {
  const pages = [a, b].map(({ meta }) => (isObject(meta) && isObject(meta.pagination) ? meta.pagination : {}))
  for (const [key, value] of Object.entries(pages[0] ?? {})) {
    const other = pages[1]?.[key]
    if (/cursor/i.test(key) && typeof value === 'string' && typeof other === 'string')
      memory.note('cursor', value, other)
  }
}

/** The top-level documents of a response and their component entries. */
export function recordDocumentIds(uid: string, a: unknown, b: unknown, memory: KnownIds): void {
  const [ours, theirs] = [Array.isArray(a) ? a : [a], Array.isArray(b) ? b : [b]]
  for (const [index, one] of ours.entries()) {
    const other: unknown = theirs[index]
    if (!isObject(one) || !isObject(other)) continue
    if (typeof one.documentId === 'string' && typeof other.documentId === 'string')
      memory.note(`doc ${uid}`, one.documentId, other.documentId)
    if (typeof one.id === 'number' && typeof other.id === 'number')
      memory.note(`id ${uid}`, String(one.id), String(other.id))
    for (const [key, value] of Object.entries(one)) learnEntries(value, other[key], memory)
  }
}

function learnEntries(a: unknown, b: unknown, memory: KnownIds): void {
  const [ours, theirs] = [Array.isArray(a) ? a : [a], Array.isArray(b) ? b : [b]]
  for (const [index, one] of ours.entries()) {
    const other: unknown = theirs[index]
    if (
      isObject(one) &&
      isObject(other) &&
      typeof one.id === 'number' &&
      typeof other.id === 'number' &&
      !('createdAt' in one)
    )
      memory.note('entry', String(one.id), String(other.id))
  }
}
