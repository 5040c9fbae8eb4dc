import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MetricFamily } from '../../http/metrics/prometheus.ts'
import { createMetricsCollector } from './metrics.ts'

const metricsOf = (value: number): MetricFamily[] => [
  { name: 'a', help: 'A.', type: 'gauge', samples: [{ labels: {}, value }] },
]

test('collects the metrics of all workers', async () => {
  const { collect, receive } = createMetricsCollector<string>((worker, collection) => {
    setImmediate(() => receive(worker, collection, metricsOf(worker.length)))
  })
  const [both, one] = await Promise.all([collect(['a', 'bc']), collect(['bc'])])
  assert.deepEqual(
    [...both],
    [
      ['a', metricsOf(1)],
      ['bc', metricsOf(2)],
    ],
  )
  assert.deepEqual([...one], [['bc', metricsOf(2)]])
})

test('leaves out a worker that does not respond, and ignores a late response', async () => {
  const late: [string, number][] = []
  const { collect, receive } = createMetricsCollector<string>((worker, collection) => {
    if (worker === 'stuck') late.push([worker, collection])
    else receive(worker, collection, metricsOf(1))
  })
  const collected = await collect(['well', 'stuck'])
  for (const [worker, collection] of late) receive(worker, collection, metricsOf(2))
  assert.deepEqual([...collected.keys()], ['well'])
})
