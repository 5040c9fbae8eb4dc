/** What is compared of a value that the API returns: ids and timestamps are the server's. */

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]

const member = (name: string) => (value: unknown) => (isObject(value) ? value[name] : value)

/** The names of one or several related documents or files. */
export const names = (value: unknown) => listOf(value).map(member('name'))

export const namesWithTypes = (value: unknown) =>
  listOf(value).map((related) => (isObject(related) ? `${related.__type} ${related.name}` : related))

/** An entry of a component, with the names of its tag. */
export function entry(value: unknown): unknown {
  if (!isObject(value)) return value
  const { id: _id, documentId: _documentId, ...rest } = value
  return 'tag' in rest ? { ...rest, tag: names(rest.tag) } : rest
}

export const entries = (value: unknown) => (Array.isArray(value) ? value.map(entry) : value)
