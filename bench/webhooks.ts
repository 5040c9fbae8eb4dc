/**
 * Measures what deliveries to webhooks take from content requests, `webhooks.ts [WEBHOOKS] [EVENTS]`: the CPU time of a
 * request while a server delivers all events to all webhooks, against rounds in which no receiver responds. Both are
 * measured on one process, since the CPU time of two processes that do the same differs by more than the limit.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillInBulk } from './content/bulk.ts'
import { findGenerator } from './load.ts'
import { copiedProject } from './parts/workloads.ts'
import { median } from './results.ts'
import { type Subject, startOctavo } from './servers/server-process.ts'
import { TOKEN, workloads } from './workloads.ts'

const WEBHOOKS = Number(process.argv[2] ?? 100)
const EVENTS = Number(process.argv[3] ?? 10_000)
const RESTAURANTS = 2_000
const PAIRS_OF_ROUNDS = 10
const SECONDS = 1
const BATCH = 100
/** The highest permitted CPU time relative to the rounds without deliveries. */
const MOST = 1.1

let delivered = 0
let isResponding = true
const held = new Set<ServerResponse>()
const receiver = createServer((request, response) => {
  request.resume()
  delivered++
  if (isResponding) response.end()
  else held.add(response)
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const bound = receiver.address()
const url = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}/`

function setResponding(responding: boolean): void {
  isResponding = responding
  if (!responding) return
  for (const response of held) response.end()
  held.clear()
}

function writeWebhooks(project: string): void {
  const endpoint = { url, secret: `whsec_${Buffer.alloc(32, 'bench').toString('base64')}` }
  const endpoints = Object.fromEntries(
    Array.from({ length: WEBHOOKS }, (_, index) => [`receiver-${index}`, endpoint]),
  )
  writeFileSync(join(project, 'config/webhooks.json'), JSON.stringify({ allow: ['127.0.0.1'], endpoints }))
}

async function writeEvents({ address }: Subject): Promise<void> {
  const create = { method: 'POST', path: '/api/countries', body: { data: { name: 'Country' } } }
  const body = JSON.stringify({ operations: Array.from({ length: BATCH }, () => create) })
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  for (let count = 0; count < EVENTS; count += BATCH) {
    const { status } = await fetch(`${address}/api/batch`, { method: 'POST', headers, body })
    if (status !== 200) throw new Error(`A batch was refused: ${status}`)
  }
}

const folder = mkdtempSync(join(tmpdir(), 'octavo-webhooks-'))
const database = `sqlite:${join(folder, 'webhooks.db')}`
const project = copiedProject(folder)
const seeded = await fillInBulk(project, database, RESTAURANTS)
writeWebhooks(project)
const subject = await startOctavo({ project, database })
try {
  await writeEvents(subject)
  const generator = findGenerator(folder)
  for (const workload of workloads.filter(({ name }) => name === 'list' || name === 'one')) {
    const requests = workload.requests(seeded)
    /** The CPU time of a request in microseconds, and the deliveries meanwhile. */
    const measure = async (delivering: boolean) => {
      setResponding(delivering)
      const before = subject.use()?.processor ?? 0
      const deliveredBefore = delivered
      const load = await generator.drive(subject.address, requests, SECONDS, TOKEN)
      return {
        processor: ((subject.use()?.processor ?? 0) - before) / load.requests,
        delivered: delivered - deliveredBefore,
      }
    }
    await measure(false)
    await measure(true)
    const ratios: number[] = []
    let sent = 0
    for (let pair = 0; pair < PAIRS_OF_ROUNDS; pair++) {
      const without = await measure(false)
      const during = await measure(true)
      ratios.push(during.processor / without.processor)
      sent += during.delivered
    }
    const ratio = median(ratios)
    console.log(
      `${workload.name.padEnd(5)} with ${WEBHOOKS} webhooks and ${EVENTS} events: CPU ×${ratio.toFixed(2)} (at most ×${MOST}), at ${(sent / PAIRS_OF_ROUNDS / SECONDS).toFixed(0)} deliveries per second`,
    )
    if (ratio > MOST) process.exitCode = 1
  }
} finally {
  await subject.stop()
  receiver.close()
  receiver.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
}
