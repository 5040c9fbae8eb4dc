/** A short siege of a server on each engine, both at a time; `npm run siege` takes as long as one likes. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Served } from '../../siege/ordinary-clients.ts'
import { runSiege } from '../../siege/siege-run.ts'
import { memoryFaults, percentile, serviceFaults, services } from '../../siege/verdict.ts'
import { bothEngines } from '../support/engines.ts'

const SECONDS = 20

describe('under siege', { concurrency: true }, () => {
  for (const engine of bothEngines()) {
    it(`no attack succeeds and ordinary clients get correct responses on ${engine.name}`, async () => {
      const databaseUrl = await engine.freshUrl()
      const report = await runSiege({ databaseUrl, seconds: SECONDS, seed: 1, size: 'small' })
      assert.deepEqual(report.breaches, [])
      assert.deepEqual(report.wrong, [])
      assert.deepEqual(report.faults, [])
      // How fast they are served depends on what else the machine does; that they are served does not.
      for (const action of ['/healthz', 'a document', 'writing'])
        assert.ok(services(report.siege).some((one) => one.action === action && one.requests > one.refused))
      const unplayed = report.attacks.filter(({ runs }) => runs === 0).map(({ name }) => name)
      assert.deepEqual(unplayed, [])
    })
  }
})

describe('the verdict on a siege', () => {
  const served = (milliseconds: number, count: number, isRefused = false): Served[] =>
    Array.from({ length: count }, () => ({ action: 'a document', at: 0, milliseconds, isRefused }))

  it('finds percentiles', () => {
    const values = Array.from({ length: 100 }, (_, index) => index)
    assert.deepEqual([percentile(values, 0.5), percentile(values, 0.99), percentile([], 0.5)], [50, 99, 0])
  })

  it('accepts some slow requests, and a p99 of less than ten times that at rest', () => {
    assert.deepEqual(serviceFaults(served(10, 1000), [...served(90, 1000), ...served(5_000, 5)]), [])
    assert.deepEqual(serviceFaults(served(10, 1000), served(110, 1000)), [
      'the p99 of ordinary clients was 110 ms, at rest 10.0 ms',
    ])
  })

  it('accepts few refusals', () => {
    assert.deepEqual(serviceFaults(served(1, 1000), [...served(1, 1000), ...served(1, 5, true)]), [])
    assert.equal(serviceFaults(served(1, 1000), [...served(1, 1000), ...served(1, 50, true)]).length, 1)
    assert.deepEqual(serviceFaults(served(1, 1000), []), ['ordinary clients got no response'])
  })

  it('finds memory that is not given back', () => {
    const before = { held: 60, resident: 400 }
    assert.deepEqual(memoryFaults(before, { held: 70, resident: 500 }), [])
    assert.equal(memoryFaults(before, { held: 80, resident: 500 }).length, 1)
    assert.equal(memoryFaults(before, { held: 60, resident: 600 }).length, 1)
  })
})
