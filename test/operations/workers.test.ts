import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { startFleet } from '../workers/fleet.ts'
import { METRICS } from './library.ts'

onEachEngine((engine) => {
  it('every worker returns the metrics of all workers', async () => {
    const env = { OCTAVO_METRICS_TOKEN: METRICS }
    const fleet = await startFleet(await engine.freshUrl(), { workers: 2, env })
    try {
      const [first, second] = await fleet.connectToWorkers(2)
      assert.ok(first && second)
      for (let count = 0; count < 3; count++) await first.request('GET', '/api/pages')
      for (let count = 0; count < 5; count++) await second.request('GET', '/api/pages')
      for (const connection of [first, second]) {
        const { text } = await connection.request('GET', '/metrics', undefined, METRICS)
        const pages =
          /^octavo_http_requests_total\{worker="(\d)",route="\/api\/:name",method="GET",content_type="api::page.page",status="200"\} (\d+)$/gm
        const found = [...text.matchAll(pages)].map(([, worker, count]) => [worker, Number(count)])
        assert.deepEqual(
          found.map(([worker]) => worker),
          ['0', '1'],
        )
        assert.deepEqual(found.map(([, count]) => count).sort(), [3, 5])
        assert.equal(text.match(/^# TYPE octavo_http_requests_total counter$/gm)?.length, 1)
        assert.equal(text.match(/^process_resident_memory_bytes\{worker="\d"\} \d+$/gm)?.length, 2)
      }
      for (const connection of [first, second]) connection.close()
    } finally {
      assert.equal(await fleet.stop(), 0)
    }
  })
})
