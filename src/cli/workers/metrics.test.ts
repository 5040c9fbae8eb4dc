import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MetricFamily } from '../../http/metrics/prometheus.ts'
import { createGathering } from './metrics.ts'

const figures = (value: number): MetricFamily[] => [
  { name: 'a', help: 'A.', type: 'gauge', samples: [{ labels: {}, value }] },
]

test('everybody is asked, and what they tell is gathered', async () => {
  const { gather, told } = createGathering<string>((who, question) => {
    setImmediate(() => told(who, question, figures(who.length)))
  })
  const [both, one] = await Promise.all([gather(['a', 'bc']), gather(['bc'])])
  assert.deepEqual(
    [...both],
    [
      ['a', figures(1)],
      ['bc', figures(2)],
    ],
  )
  assert.deepEqual([...one], [['bc', figures(2)]])
})

test('whoever does not answer is left out, and an answer that comes too late changes nothing', async () => {
  const late: [string, number][] = []
  const { gather, told } = createGathering<string>((who, question) => {
    if (who === 'stuck') late.push([who, question])
    else told(who, question, figures(1))
  })
  const found = await gather(['well', 'stuck'])
  for (const [who, question] of late) told(who, question, figures(2))
  assert.deepEqual([...found.keys()], ['well'])
})
