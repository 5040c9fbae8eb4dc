/**
 * Random models, contents and questions: SQLite, PostgreSQL and the naive evaluator give the same JSON.
 *
 *   OCTAVO_PROPERTY_WORLDS=200 OCTAVO_PROPERTY_SEED=7 npm test -- test/property/reads.test.ts
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { bothEngines, type TestEngine } from '../support/engines.ts'
import { serve } from '../support/server.ts'
import { Asker } from './ask.ts'
import { contentArbitrary, type Write } from './content.ts'
import { Naive } from './naive.ts'
import type { Question } from './question.ts'
import { urlOf } from './url.ts'
import { projectFiles, type World, worldArbitrary } from './world.ts'
import { Writer } from './writer.ts'

const WORLDS = Number(process.env.OCTAVO_PROPERTY_WORLDS ?? 12)
const QUESTIONS = Number(process.env.OCTAVO_PROPERTY_QUESTIONS ?? 60)
const SEED = Number(process.env.OCTAVO_PROPERTY_SEED ?? Math.floor(Math.random() * 2 ** 31))

const worldWithContent = worldArbitrary.chain((world) =>
  fc.record({ world: fc.constant(world), writes: contentArbitrary(world) }),
)

describe(`SQLite, PostgreSQL and the naive evaluator agree (OCTAVO_PROPERTY_SEED=${SEED})`, () => {
  const engines = bothEngines()
  for (const [index, { world, writes }] of fc
    .sample(worldWithContent, { seed: SEED, numRuns: WORLDS })
    .entries()) {
    it(`on world ${index} with ${world.types.length} types and ${writes.length} writes`, () =>
      check(world, writes, engines))
  }
})

async function check(world: World, writes: readonly Write[], engines: readonly TestEngine[]) {
  const naive = new Naive(world)
  for (const write of writes) naive.write(write)
  const servers = []
  try {
    for (const engine of engines) {
      const running = await serve(projectFiles(world), await engine.freshUrl())
      servers.push(running)
    }
    const writers = servers.map(({ base }) => new Writer(world, base))
    for (const writer of writers) {
      await writer.write(writes)
      await writer.learnIds(naive.versions())
    }
    const asker = new Asker(world, [...new Set(writes.map(({ key }) => key))])
    await fc.assert(
      fc.asyncProperty(asker.question(), (question) => agree(question, world, naive, writers)),
      { seed: SEED, numRuns: QUESTIONS },
    )
  } finally {
    for (const running of servers) await running.close()
  }
}

/** Both engines answer with the same bytes (but for ids and times), and with what the naive evaluator says. */
async function agree(question: Question, world: World, naive: Naive, writers: readonly Writer[]) {
  const answers = []
  for (const writer of writers) {
    const url = urlOf(question, world, (key) => writer.documentIdOf(key))
    const answer = await writer.read(url)
    const expected = naive.answer(question, (key, locale, status) => writer.idOf(key, locale, status))
    const shown = { ...answer, url: decodeURIComponent(url) }
    if (expected.status !== 200) assert.equal(answer.status, expected.status, JSON.stringify(shown))
    else assert.deepEqual(shown, { ...expected, url: shown.url })
    answers.push({ url: urlOf(question, world, (key) => key), text: JSON.stringify(answer) })
  }
  const [first, second] = answers
  assert.deepEqual(second, first)
}
