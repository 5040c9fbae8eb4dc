/**
 * SQLite, PostgreSQL and the naive evaluator give the same JSON for random models, content and queries.
 *
 *   OCTAVO_PROPERTY_WORLDS=200 OCTAVO_PROPERTY_SEED=7 npm test -- test/property/reads.test.ts
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { allEngineVersions, type TestEngine } from '../support/engines.ts'
import { serve } from '../support/server.ts'
import { ApiClient } from './api-client.ts'
import { contentArbitrary, type Write } from './content.ts'
import { NaiveEvaluator } from './naive-evaluator.ts'
import { QueryGenerator } from './query-generator.ts'
import { modelArbitrary, projectFiles, type RandomModel } from './random-model.ts'
import type { ReadQuery } from './read-query.ts'
import { urlOf } from './url.ts'

const MODELS = Number(process.env.OCTAVO_PROPERTY_WORLDS ?? 6)
const QUERIES = Number(process.env.OCTAVO_PROPERTY_QUESTIONS ?? 60)
const SEED = Number(process.env.OCTAVO_PROPERTY_SEED ?? Math.floor(Math.random() * 2 ** 31))

const modelWithContent = modelArbitrary.chain((model) =>
  fc.record({ model: fc.constant(model), writes: contentArbitrary(model) }),
)

describe(`SQLite, PostgreSQL and the naive evaluator agree (OCTAVO_PROPERTY_SEED=${SEED})`, () => {
  const engines = allEngineVersions()
  for (const [index, { model, writes }] of fc
    .sample(modelWithContent, { seed: SEED, numRuns: MODELS })
    .entries()) {
    it(`on model ${index} with ${model.types.length} types and ${writes.length} writes`, () =>
      check(model, writes, engines))
  }
})

async function check(model: RandomModel, writes: readonly Write[], engines: readonly TestEngine[]) {
  const naive = new NaiveEvaluator(model)
  for (const write of writes) naive.write(write)
  const servers = []
  try {
    for (const engine of engines) {
      const running = await serve(projectFiles(model), await engine.freshUrl())
      servers.push(running)
    }
    const clients = servers.map(({ base }) => new ApiClient(model, base))
    for (const client of clients) {
      await client.write(writes)
      await client.learnIds(naive.versions())
    }
    const generator = new QueryGenerator(model, [...new Set(writes.map(({ key }) => key))])
    await fc.assert(
      fc.asyncProperty(generator.query(), (query) => assertAgreement(query, model, naive, clients)),
      { seed: SEED, numRuns: QUERIES },
    )
  } finally {
    for (const running of servers) await running.close()
  }
}

/** All engines return the same bytes, except for ids and times, and what the naive evaluator returns. */
async function assertAgreement(
  query: ReadQuery,
  model: RandomModel,
  naive: NaiveEvaluator,
  clients: readonly ApiClient[],
) {
  const responses = []
  for (const client of clients) {
    const url = urlOf(query, model, (key) => client.documentIdOf(key))
    const response = await client.read(url)
    const expected = naive.evaluate(query, (key, locale, status) => client.idOf(key, locale, status))
    const shown = { ...response, url: decodeURIComponent(url) }
    if (expected.status !== 200) assert.equal(response.status, expected.status, JSON.stringify(shown))
    else assert.deepEqual(shown, { ...expected, url: shown.url })
    responses.push({ url: urlOf(query, model, (key) => key), text: JSON.stringify(response) })
  }
  const [first, ...others] = responses
  for (const other of others) assert.deepEqual(other, first)
}
