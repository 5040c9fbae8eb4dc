/**
 * Search: the same searches with few and with many documents, of which the same number matches, with a search index and
 * without; and a create with a search index, compared with one without.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../src/errors.ts'
import { createServer, type OctavoServer } from '../../src/http/app.ts'
import { typeOf } from '../../src/model/model.ts'
import type { ParamObject } from '../../src/query/params.ts'
import { systemScope } from '../../src/query/scope.ts'
import { writeFiles } from '../../test/support/project-folder.ts'
import { fillWith } from '../content/bulk.ts'
import { MATCHES, type SearchContent, searchContent } from '../content/search.ts'
import type { Bench } from '../measure.ts'
import type { Engine, Options } from '../options.ts'
import { meanOfLowest, type SearchCreate, type SearchFigure } from '../results.ts'
import { type Databases, openDatabases } from '../servers/databases.ts'
import { startOctavo } from '../servers/server-process.ts'
import { type BenchRequest, TOKEN, TOKEN_VARIABLE } from '../workloads.ts'

const SIZES = [10_000, 1_000_000]
const QUICK_SIZES = [1_000, 5_000]
const READS = 16
/** The first scan finds out that it is slow. */
const SCANS = 2
const BODIES = 1_000
/** The milliseconds after a round in which an idle server adds the rest of the documents to the index: part of what they cost. */
const IDLE = 2_000
/** Documents before the first create. */
const EXISTING = 10_000
const TYPE = 'api::article.article'

export interface SearchResults {
  readonly figures: readonly SearchFigure[]
  readonly creates: readonly SearchCreate[]
}

export async function measureSearch(bench: Bench, folder: string): Promise<SearchResults> {
  const { options } = bench
  const figures: SearchFigure[] = []
  const creates: SearchCreate[] = []
  for (const engine of options.engines) {
    const databases = await openDatabases(engine, folder)
    try {
      figures.push(...(await measureSearches(databases, options, folder)))
    } finally {
      await databases.stop()
    }
    creates.push(await measureCreates(engine, bench, folder))
  }
  return { figures, creates }
}

/** A project with one content-type, with a search index or without. */
function projectWith(folder: string, hasSearch: boolean): string {
  const project = join(folder, `search-${hasSearch}`)
  writeFiles(project, {
    'config/tokens.json': { full: { type: 'full-access', env: TOKEN_VARIABLE } },
    'src/api/article/content-types/article/schema.json': {
      kind: 'collectionType',
      collectionName: 'articles',
      info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
      options: { draftAndPublish: false, search: hasSearch },
      attributes: { title: { type: 'string' }, body: { type: 'text' } },
    },
  })
  return project
}

const open = (project: string, url: string) =>
  createServer({
    ...{ project, logLevel: 'silent' },
    config: { server: { port: 0 }, cache: { enabled: false, counts: false }, database: { url } },
  })

interface Search {
  readonly title: string
  readonly queries: readonly ParamObject[]
}

const searchesFor = ({ phrases, texts }: SearchContent): readonly Search[] => [
  { title: '`_q` with three words', queries: phrases.map((text) => ({ _q: text })) },
  {
    title: '`$containsi` with six characters',
    queries: texts.map((text) => ({ filters: { body: { $containsi: text } } })),
  },
]

async function measureSearches(
  databases: Databases,
  { isQuick, rounds }: Options,
  folder: string,
): Promise<SearchFigure[]> {
  const { engine } = databases
  const sizes = isQuick ? QUICK_SIZES : SIZES
  const searches = searchesFor(searchContent('article', MATCHES))
  const scans: (number | null)[][] = []
  const servers: OctavoServer[] = []
  try {
    for (const size of sizes) {
      const name = `articles${size}`
      const url = await databases.make(name)
      await fillWith(
        projectWith(folder, false),
        url,
        [searchContent('article', size).articles],
        (_, done) => {
          if (done % 100_000 === 0) console.log(`  ${done} of ${size} documents`)
        },
      )
      await databases.settle(name)
      const plain = await open(projectWith(folder, false), url)
      const scanned: (number | null)[] = []
      for (const search of searches) scanned.push(await scanTime(plain, search))
      scans.push(scanned)
      await plain.close()
      const began = performance.now()
      servers.push(await open(projectWith(folder, true), url))
      const seconds = Math.round((performance.now() - began) / 1_000)
      console.log(`${engine}: search index of ${size} documents built in ${seconds} s`)
      await databases.settle(name)
    }
    const figures: SearchFigure[] = []
    for (const [place, search] of searches.entries()) {
      const times: number[][] = sizes.map(() => [])
      for (let round = 0; round <= rounds; round++)
        for (const [index, server] of servers.entries()) {
          const measured = await timesOf(server, search, READS)
          // The first round prepares statements and fills caches.
          if (round > 0) times[index]?.push(...measured)
        }
      figures.push(
        ...sizes.map((size, index) => ({
          ...{ engine, size, search: search.title },
          indexMs: roundedMs(meanOfLowest(times[index] ?? [])),
          scanMs: scans[index]?.[place] ?? null,
        })),
      )
    }
    for (const { search, size, indexMs, scanMs } of figures)
      console.log(
        `${engine}: ${search}, ${size} documents: ${indexMs} ms with an index, ${scanMs ?? 'too many'} ms without`,
      )
    return figures
  } finally {
    for (const server of servers) await server.close()
    for (const size of sizes) await databases.remove(`articles${size}`)
  }
}

/** The milliseconds of one search without an index; null when it takes longer than the server allows. */
async function scanTime(server: OctavoServer, { title, queries }: Search): Promise<number | null> {
  try {
    const times = await timesOf(server, { title, queries: queries.slice(0, 1) }, SCANS)
    return roundedMs(times.at(-1) ?? 0)
  } catch (error) {
    console.log(`${title} without an index: ${messageOf(error)}`)
    return null
  }
}

const roundedMs = (milliseconds: number) => Math.round(milliseconds * 1_000) / 1_000

/** The milliseconds of each read of a search, the mean over its queries. */
async function timesOf(server: OctavoServer, { title, queries }: Search, reads: number): Promise<number[]> {
  const type = typeOf(server.layout().model, TYPE)
  const times: number[] = []
  for (let index = 0; index < reads; index++) {
    const began = performance.now()
    for (const query of queries) {
      const { total } = await server.reads().list(type, query, systemScope)
      if (total !== MATCHES) throw new Error(`${title} has found ${total} documents, and not ${MATCHES}`)
    }
    times.push((performance.now() - began) / queries.length)
  }
  return times
}

/**
 * The CPU time of a create with a search index and without, in rounds that alternate. Each side has a database server of its own,
 * and all that it does from its first round to its last counts, such as the clean-up that a server does at times of its choice.
 */
async function measureCreates(
  engine: Engine,
  { generator, options }: Bench,
  folder: string,
): Promise<SearchCreate> {
  const { articles } = searchContent('article', options.isQuick ? 1_000 : EXISTING)
  const requests = Array.from(
    { length: BODIES },
    (_, index): BenchRequest => ({
      method: 'POST',
      path: '/api/articles',
      body: JSON.stringify({ data: articles.document(articles.count + index).values }),
    }),
  )
  const opened: { stop(): Promise<void> }[] = []
  const startSide = async (hasSearch: boolean) => {
    const databases = await openDatabases(engine, folder)
    opened.unshift(databases)
    const project = projectWith(folder, hasSearch)
    const name = `creates_${hasSearch}`
    const database = await databases.make(name)
    await fillWith(project, database, [articles])
    await databases.settle(name)
    const subject = await startOctavo({ project, database })
    opened.unshift(subject)
    const used = () => (subject.use()?.processor ?? 0) + (databases.use()?.processor ?? 0)
    const create = async (seconds: number) => {
      const load = await generator.drive(subject.address, requests, seconds, TOKEN)
      if (load.failures > 0) throw new Error(`${load.failures} creates have failed`)
      await sleep(IDLE)
      return load.requests
    }
    // Longer than for reads: it takes about six seconds until all of a write is compiled.
    await create(2 * options.warmUp)
    return { create, used }
  }
  try {
    const sides = [await startSide(false), await startSide(true)]
    const counts = sides.map(() => 0)
    const before = sides.map(({ used }) => used())
    for (let round = 0; round < options.targetRounds; round++)
      for (const [index, { create }] of sides.entries())
        counts[index] = (counts[index] ?? 0) + (await create(3 * options.seconds))
    const [withoutIndex = 0, withIndex = 0] = sides.map(({ used }, index) =>
      Math.round((used() - (before[index] ?? 0)) / (counts[index] ?? 1)),
    )
    console.log(
      `${engine}: create ${withoutIndex} µs of CPU time without a search index, ${withIndex} µs with one`,
    )
    return { engine, withoutIndex, withIndex }
  } finally {
    for (const each of opened) await each.stop()
  }
}
