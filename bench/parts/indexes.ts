/** Indexes: filter + sort without a declared index, before and after the server has created it, and with a declared one. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer, type OctavoServer } from '../../src/http/app.ts'
import { typeOf } from '../../src/model/model.ts'
import { systemScope } from '../../src/query/scope.ts'
import { readAutomaticIndexes } from '../../src/reads/indexes/tables.ts'
import { copyProject, writeFiles } from '../../test/support/project-folder.ts'
import { waitUntil } from '../../test/support/wait-until.ts'
import { fillInBulk } from '../content/bulk.ts'
import { CUISINES } from '../content/restaurants.ts'
import type { Engine, Options } from '../options.ts'
import { type IndexFigure, median } from '../results.ts'
import { openDatabases } from '../servers/databases.ts'

const PROJECT = fileURLToPath(new URL('../project/', import.meta.url))
const SCHEMA = 'src/api/restaurant/content-types/restaurant/schema.json'
const RESTAURANTS = 17_000
const READS = 100

/** Milliseconds per read on each engine. */
export async function measureIndexes(
  { engines, rounds }: Options,
  folder: string,
): Promise<readonly IndexFigure[]> {
  const project = join(folder, 'without-indexes')
  copyProject(PROJECT, project)
  const schema: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(join(project, SCHEMA), 'utf8'))
  writeFiles(project, { [SCHEMA]: { ...schema, options: { draftAndPublish: true } } })
  const figures: IndexFigure[] = []
  for (const engine of engines) {
    const figure = await measureOn(engine, rounds, folder, project)
    console.log(
      `${engine}: filter + sort ${figure.withoutMs} ms without an index, ${figure.learnedMs} ms with the created one, ${figure.declaredMs} ms with a declared one`,
    )
    figures.push(figure)
  }
  return figures
}

async function measureOn(
  engine: Engine,
  rounds: number,
  folder: string,
  project: string,
): Promise<IndexFigure> {
  const databases = await openDatabases(engine, folder)
  const open = async (from: string, name: string, autoIndex: 'create' | 'suggest') => {
    const url = await databases.make(name)
    await fillInBulk(from, url, RESTAURANTS)
    await databases.settle(name)
    const config = { server: { port: 0 }, cache: { enabled: false }, database: { url, autoIndex } }
    return createServer({ project: from, logLevel: 'silent', config })
  }
  const learning = await open(project, 'learning', 'create')
  const declared = await open(PROJECT, 'declared', 'suggest')
  try {
    const address = await learning.listen()
    const withoutMs = await timeOf(learning)
    const { secret } = await learning.access.tokens.create({ name: 'indexes', kind: 'admin' })
    await fetch(`${address}/admin/api/indexes`, { headers: { authorization: `Bearer ${secret}` } })
    await waitUntil(async () =>
      (await readAutomaticIndexes(learning.store)).some(({ state }) => state === 'ready'),
    )
    const times: [learned: number, declared: number][] = []
    for (let round = 0; round < rounds; round++) times.push([await timeOf(learning), await timeOf(declared)])
    return {
      engine,
      withoutMs,
      learnedMs: median(times.map(([learned]) => learned)),
      declaredMs: median(times.map(([, time]) => time)),
    }
  } finally {
    await learning.close()
    await declared.close()
    await databases.stop()
  }
}

/** The milliseconds of the median read. */
async function timeOf(server: OctavoServer): Promise<number> {
  const type = typeOf(server.layout().model, 'api::restaurant.restaurant')
  const times: number[] = []
  for (let index = 0; index < READS; index++) {
    const start = performance.now()
    await server.reads().list(
      type,
      {
        filters: { cuisine: { $eq: CUISINES[index % 5] ?? '' }, stars: { $gte: String(index % 4) } },
        sort: ['average_price:desc', 'name'],
        pagination: { withCount: 'false' },
      },
      systemScope,
    )
    times.push(performance.now() - start)
  }
  return Math.round(median(times) * 1_000) / 1_000
}
