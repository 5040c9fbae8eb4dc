/** Holds an answer against its expectation and says where they part. */
import type { Answer } from './client.ts'
import { isObject } from './memory.ts'
import type { Expectation, Json, Recording, Step } from './recording.ts'

/**
 * The expectation with the deliberate differences of SPEC.md: a create answer has no `id`, components carry a
 * `documentId`, documents directly in `data` carry `meta`, a DELETE is 204 and empty. A server that is set to be
 * compatible has only the last of them.
 */
export function asSpecified(step: Step, expect: Expectation, recording: Recording): Expectation {
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

/** Every difference between a normalised answer and what was expected, as a line of text. */
export function differences(step: Step, expect: Expectation, answer: Answer): string[] {
  const found: string[] = []
  const differ = (where: string, expected: unknown, got: unknown) =>
    found.push(`${where}: expected ${shorten(expected)}, got ${shorten(got)}`)

  if (expect.status !== answer.status) differ('status', expect.status, answer.status)
  if (expect.allow !== undefined && listed(expect.allow) !== listed(answer.allow ?? '')) {
    differ('allow', expect.allow, answer.allow)
  }
  if (expect.status >= 400) return [...found, ...errorDifferences(expect, answer)]
  if (expect.body === undefined) return found
  const contentType = expect.contentType ?? (expect.body === null ? answer.contentType : 'application/json')
  if (contentType !== answer.contentType) differ('content-type', contentType, answer.contentType)
  const prepare = (body: Json) => (step.unordered ? withSortedList(body) : body)
  walk(prepare(expect.body), prepare(answer.body), 'body', differ)
  return found
}

/** Of an error the name and the places count, and that the error object is whole; the words are our own. */
function errorDifferences(expect: Expectation, { status, body }: Answer): string[] {
  if (!expect.error) return []
  const error = isObject(body) ? body.error : undefined
  if (!isObject(body) || !isObject(error)) return [`body: expected an error object, got ${shorten(body)}`]
  const { name, message, details } = error
  const whole =
    body.data === null && error.status === status && typeof message === 'string' && isObject(details)
  if (!whole) return [`body: expected a whole error object, got ${shorten(body)}`]
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

const listed = (header: string) =>
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

function walk(
  expected: Json,
  got: Json,
  where: string,
  differ: (where: string, expected: unknown, got: unknown) => void,
) {
  if (canonical(expected) === canonical(got)) return
  if (Array.isArray(expected) && Array.isArray(got) && expected.length === got.length) {
    for (const [index, item] of expected.entries())
      walk(item, got[index] ?? null, `${where}[${index}]`, differ)
  } else if (isObject(expected) && isObject(got)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(got)])) {
      const [wanted, found] = [expected[key], got[key]]
      if (wanted === undefined || found === undefined) differ(`${where}.${key}`, wanted, found)
      else walk(wanted, found, `${where}.${key}`, differ)
    }
  } else differ(where, expected, got)
}

const shorten = (value: unknown) => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
