/**
 * A program that fills the response cache of a server with responses of one size. It prints the bytes of memory that
 * remain in use and whether the last response is cached. Arguments: cache.maxBytes, the size of a response, the number of
 * responses.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer } from '../../src/http/app.ts'
import { writeFiles } from '../support/project-folder.ts'
import { collection, typeFile } from '../support/project-server.ts'

const [maxBytes, bodyBytes, count] = process.argv.slice(2).map(Number)
if (maxBytes === undefined || bodyBytes === undefined || count === undefined)
  throw new Error('Arguments: maxBytes bodyBytes count')

const folder = mkdtempSync(join(tmpdir(), 'octavo-cache-'))
writeFiles(folder, {
  'config/roles.json': { public: { 'api::note.note': ['find', 'create'] } },
  [typeFile('note')]: collection('note', { text: { type: 'text' } }),
})
const server = await createServer({
  project: folder,
  config: {
    cache: { maxBytes },
    server: { port: 0 },
    database: { url: `sqlite:${join(folder, 'data.db')}` },
  },
  logLevel: 'silent',
  production: false,
})

/** Measured after several collections with pauses, in which sockets and finalizers release memory. */
async function memoryInUse(): Promise<number> {
  for (let round = 0; round < 5; round++) {
    await sleep(50)
    globalThis.gc?.()
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

try {
  const base = await server.listen()
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const request = (index: number) =>
    new Promise<void>((resolve, reject) => {
      get(`${base}/api/notes?filters[id][$gt]=-${index}`, { agent }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`Status ${response.statusCode}`))
        response.on('end', resolve).resume()
      }).on('error', reject)
    })
  const created = await fetch(`${base}/api/notes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: { text: 'ö'.repeat(bodyBytes / 2) } }),
  })
  if (created.status !== 201) throw new Error(await created.text())
  for (let index = 0; index < count; index += 4)
    await Promise.all([0, 1, 2, 3].map((offset) => request(index + offset)))
  agent.destroy()
  const repeated = await fetch(`${base}/api/notes?filters[id][$gt]=-${count - 1}`)
  const isCached = repeated.headers.get('octavo-cache') === 'hit'
  await repeated.text()
  process.stdout.write(JSON.stringify({ bytes: await memoryInUse(), isCached }))
} finally {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}
