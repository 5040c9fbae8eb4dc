/** Replaces what differs between runs (ids, timestamps, tokens, names of stored files) with placeholders. */
import { isObject } from './memory.ts'
import type { Json, JsonObject, Recording } from './recording.ts'

const byName: Readonly<Record<string, string>> = {
  createdAt: '{{ts}}',
  updatedAt: '{{ts}}',
  publishedAt: '{{ts}}',
  jwt: '{{jwt}}',
  refreshToken: '{{jwt}}',
  documentId: '{{docId}}',
  hash: '{{hash}}',
  url: '{{url}}',
}

/** `keys` are the keys of the documents that the steps created, by documentId. */
export function normalise(
  body: Json,
  keys: ReadonlyMap<string, string>,
  { opaque }: Pick<Recording, 'opaque'>,
): Json {
  const value = (child: Json, name: string): Json => {
    if (opaque.has(name)) return child
    if (name === 'localizations' && Array.isArray(child))
      return byLocale(child.map((item) => value(item, '')))
    if (Array.isArray(child)) return child.map((item) => value(item, ''))
    if (name === 'formats' && isObject(child)) return formats(child)
    if (isObject(child)) return object(child)
    if (name === 'id' && typeof child === 'number') return '{{id}}'
    if (typeof child !== 'string') return child
    const key = keys.get(child)
    return key === undefined ? (byName[name] ?? child) : `{{docId:${key}}}`
  }
  const object = (from: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(from).map(([name, child]) => [name, value(child, name)]))
  // Derived images differ in bytes from one encoder to the next.
  const formats = (from: JsonObject) =>
    Object.fromEntries(
      Object.entries(from).map(([name, file]) => {
        if (!isObject(file)) return [name, file]
        const sizes = ['size', 'sizeInBytes'].filter((size) => size in file)
        return [name, { ...object(file), ...Object.fromEntries(sizes.map((size) => [size, '{{size}}'])) }]
      }),
    )
  return value(body, '')
}

const byLocale = (items: readonly Json[]) => {
  const localeOf = (item: Json) => (isObject(item) ? String(item.locale) : '')
  return [...items].sort((a, b) => localeOf(a).localeCompare(localeOf(b)))
}
