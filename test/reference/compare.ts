/** Compares a response with the expected one and lists the differences. */
import type { RecordedResponse } from './client.ts'
import { isObject } from './memory.ts'
import type { Expectation, Json, Recording, Step } from './recording.ts'

/**
 * The expected response with our deliberate differences: the response to a create has no `id`, components have a
 * `documentId`, documents directly in `data` have `meta`, and a DELETE returns 204 without a body. In compatibility mode
 * only the last one applies.
 */
export function withSpecifiedDifferences(step: Step, expect: Expectation, recording: Recording): Expectation {
  const type = recording.typeAt(step.path)
  if (!type || expect.status >= 300) return expect
  if (step.method === 'DELETE') return { status: 204, body: null }
  if (recording.compatible || !isObject(expect.body)) return expect
  const created = step.method === 'POST' && !type.single
  const document = (value: Json): Json => {
    if (!isObject(value)) return value
    const { id, ...rest } = value
    const kept = created || id === undefined ? rest : value
    return type.attributes.has('meta') ? kept : { ...kept, meta: {} }
  }
  const data = withComponentIds(expect.body.data ?? null, recording.opaque)
  return {
    ...expect,
    body: { ...expect.body, data: Array.isArray(data) ? data.map(document) : document(data) },
  }
}

/** In the recording, components are the objects with an `id` and no `documentId`. */
function withComponentIds(value: Json, opaque: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((item) => withComponentIds(item, opaque))
  if (!isObject(value)) return value
  const children = Object.entries(value).map(([key, child]): [string, Json] => [
    key,
    opaque.has(key) ? child : withComponentIds(child, opaque),
  ])
  const documentId = 'id' in value ? { documentId: '{{docId}}' } : {}
  return { ...documentId, ...Object.fromEntries(children) }
}

/** Every difference between a normalised response and the expected one, as a line of text. */
export function differences(step: Step, expect: Expectation, response: RecordedResponse): string[] {
  const found: string[] = []
  const report = (where: string, expected: unknown, got: unknown) =>
    found.push(`${where}: expected ${shorten(expected)}, got ${shorten(got)}`)

  if (expect.status !== response.status) report('status', expect.status, response.status)
  if (expect.allow !== undefined && sortedList(expect.allow) !== sortedList(response.allow ?? '')) {
    report('allow', expect.allow, response.allow)
  }
  if (expect.status >= 400) return [...found, ...errorDifferences(expect, response)]
  if (expect.body === undefined) return found
  const contentType = expect.contentType ?? (expect.body === null ? response.contentType : 'application/json')
  if (contentType !== response.contentType) report('content-type', contentType, response.contentType)
  const prepare = (body: Json) => (step.unordered ? withSortedList(body) : body)
  compareValues(prepare(expect.body), prepare(response.body), 'body', report)
  return found
}

/** Of an error, the name and the paths are compared, and that the error object is complete, but not the message. */
function errorDifferences(expect: Expectation, { status, body }: RecordedResponse): string[] {
  if (!expect.error) return []
  const error = isObject(body) ? body.error : undefined
  if (!isObject(body) || !isObject(error)) return [`body: expected an error object, got ${shorten(body)}`]
  const { name, message, details } = error
  const isComplete =
    body.data === null && error.status === status && typeof message === 'string' && isObject(details)
  if (!isComplete) return [`body: expected a complete error object, got ${shorten(body)}`]
  const found: string[] = []
  if (name !== expect.error) found.push(`error.name: expected ${expect.error}, got ${name} (${message})`)
  for (const part of ['key', 'source', 'param'] as const) {
    if (expect[part] !== undefined && expect[part] !== details[part]) {
      found.push(
        `error.details.${part}: expected ${expect[part]}, got ${shorten(details[part])} (${message})`,
      )
    }
  }
  if (expect.paths && expect.paths.join() !== pathsOf(details.errors).join()) {
    found.push(`error paths: expected ${expect.paths}, got ${pathsOf(details.errors)} (${message})`)
  }
  return found
}

const pathsOf = (problems: Json | undefined) =>
  [
    ...new Set(
      (Array.isArray(problems) ? problems : []).map((problem) =>
        isObject(problem) && Array.isArray(problem.path) ? problem.path.join('.') : '',
      ),
    ),
  ]
    .filter((path) => path !== '')
    .sort()

const sortedList = (header: string) =>
  header
    .split(',')
    .map((word) => word.trim())
    .sort()
    .join()

function withSortedList(body: Json): Json {
  const sorted = (list: readonly Json[]) =>
    list
      .map((item) => ({ item, text: canonical(item) }))
      .sort((a, b) => (a.text < b.text ? -1 : 1))
      .map(({ item }) => item)
  if (Array.isArray(body)) return sorted(body)
  return isObject(body) && Array.isArray(body.data) ? { ...body, data: sorted(body.data) } : body
}

/** Equal for values that differ only in the order of their keys. */
const canonical = (value: Json): string =>
  JSON.stringify(value, (_, child: Json) =>
    isObject(child)
      ? Object.fromEntries(Object.entries(child).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : child,
  )

function compareValues(
  expected: Json,
  got: Json,
  where: string,
  report: (where: string, expected: unknown, got: unknown) => void,
) {
  if (canonical(expected) === canonical(got)) return
  if (Array.isArray(expected) && Array.isArray(got) && expected.length === got.length) {
    for (const [index, item] of expected.entries())
      compareValues(item, got[index] ?? null, `${where}[${index}]`, report)
  } else if (isObject(expected) && isObject(got)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(got)])) {
      const [expectedValue, actual] = [expected[key], got[key]]
      if (expectedValue === undefined || actual === undefined)
        report(`${where}.${key}`, expectedValue, actual)
      else compareValues(expectedValue, actual, `${where}.${key}`, report)
    }
  } else report(where, expected, got)
}

const shorten = (value: unknown) => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
