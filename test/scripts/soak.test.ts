/** A short soak of a server on each engine, both at a time; `npm run soak` takes as long as one likes. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { memoryFaults, type Sample, slope } from '../../soak/memory.ts'
import { soak } from '../../soak/soak-run.ts'
import { bothEngines } from '../support/engines.ts'

const SECONDS = 20

describe('under mixed load', { concurrency: true }, () => {
  for (const engine of bothEngines()) {
    it(`every response is correct and memory stays flat on ${engine.name}`, async () => {
      const report = await soak({ databaseUrl: await engine.freshUrl(), seconds: SECONDS })
      assert.deepEqual(report.failures, [])
      const resident = report.samples.map((sample) => Math.round(sample.resident)).join()
      assert.deepEqual(report.faults, [], `${report.faults} (megabytes resident: ${resident})`)
      assert.ok(report.acts.length > 5, `only ${report.acts.length} kinds of requests`)
    })
  }
})

describe('the verdict on memory', () => {
  const samples = (held: (at: number) => number, resident = (_at: number) => 200): Sample[] =>
    Array.from({ length: 40 }, (_, at) => ({
      at,
      requests: at * 100,
      resident: resident(at),
      held: held(at),
    }))

  it('finds the slope of a line', () => {
    assert.equal(
      slope([
        [0, 1],
        [1, 3],
        [2, 5],
      ]),
      2,
    )
  })

  it('lets memory settle in the first half and wander in the second', () => {
    assert.deepEqual(memoryFaults(samples((at) => (at < 15 ? at * 4 : 60 + (at % 3)))), [])
  })

  it('sees a leak', () => {
    assert.deepEqual(memoryFaults(samples((at) => 50 + at)), [
      'held memory rose by 19.0 MB in the second half',
    ])
    assert.equal(
      memoryFaults(
        samples(
          () => 50,
          (at) => 200 + at * 5,
        ),
      ).length,
      1,
    )
  })
})
