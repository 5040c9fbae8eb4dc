/**
 * SQLite, PostgreSQL and the naive evaluator give the same JSON for random models, content and queries.
 *
 *   OCTAVO_PROPERTY_WORLDS=200 OCTAVO_PROPERTY_SEED=7 npm test -- test/property/reads.test.ts
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { bothEngines, type TestEngine } from '../support/engines.ts'
import { serve } from '../support/server.ts'
import { ApiClient } from './api-client.ts'
import { contentArbitrary, type Write } from './content.ts'
import { NaiveEvaluator } from './naive-evaluator.ts'
import { QueryGenerator } from './query-generator.ts'
import type { ReadQuery } from './read-query.ts'
import { urlOf } from './url.ts'
import { projectFiles, type World, worldArbitrary } from './world.ts'

const WORLDS = Number(process.env.OCTAVO_PROPERTY_WORLDS ?? 12)
const QUERIES = Number(process.env.OCTAVO_PROPERTY_QUESTIONS ?? 60)
const SEED = Number(process.env.OCTAVO_PROPERTY_SEED ?? Math.floor(Math.random() * 2 ** 31))

const worldWithContent = worldArbitrary.chain((world) =>
  fc.record({ world: fc.constant(world), writes: contentArbitrary(world) }),
)

describe(`SQLite, PostgreSQL and the naive evaluator agree (OCTAVO_PROPERTY_SEED=${SEED})`, () => {
  const engines = bothEngines()
  for (const [index, { world, writes }] of fc
    .sample(worldWithContent, { seed: SEED, numRuns: WORLDS })
    .entries()) {
    it(`on model ${index} with ${world.types.length} types and ${writes.length} writes`, () =>
      check(world, writes, engines))
  }
})

async function check(world: World, writes: readonly Write[], engines: readonly TestEngine[]) {
  const naive = new NaiveEvaluator(world)
  for (const write of writes) naive.write(write)
  const servers = []
  try {
    for (const engine of engines) {
      const running = await serve(projectFiles(world), await engine.freshUrl())
      servers.push(running)
    }
    const clients = servers.map(({ base }) => new ApiClient(world, base))
    for (const client of clients) {
      await client.write(writes)
      await client.learnIds(naive.versions())
    }
    const generator = new QueryGenerator(world, [...new Set(writes.map(({ key }) => key))])
    await fc.assert(
      fc.asyncProperty(generator.query(), (query) => assertAgreement(query, world, naive, clients)),
      { seed: SEED, numRuns: QUERIES },
    )
  } finally {
    for (const running of servers) await running.close()
  }
}

/** Both engines return the same bytes, except for ids and times, and what the naive evaluator returns. */
async function assertAgreement(
  query: ReadQuery,
  world: World,
  naive: NaiveEvaluator,
  clients: readonly ApiClient[],
) {
  const responses = []
  for (const client of clients) {
    const url = urlOf(query, world, (key) => client.documentIdOf(key))
    const response = await client.read(url)
    const expected = naive.evaluate(query, (key, locale, status) => client.idOf(key, locale, status))
    const shown = { ...response, url: decodeURIComponent(url) }
    if (expected.status !== 200) assert.equal(response.status, expected.status, JSON.stringify(shown))
    else assert.deepEqual(shown, { ...expected, url: shown.url })
    responses.push({ url: urlOf(query, world, (key) => key), text: JSON.stringify(response) })
  }
  const [first, second] = responses
  assert.deepEqual(second, first)
}
