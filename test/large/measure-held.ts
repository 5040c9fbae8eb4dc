/**
 * A server in a process of its own that measures what requests of one kind leave in memory. Prints the megabytes that it
 * holds more after them than before, when all code is loaded.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { notesAndTags } from '../support/notes-and-tags.ts'
import { serve } from '../support/server.ts'

const [databaseUrl = '', kind = '', times = ''] = process.argv.slice(2)
const api = await serve(new Map(Object.entries(notesAndTags)), databaseUrl, {
  cache: { maxBytes: 1_000_000 },
  auth: { passwordMemory: 8 },
})

const OPERATORS = [
  '$eq',
  '$ne',
  '$lt',
  '$lte',
  '$gt',
  '$gte',
  '$contains',
  '$containsi',
  '$startsWith',
  '$endsWith',
]
const operatorAt = (number: number, place: number) =>
  OPERATORS[Math.floor(number / OPERATORS.length ** place) % OPERATORS.length]
const levels = Array.from({ length: 30 }, (_, level) => (level % 2 === 0 ? 'tags' : 'notes')).join('.')

const get = async (path: string) => (await fetch(`${api.base}${path}`)).arrayBuffer()

const KINDS: Readonly<Record<string, (number: number) => Promise<unknown>>> = {
  /** Short query strings whose statements are long, each of another shape. */
  shapes: (number) =>
    get(
      `/api/notes?populate=${levels}&${[0, 1, 2].map((place) => `filters[$and][${place}][title][${operatorAt(number, place)}]=x`).join('&')}`,
    ),
  /** Query strings that differ in their values. */
  values: (number) => get(`/api/notes?filters[title][$containsi]=${number}${'x'.repeat(1_500)}`),
  /** Sign-ins with the longest identifiers that a body can have. */
  identifiers: (number) =>
    fetch(`${api.base}/api/auth/local`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ identifier: `${number}${'x'.repeat(1_000_000)}`, password: 'wrong' }),
    }).then((response) => response.arrayBuffer()),
}

async function heldMemory(): Promise<number> {
  let held = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5; round++) {
    globalThis.gc?.()
    await sleep(20)
    const { heapUsed, external } = process.memoryUsage()
    held = Math.min(held, heapUsed + external)
  }
  return held / 2 ** 20
}

const send = KINDS[kind] ?? (() => Promise.reject(new Error(`Unknown kind of requests: ${kind}`)))
/** Sends the requests with these numbers, some at the same time. */
async function sendAll(first: number, end: number): Promise<void> {
  const numbers = Array.from({ length: end - first }, (_, index) => first + index)
  for (let at = 0; at < numbers.length; at += 8) await Promise.all(numbers.slice(at, at + 8).map(send))
}

const LOADING = 24
await sendAll(0, LOADING)
const before = await heldMemory()
await sendAll(LOADING, LOADING + Number(times))
const after = await heldMemory()
process.stdout.write(JSON.stringify({ before, after, grown: after - before }))
await api.close()
