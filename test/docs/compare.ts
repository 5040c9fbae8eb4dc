/** Holds an answer against the one that the documentation shows. */
import assert from 'node:assert/strict'

/** Values that differ from run to run: only their kind is compared. */
const KIND: Readonly<Record<string, RegExp>> = {
  id: /^\d+$/,
  documentId: /^[a-z][a-z0-9]{23}$/,
  createdAt: /^\d{4}-\d\d-\d\dT/,
  updatedAt: /^\d{4}-\d\d-\d\dT/,
  publishedAt: /^(\d{4}-\d\d-\d\dT|null)/,
  hash: /./,
  url: /./,
}

/**
 * Fails unless the answer is what is shown. The text `…` stands for anything, at the end of a list for more of it, and
 * as a key for further keys. Order of keys counts: the documentation shows what people see.
 */
export function assertShown(answer: unknown, shown: unknown, at = 'answer') {
  if (shown === '…') return
  if (Array.isArray(shown)) return assertList(answer, shown, at)
  if (shown && typeof shown === 'object') return assertObject(answer, shown, at)
  const kind = KIND[at.split('.').at(-1) ?? '']
  if (kind && (shown === null) === (answer === null)) assert.match(String(answer), kind, at)
  else assert.deepEqual(answer, shown, at)
}

function assertList(answer: unknown, shown: readonly unknown[], at: string) {
  assert.ok(Array.isArray(answer), `${at} is shown as a list`)
  const open = shown.at(-1) === '…'
  const items = open ? shown.slice(0, -1) : shown
  if (open) assert.ok(answer.length > items.length, `${at} is shown with more items`)
  else assert.equal(answer.length, items.length, `length of ${at}`)
  for (const [index, item] of items.entries()) assertShown(answer[index], item, `${at}.${index}`)
}

function assertObject(answer: unknown, shown: object, at: string) {
  assert.ok(answer && typeof answer === 'object' && !Array.isArray(answer), `${at} is shown as an object`)
  const values = new Map<string, unknown>(Object.entries(answer))
  const keys = Object.keys(shown).filter((key) => key !== '…')
  const known = [...values.keys()].filter((key) => !('…' in shown) || keys.includes(key))
  assert.deepEqual(known, keys, `keys of ${at}`)
  for (const [key, value] of Object.entries(shown))
    if (key !== '…') assertShown(values.get(key), value, `${at}.${key}`)
}
