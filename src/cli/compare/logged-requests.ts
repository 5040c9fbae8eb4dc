/** Reads GET requests from a log: access logs, JSON lines, or plain paths, one per line. */

/** The path and query of the GET request in a line; null if it has none, or another method. */
export function requestIn(line: string): string | null {
  const text = line.trim()
  if (text.startsWith('{')) return requestInJson(text)
  const [, method, target] = /(?:^|["\s])(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s+(\S+)/.exec(text) ?? []
  if (method !== undefined) return method === 'GET' ? pathOf(target ?? '') : null
  return /^(\/|https?:\/\/)\S*$/.test(text) ? pathOf(text) : null
}

/** Keys under which logs have the request: of Octavo, and of common log formats. */
const URL_KEYS = ['url', 'path', 'request_uri', 'uri']

function requestInJson(text: string): string | null {
  let fields: Record<string, unknown>
  try {
    fields = JSON.parse(text)
  } catch {
    return null
  }
  const nested: unknown = fields.req ?? fields.request
  const record = typeof nested === 'object' && nested !== null ? { ...fields, ...nested } : fields
  const values = new Map<string, unknown>(Object.entries(record))
  const method = values.get('method')
  if (method !== undefined && method !== 'GET') return null
  const url = URL_KEYS.map((key) => values.get(key)).find((value) => typeof value === 'string')
  return typeof url === 'string' ? pathOf(url) : null
}

/** Credentials and hosts in a log are not sent anywhere: only the path and the query count. */
function pathOf(url: string): string | null {
  const base = 'http://localhost'
  if (!URL.canParse(url, base)) return null
  const { pathname, search } = new URL(url, base)
  return pathname + search
}
