import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHistogram, histograms, observe } from './histogram.ts'
import { counter, formatMetrics, gauge, mergeWorkers, unlabelled } from './prometheus.ts'

test('metrics are written in the text format of Prometheus', () => {
  const text = formatMetrics([
    counter('a_total', 'All of a.', [{ labels: { path: 'C:\\"x"\n', kind: '' }, value: 3 }]),
    gauge('b', 'B now.', unlabelled(-0.5)),
    gauge('c', 'C now.', [{ labels: {}, value: Infinity }]),
    gauge('d', 'Nothing.', []),
  ])
  assert.equal(
    text,
    [
      '# HELP a_total All of a.',
      '# TYPE a_total counter',
      'a_total{path="C:\\\\\\"x\\"\\n",kind=""} 3',
      '# HELP b B now.',
      '# TYPE b gauge',
      'b -0.5',
      '# HELP c C now.',
      '# TYPE c gauge',
      'c +Inf',
      '# HELP d Nothing.',
      '# TYPE d gauge',
      '',
    ].join('\n'),
  )
})

test('a duration is counted in every bucket whose bound is at least as large', () => {
  const histogram = createHistogram()
  for (const milliseconds of [0, 0.25, 0.26, 10, 20_000]) observe(histogram, milliseconds)
  const { samples } = histograms('t', 'T.', [[{ route: '/' }, histogram]])
  const bucket = (le: string) => samples.find(({ labels }) => labels.le === le)?.value
  assert.deepEqual(
    [bucket('0.00025'), bucket('0.0005'), bucket('0.005'), bucket('0.01'), bucket('10'), bucket('+Inf')],
    [2, 3, 3, 4, 4, 5],
  )
  const [sum, count] = samples.slice(-2)
  assert.ok(Math.abs((sum?.value ?? 0) - 20.01051) < 1e-9)
  assert.deepEqual([sum?.suffix, count?.suffix, count?.value], ['_sum', '_count', 5])
})

test('metrics of several workers are merged into one family, labelled by worker', () => {
  const families = (value: number) => [gauge('a', 'A.', [{ labels: { kind: 'x' }, value }])]
  const both = mergeWorkers(
    new Map([
      ['0', families(1)],
      ['1', [...families(2), gauge('b', 'B.', unlabelled(3))]],
    ]),
  )
  assert.equal(
    formatMetrics(both),
    '# HELP a A.\n# TYPE a gauge\na{worker="0",kind="x"} 1\na{worker="1",kind="x"} 2\n# HELP b B.\n# TYPE b gauge\nb{worker="1"} 3\n',
  )
})
