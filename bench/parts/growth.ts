/** Growth: the same requests with increasing numbers of documents or content-types. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf } from '../../src/errors.ts'
import { fillInBulk } from '../content/bulk.ts'
import type { Seeded } from '../content/restaurants.ts'
import { manyTypes } from '../content/types.ts'
import type { Bench } from '../measure.ts'
import { growthHeader, growthLine } from '../report/lines.ts'
import type { Filled, GrowthFigure } from '../results.ts'
import { type Databases, openDatabases } from '../servers/databases.ts'
import { type Subject, startOctavo } from '../servers/server-process.ts'
import { type BenchRequest, TOKEN, workloads } from '../workloads.ts'
import { copiedProject } from './workloads.ts'

export interface Growth {
  readonly figures: readonly GrowthFigure[]
  readonly filled: readonly Filled[]
}

interface Asked {
  readonly workload: string
  readonly title: string
  readonly requests: readonly BenchRequest[]
}

/** Measures every size on every engine. */
export async function measureGrowth(bench: Bench, folder: string): Promise<Growth> {
  const figures: GrowthFigure[] = []
  const filled: Filled[] = []
  const { engines, documents, types } = bench.options
  for (const engine of engines) {
    const databases = await openDatabases(engine, folder)
    try {
      for (const size of documents)
        await grow('documents', size, () => withDocuments(bench, databases, folder, size))
      for (const size of types) await grow('types', size, () => withTypes(databases, folder, size))
    } finally {
      await databases.stop()
    }

    /** A size or workload that fails is reported and skipped; the run continues. */
    async function grow(grows: GrowthFigure['grows'], size: number, make: () => Promise<Grown>) {
      let grown: Grown | null = null
      try {
        grown = await make()
        const { subject, asked, token, filledInSeconds, startMs } = grown
        const target = { ...subject, token }
        const mixed = asked.flatMap(({ requests }) => requests)
        await bench.warmUp(target, mixed)
        console.log(`\n${growthHeader}`)
        for (const { workload, title, requests } of asked) {
          const measured = await bench.measure(target, requests)
          const figure = { grows, size, workload, title, engine, ...measured }
          figures.push(figure)
          console.log(growthLine(figure))
        }
        const memoryMB = subject.use()?.memory ?? null
        filled.push({ grows, size, engine, filledInSeconds, startMs, memoryMB })
      } catch (error) {
        process.exitCode = 1
        console.log(`${engine}, ${size} ${grows}: ${messageOf(error)}`)
      } finally {
        await grown?.end()
      }
    }
  }
  return { figures, filled }
}

interface Grown {
  readonly subject: Subject
  readonly asked: readonly Asked[]
  readonly token: string | null
  readonly filledInSeconds: number
  readonly startMs: number
  end(): Promise<void>
}

const sinceSeconds = (began: number) => Math.round((performance.now() - began) / 100) / 10

const STEP = 100_000

async function withDocuments(
  bench: Bench,
  databases: Databases,
  folder: string,
  size: number,
): Promise<Grown> {
  const project = copiedProject(folder)
  const name = `documents${size}`
  const database = await databases.make(name)
  const began = performance.now()
  const seeded = await fillInBulk(project, database, size, (done) => {
    if (done % STEP === 0) console.log(`  ${done} of ${size} documents`)
  })
  await databases.settle(name)
  const filledInSeconds = sinceSeconds(began)
  console.log(`\n${databases.engine}: ${size} documents in ${filledInSeconds} s`)
  const subject = await startOctavo({ project, database })
  const startMs = await firstAnswer(subject, '/api/restaurants', null)
  const end = async () => {
    await subject.stop()
    await databases.remove(name)
  }
  try {
    const asked = await askedOfDocuments(subject, seeded, size, bench.options.only)
    return { subject, token: null, asked, filledInSeconds, startMs, end }
  } catch (error) {
    await end()
    throw error
  }
}

async function firstAnswer(subject: Subject, path: string, token: string | null): Promise<number> {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(subject.address + path, { headers })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return Math.round(performance.now() - subject.began)
}

const NEAR = ['list', 'one', 'filter-sort', 'populate-one', 'deep-filter']
const SORTED = 'sort[0]=cuisine&sort[1]=average_price'
const PAGES = 20
/** Offset of the far pages. */
const FAR = 0.9

/** The workloads that should not depend on the size, and far pages by offset and by cursor. */
async function askedOfDocuments(
  subject: Subject,
  seeded: Seeded,
  size: number,
  only: readonly string[] | null,
): Promise<Asked[]> {
  const near = workloads
    .filter(({ name }) => NEAR.includes(name))
    .map(({ name, title, requests }) => ({ workload: name, title, requests: requests(seeded) }))
  const far: Asked[] = []
  for (const [order, sort, words] of [
    ['id', '', ''],
    ['index', `${SORTED}&`, ', sorted by an index'],
  ] as const) {
    const start = Math.floor(size * FAR)
    const offsets = Array.from({ length: PAGES }, (_, page) =>
      get(
        `/api/restaurants?${sort}pagination[start]=${start + page * 25}&pagination[limit]=25&pagination[withCount]=false`,
      ),
    )
    const cursors = await cursorsFrom(subject, sort, start)
    const steps = cursors.map((cursor) =>
      get(`/api/restaurants?${sort}pagination[cursor]=${cursor}&pagination[pageSize]=25`),
    )
    const first = [get(`/api/restaurants?${sort}pagination[cursor]=start&pagination[pageSize]=25`)]
    far.push(
      { workload: `first-cursor-${order}`, title: `first page by cursor${words}`, requests: first },
      { workload: `far-cursor-${order}`, title: `far page by cursor${words}`, requests: steps },
      { workload: `far-offset-${order}`, title: `far page by offset${words}`, requests: offsets },
    )
  }
  return [...near, ...far].filter(({ workload }) => !only || only.includes(workload))
}

const get = (path: string): BenchRequest => ({ method: 'GET', path })

/** Cursors of pages around this offset, found by paging, which does not depend on the format of cursors. */
async function cursorsFrom({ address }: Subject, sort: string, start: number): Promise<string[]> {
  const cursors: string[] = []
  let cursor = 'start'
  for (let at = 0; cursors.length < PAGES; ) {
    const size = at < start ? Math.min(100, start - at) : 25
    const response = await fetch(
      `${address}/api/restaurants?${sort}fields=id&pagination[cursor]=${cursor}&pagination[pageSize]=${size}`,
    )
    const answer: { meta: { pagination: { nextCursor: string | null } } } = JSON.parse(await response.text())
    const { nextCursor } = answer.meta.pagination
    if (nextCursor === null) break
    cursor = nextCursor
    at += size
    if (at >= start) cursors.push(cursor)
  }
  return cursors
}

async function withTypes(databases: Databases, folder: string, size: number): Promise<Grown> {
  const project = join(folder, `types${size}`)
  for (const [path, content] of manyTypes(size)) {
    mkdirSync(join(project, dirname(path)), { recursive: true })
    writeFileSync(join(project, path), JSON.stringify(content))
  }
  const name = `types${size}`
  const database = await databases.make(name)
  const began = performance.now()
  const first = await startOctavo({ project, database })
  for (let index = 0; index < 30; index++) {
    const response = await fetch(`${first.address}/api/type-0-list`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ data: { text0: `Document ${index}` } }),
    })
    if (response.status !== 201) throw new Error(await response.text())
  }
  await first.stop()
  const filledInSeconds = sinceSeconds(began)
  const subject = await startOctavo({ project, database })
  const startMs = await firstAnswer(subject, '/api/type-0-list', TOKEN)
  console.log(`\n${databases.engine}: ${size} content-types, start to first response ${startMs} ms`)
  return {
    subject,
    token: TOKEN,
    asked: [{ workload: 'types-list', title: 'list of 25 with count', requests: [get('/api/type-0-list')] }],
    filledInSeconds,
    startMs,
    async end() {
      await subject.stop()
      await databases.remove(name)
    },
  }
}
