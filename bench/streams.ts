/**
 * Opens many live streams on one process, `streams.ts [COUNT]`, and measures the memory that each takes and how long an
 * event takes to reach all of them. A stream takes less than 100 kB, and an event reaches all within a second.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, type ClientRequest, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { copiedProject } from './parts/workloads.ts'
import { median } from './results.ts'
import { startOctavo } from './servers/server-process.ts'
import { TOKEN } from './workloads.ts'

const COUNT = Number(process.argv[2] ?? 1_000)
const EVENTS = 20
const MAX_KB = 100
const MAX_MS = 1_000
/** Milliseconds until memory that connecting took is free again. */
const SETTLE = 3_000
/** Streams that are opened at the same time. */
const BATCH = 50

const folder = mkdtempSync(join(tmpdir(), 'octavo-streams-'))
const subject = await startOctavo({
  project: copiedProject(folder),
  database: `sqlite:${join(folder, 'streams.db')}`,
})
const headers = { authorization: `Bearer ${TOKEN}`, accept: 'text/event-stream' }
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
const open: ClientRequest[] = []
/** Called with each event on each stream. */
let onEvent: (documentId: string) => void = () => {}

function openStream(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const sent = request(`${subject.address}/api/events`, { headers, agent }, (response) => {
    if (response.statusCode !== 200) return reject(new Error(`A stream was refused: ${response.statusCode}`))
    response.setEncoding('utf8')
    response.on('error', () => {})
    response.on('data', (chunk: string) => {
      resolve()
      for (const [, documentId = ''] of chunk.matchAll(/"documentId":"(\w+)"/g)) onEvent(documentId)
    })
  })
  sent.on('error', reject)
  sent.end()
  open.push(sent)
  return promise
}

async function create(name: string): Promise<string> {
  const response = await fetch(`${subject.address}/api/countries`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ data: { name } }),
  })
  const { data }: { data: { documentId: string } } = JSON.parse(await response.text())
  return data.documentId
}

/** The milliseconds from the start of a write until its event has reached every stream. */
async function deliver(name: string): Promise<number> {
  const arrived = new Map<string, number>()
  const all = Promise.withResolvers<void>()
  let expected = ''
  const check = () => {
    if ((arrived.get(expected) ?? 0) >= COUNT) all.resolve()
  }
  onEvent = (documentId) => {
    arrived.set(documentId, (arrived.get(documentId) ?? 0) + 1)
    check()
  }
  const began = performance.now()
  expected = await create(name)
  check()
  await all.promise
  return performance.now() - began
}

const memory = () => (subject.use()?.memory ?? 0) * 1024

try {
  for (let count = 0; count < EVENTS; count++) await create(`Warm-up ${count}`)
  await sleep(SETTLE)
  const before = memory()
  for (let count = 0; count < COUNT; count += BATCH)
    await Promise.all(Array.from({ length: Math.min(BATCH, COUNT - count) }, openStream))
  await sleep(SETTLE)
  const idle = (memory() - before) / COUNT
  const times: number[] = []
  for (let count = 0; count < EVENTS; count++) times.push(await deliver(`Country ${count}`))
  await sleep(SETTLE)
  const used = (memory() - before) / COUNT
  console.log(
    `${COUNT} streams: ${idle.toFixed(0)} kB each when idle, ${used.toFixed(0)} kB after ${EVENTS} events`,
  )
  console.log(
    `an event reaches all in ${median(times).toFixed(0)} ms (median), ${Math.max(...times).toFixed(0)} ms (longest of ${EVENTS})`,
  )
  if (Math.max(idle, used) > MAX_KB || Math.max(...times) > MAX_MS) process.exitCode = 1
} finally {
  for (const stream of open) stream.destroy()
  await subject.stop()
  rmSync(folder, { recursive: true, force: true })
}
