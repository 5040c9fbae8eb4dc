/**
 * The benchmark: seeds a database for each engine, starts the server and a bare `node:http` server as processes, and
 * measures each workload in short alternating rounds, because machines are noisy.
 *
 *   npm run bench -- [--only list,one] [--engine sqlite] [--duration 2] [--rounds 5] [--restaurants 5000] [--json FILE]
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Child, startChild } from './child.ts'
import { CONNECTIONS, findGenerator, type LoadGenerator } from './load.ts'
import { startPostgres } from './postgres.ts'
import { header, machine, type Pair, type Result, type Round, resultOf, rows, verdicts } from './report.ts'
import { type Seeded, seed } from './seed.ts'
import { type BenchRequest, TOKEN, type Workload, workloads } from './workloads.ts'

const PROJECT = fileURLToPath(new URL('project/', import.meta.url))

interface Subject {
  readonly engine: string
  readonly child: Child
  readonly seeded: Seeded
}

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    engine: { type: 'string', default: 'sqlite,postgres' },
    duration: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    restaurants: { type: 'string', default: '5000' },
    json: { type: 'string' },
  },
})

const folder = mkdtempSync(join(tmpdir(), 'octavo-bench-'))
const cleanup: (() => Promise<unknown>)[] = []
try {
  await main()
} finally {
  for (const undo of cleanup.reverse()) await undo()
  rmSync(folder, { recursive: true, force: true })
}

async function main() {
  const generator = findGenerator(folder)
  const seconds = Number(options.duration)
  const rounds = Number(options.rounds)
  const only = options.only?.split(',')
  console.log(
    `load from ${generator.name}, ${CONNECTIONS} connections, ${rounds} rounds of ${seconds} s each`,
  )

  const subjects: Subject[] = []
  for (const engine of options.engine.split(',')) {
    if (engine !== 'sqlite' && engine !== 'postgres') throw new Error(`No engine ${engine}`)
    subjects.push(await prepare(engine))
  }
  const bare = await startChild('bare.ts', [])
  cleanup.push(() => bare.stop())

  const results: Result[] = []
  console.log(`\n${header()}`)
  for (const workload of workloads.filter(({ name }) => !only || only.includes(name))) {
    try {
      const result = await measure(workload, subjects, bare, generator, { seconds, rounds })
      results.push(result)
      for (const line of rows(result)) console.log(line)
    } catch (error) {
      process.exitCode = 1
      console.log(`${workload.title.padEnd(26)}  ${error instanceof Error ? error.message : error}`)
    }
  }
  console.log(`\n${verdicts(results).join('\n')}`)
  await keep(results, generator, subjects)
}

async function prepare(engine: string): Promise<Subject> {
  const postgres = engine === 'postgres' ? await startPostgres() : null
  if (postgres) cleanup.push(() => postgres.stop())
  const url = postgres ? await postgres.database('bench') : `sqlite:${join(folder, 'data.db')}`
  const began = performance.now()
  const seeded = await seed(PROJECT, url, Number(options.restaurants))
  const filledIn = (performance.now() - began) / 1000
  await postgres?.analyze('bench')
  const child = await startChild('server.ts', [PROJECT, url])
  cleanup.push(() => child.stop())
  console.log(
    `${engine}: ${seeded.restaurants.length} restaurants in ${filledIn.toFixed(1)} s,` +
      ` server up in ${Math.round(child.startedIn)} ms, ${await memory(child)} MB`,
  )
  return { engine, child, seeded }
}

async function memory(child: Child): Promise<number> {
  return Math.round((await child.ask({})).memory / 2 ** 20)
}

async function measure(
  workload: Workload,
  subjects: readonly Subject[],
  bare: Child,
  generator: LoadGenerator,
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<Result> {
  const pairs = new Map<string, Pair[]>(subjects.map(({ engine }) => [engine, []]))
  let bytes = 0
  for (const { child, seeded } of subjects) {
    const requests = workload.requests(seeded)
    const sample = await ask(child.address, requests[0])
    bytes = Buffer.byteLength(sample.body)
    await bare.ask({ answer: sample })
    await generator.drive(child.address, requests, 1)
  }
  for (let round = 0; round < rounds; round++) {
    for (const { engine, child, seeded } of subjects) {
      const requests = workload.requests(seeded)
      const beside = await drive(bare, requests, generator, seconds)
      pairs.get(engine)?.push({ bare: beside, own: await drive(child, requests, generator, seconds) })
    }
  }
  return resultOf(workload, bytes, pairs)
}

/** Drives a process and adds what each request cost it. */
async function drive(
  child: Child,
  requests: readonly BenchRequest[],
  generator: LoadGenerator,
  seconds: number,
): Promise<Round> {
  const before = await child.ask({})
  const measure = await generator.drive(child.address, requests, seconds)
  const after = await child.ask({})
  return { ...measure, processor: (after.processor - before.processor) / Math.max(1, measure.requests) }
}

/** One request as the load sends it; what it answers is what the bare server will send. */
async function ask(base: string, request: BenchRequest | undefined) {
  if (!request) throw new Error('The workload has no requests')
  const { method, path, body } = request
  const response = await fetch(base + encodeURI(path), {
    method,
    ...(body === undefined
      ? {}
      : { body, headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` } }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${text}`)
  return { status: response.status, contentType: response.headers.get('content-type') ?? '', body: text }
}

async function keep(results: readonly Result[], generator: LoadGenerator, subjects: readonly Subject[]) {
  const day = new Date().toISOString().slice(0, 10)
  const file = options.json ?? fileURLToPath(new URL(`results/${day}.json`, import.meta.url))
  mkdirSync(new URL('results/', import.meta.url), { recursive: true })
  const servers = []
  for (const { engine, child } of subjects) {
    servers.push({ engine, startedInMs: Math.round(child.startedIn), memoryMB: await memory(child) })
  }
  const content = {
    day,
    machine: machine(),
    generator: generator.name,
    connections: CONNECTIONS,
    servers,
    results,
  }
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)
  console.log(`\nkept in ${file}`)
}
