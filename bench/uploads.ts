/**
 * Load test for uploads: many large files in parallel with reads. Reports read latencies with and without uploads and
 * the server's peak memory; fails if an upload fails or memory exceeds its limit.
 *
 *   node bench/uploads.ts [--engine sqlite] [--uploads 50] [--megabytes 5] [--kind photo,file]
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import sharp from 'sharp'
import { fillInBulk } from './content/bulk.ts'
import { type Child, startChild } from './servers/child-process.ts'
import { startPostgres } from './servers/postgres.ts'
import { TOKEN } from './workloads.ts'

const MEMORY_BOUND = 400
const READERS = 4

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    uploads: { type: 'string', default: '50' },
    megabytes: { type: 'string', default: '5' },
    kind: { type: 'string', default: 'file,photo' },
  },
})

const folder = isMainThread ? mkdtempSync(join(tmpdir(), 'octavo-uploads-')) : ''
const cleanup: (() => Promise<unknown>)[] = []
if (isMainThread) await main()
else await sendAll(workerData)

async function main(): Promise<void> {
  try {
    for (const engine of options.engine.split(',')) await check(engine)
  } finally {
    for (const undo of cleanup.reverse()) await undo()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function check(engine: string): Promise<void> {
  const project = join(folder, engine)
  cpSync(fileURLToPath(new URL('project/', import.meta.url)), project, { recursive: true })
  const url = await databaseFor(engine, project)
  await fillInBulk(project, url, 500)
  const child = await startChild('server.ts', [project, url])
  cleanup.push(() => child.stop())
  const alone = await whileReading(child, () => sleep(3000))
  console.log(`${engine}: reads alone ${describe(alone)}`)
  const size = Number(options.megabytes) * 1_000_000
  for (const kind of options.kind.split(',')) {
    const content = kind === 'photo' ? await photo(size) : Buffer.alloc(size, 'not a text file \0')
    const began = performance.now()
    const { result, ...reads } = await whileReading(child, () => uploadAll(child.address, content))
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    const failed = result.filter((status) => status !== 201)
    console.log(
      `${engine}: ${result.length} uploads of a ${kind} of ${(content.length / 1e6).toFixed(1)} MB in ${seconds} s,` +
        ` ${failed.length} failed; reads meanwhile ${describe(reads)}`,
    )
    if (failed.length > 0 || reads.failures > 0 || reads.together > MEMORY_BOUND) process.exitCode = 1
  }
}

async function databaseFor(engine: string, project: string): Promise<string> {
  if (engine === 'sqlite') return `sqlite:${join(project, 'data.db')}`
  const postgres = await startPostgres()
  cleanup.push(() => postgres.stop())
  return postgres.database('uploads')
}

/** A photo of about this many bytes: 12 megapixels, as phones take them. */
async function photo(size: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const picture = sharp({ create: { width: 4000, height: 3000, channels: 3, background: 'black', noise } })
  const pixels = await picture.blur(1).png({ compressionLevel: 1 }).toBuffer()
  let best = Buffer.alloc(0)
  for (let quality = 30; quality <= 100 && best.length < size; quality += 5)
    best = await sharp(pixels).jpeg({ quality }).toBuffer()
  return best
}

/** Sends all uploads from a separate thread, so that the client does not delay its own reads. */
function uploadAll(base: string, content: Buffer): Promise<number[]> {
  const work = { base, content, uploads: Number(options.uploads) }
  const sender = new Worker(new URL(import.meta.url), { workerData: work })
  return new Promise((resolve, reject) => {
    sender.once('message', resolve)
    sender.once('error', reject)
  })
}

async function sendAll({ base, content, uploads }: { base: string; content: Uint8Array; uploads: number }) {
  const part = new Blob([new Uint8Array(content)])
  const statuses = await Promise.all(
    Array.from({ length: uploads }, async (_, index) => {
      const form = new FormData()
      form.append('files', part, `upload-${index}`)
      const headers = { authorization: `Bearer ${TOKEN}` }
      const response = await fetch(`${base}/api/upload`, { method: 'POST', headers, body: form })
      await response.arrayBuffer()
      return response.status
    }),
  )
  parentPort?.postMessage(statuses)
}

interface Reads {
  readonly times: readonly number[]
  readonly failures: number
  /** Peak memory in MB: of the server, and of the server with its image process. */
  readonly memory: number
  readonly together: number
}

/**
 * Memory of the server's image process in MB; 0 while there is none. On Linux, program text shared by both processes is
 * split between them.
 */
function picturesMemory(server: number): number {
  const lines = execFileSync('ps', ['-A', '-o', 'ppid=,pid=,rss=,args='], { encoding: 'utf8' }).split('\n')
  const [, pid, resident] =
    lines
      .map((line) => line.trim().split(/\s+/))
      .find(
        ([parent, , , ...words]) => Number(parent) === server && words.join().includes('image-process'),
      ) ?? []
  if (pid === undefined) return 0
  const shares = `/proc/${pid}/smaps_rollup`
  const shared = existsSync(shares) ? /^Pss:\s+(\d+)/m.exec(readFileSync(shares, 'utf8'))?.[1] : null
  return Number(shared ?? resident) / 1024
}

/** Sends reads until the work is done. */
async function whileReading<Result>(
  child: Child,
  work: () => Promise<Result>,
): Promise<Reads & { result: Result }> {
  const times: number[] = []
  let failures = 0
  let memory = 0
  let together = 0
  let over = false
  const read = async () => {
    for (let page = 1; !over; page = (page % 20) + 1) {
      const began = performance.now()
      const response = await fetch(`${child.address}/api/restaurants?populate=chef&pagination[page]=${page}`)
      await response.arrayBuffer()
      times.push(performance.now() - began)
      if (!response.ok) failures += 1
      await sleep(5)
    }
  }
  const watch = async () => {
    while (!over) {
      const server = await child.sendOnce({})
      const own = Number(server.memory) / 2 ** 20
      memory = Math.max(memory, own)
      together = Math.max(together, own + picturesMemory(Number(server.pid)))
      await sleep(100)
    }
  }
  const background = [watch(), ...Array.from({ length: READERS }, read)]
  try {
    const result = await work()
    return { result, times, failures, memory: Math.round(memory), together: Math.round(together) }
  } finally {
    over = true
    await Promise.all(background)
  }
}

function describe({ times, failures, memory, together }: Reads): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(0.99999)} ms (${times.length} reads, ${failures} failed), memory ${memory} MB, with the image process ${together} MB`
}
