/** Compares a response with the one in the documentation. */
import assert from 'node:assert/strict'

/** Values that differ between runs: only their format is compared. */
const FORMATS: Readonly<Record<string, RegExp>> = {
  documentId: /^[a-z][a-z0-9]{23}$/,
  createdAt: /^\d{4}-\d\d-\d\dT/,
  updatedAt: /^\d{4}-\d\d-\d\dT/,
  publishedAt: /^\d{4}-\d\d-\d\dT/,
  hash: /./,
  url: /./,
}

/**
 * Fails unless the response equals the documented one, including the order of keys. `…` matches any value, at the end of a
 * list further items, and as a key further keys.
 */
export function assertDocumented(response: unknown, documented: unknown, at = 'response') {
  if (documented === '…') return
  if (Array.isArray(documented)) return assertList(response, documented, at)
  if (documented && typeof documented === 'object') return assertObject(response, documented, at)
  const format = FORMATS[at.split('.').at(-1) ?? '']
  if (format && documented !== null && response !== null) assert.match(String(response), format, at)
  else assert.deepEqual(response, documented, at)
}

function assertList(response: unknown, documented: readonly unknown[], at: string) {
  assert.ok(Array.isArray(response), `${at} is documented as a list`)
  const open = documented.at(-1) === '…'
  const items = open ? documented.slice(0, -1) : documented
  if (open) assert.ok(response.length > items.length, `${at} is documented with more items`)
  else assert.equal(response.length, items.length, `length of ${at}`)
  for (const [index, item] of items.entries()) assertDocumented(response[index], item, `${at}.${index}`)
}

function assertObject(response: unknown, documented: object, at: string) {
  assert.ok(
    response && typeof response === 'object' && !Array.isArray(response),
    `${at} is documented as an object`,
  )
  const values = new Map<string, unknown>(Object.entries(response))
  const keys = Object.keys(documented).filter((key) => key !== '…')
  const known = [...values.keys()].filter((key) => !('…' in documented) || keys.includes(key))
  assert.deepEqual(known, keys, `keys of ${at}`)
  for (const [key, value] of Object.entries(documented))
    if (key !== '…') assertDocumented(values.get(key), value, `${at}.${key}`)
}
