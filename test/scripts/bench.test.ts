/** What the benchmark does beside measuring: its options, its verdicts, and the page it rewrites. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { isUsage, optionsOf } from '../../bench/options.ts'
import { between } from '../../bench/report/page.ts'
import { plotGrowth, plotShares } from '../../bench/report/plot.ts'
import { growthTables, searchTables, workloadTables } from '../../bench/report/tables.ts'
import {
  type GrowthFigure,
  machine,
  type Results,
  type Round,
  type WorkloadResult,
} from '../../bench/results.ts'
import { searchVerdicts, verdictsOf } from '../../bench/targets.ts'

const round = (requestsPerSecond: number): Round => ({
  requests: 100,
  requestsPerSecond,
  p50: 1,
  p99: 12,
  failures: 0,
  processor: null,
})

const figure = (workload: string, cache: 'off' | 'on', share: number): WorkloadResult => ({
  workload,
  title: `the ${workload}`,
  engine: 'sqlite',
  cache,
  workers: 1,
  bytes: 1_000,
  bare: round(10_000),
  own: round(10_000 * share),
  share,
})

const grown = (workload: string, size: number): GrowthFigure => ({
  grows: 'documents',
  size,
  workload,
  title: `the <${workload}>`,
  engine: 'postgres',
  bytes: 1_000,
  bare: round(10_000),
  own: round(5_000),
  share: 0.5,
})

const results = (part: Partial<Results>): Results => ({
  day: '2026-01-01',
  version: '1.0.0',
  machine: machine(),
  generator: 'wrk',
  connections: 16,
  rounds: 5,
  seconds: 1,
  ...part,
})

describe('the options of the benchmark', () => {
  it('make a complete run when there are none, and a partial one otherwise', () => {
    assert.equal(optionsOf([], 4)?.isComplete, true)
    assert.deepEqual(optionsOf([], 4)?.workers, [1, 4])
    for (const args of [['--quick'], ['--parts', 'start'], ['--rounds', '9'], ['--only', 'list']])
      assert.equal(optionsOf(args, 4)?.isComplete, false, args.join(' '))
  })

  it('are refused with words when they are wrong', () => {
    for (const args of [['--parts', 'nope'], ['--rounds', 'many'], ['--against', 'nowhere'], ['--nope']])
      assert.throws(() => optionsOf(args, 4), isUsage, args.join(' '))
    assert.equal(optionsOf(['--help'], 4), null)
  })
})

describe('verdicts', () => {
  it('compare shares, relative costs and amounts with their targets', () => {
    const verdicts = verdictsOf(
      results({
        workloads: [
          figure('list', 'off', 0.25),
          figure('list', 'on', 0.8),
          figure('deep-filter', 'off', 0.1),
        ],
        start: {
          octavo: { startMs: 599, idleMB: 121 },
          bare: { startMs: 40, idleMB: 50 },
          firstStartMs: 900,
        },
      }),
    )
    assert.deepEqual(
      verdicts.map(({ what, met, first }) => [what, met, first]),
      [
        ['the list', false, false],
        ['the deep-filter', false, false],
        ['the list, cached responses', true, false],
        ['start to first response, demo project', true, false],
        ['resident memory when idle, demo project', false, false],
        ['the list', true, true],
        ['the deep-filter, cost relative to the list', true, true],
      ],
    )
  })
})

describe('verdicts on PostgreSQL', () => {
  const onPostgres = { ...figure('list', 'off', 0.21), engine: 'postgres' as const }

  it('have targets of their own', () => {
    const [verdict, ...others] = verdictsOf(results({ workloads: [onPostgres] }))
    assert.deepEqual([verdict?.what, verdict?.target, verdict?.met], ['the list, PostgreSQL', '0.20', true])
    assert.deepEqual(others, [])
  })

  it('compare a read with a bare server that sends its statement', () => {
    const workloads = [{ ...onPostgres, ceiling: { server: round(3_500), share: 0.6 } }]
    const [, verdict] = verdictsOf(results({ workloads }))
    assert.match(verdict?.what ?? '', /same statement/)
    assert.deepEqual([verdict?.seen, verdict?.met], ['0.600', false])
    assert.match(workloadTables(results({ workloads })), /\| the list \| 3,500 \| 2,100 \| 0\.600 \|/)
  })
})

describe('searches', () => {
  const figure = (size: number, indexMs: number) => ({
    ...({ engine: 'postgres', search: 'words', size, indexMs, scanMs: 500 } as const),
  })
  const search = {
    figures: [figure(10_000, 2), figure(1_000_000, 7)],
    creates: [{ engine: 'postgres', withoutIndex: 400, withIndex: 440 } as const],
  }

  it('are compared with their targets', () => {
    assert.deepEqual(
      searchVerdicts(results({ search })).map(({ seen, met }) => [seen, met]),
      [
        ['3.50', false],
        ['1.10', true],
      ],
    )
  })

  it('are shown with every size', () => {
    assert.match(
      searchTables(results({ search })),
      /\| PostgreSQL \| words \| 2\.00 \| 500 \| 7\.00 \| 500 \| 3\.5 \|/,
    )
  })
})

describe('the page', () => {
  it('has the markers between which a run writes, and keeps the text around them', () => {
    const page = readFileSync(new URL('../../docs/performance.md', import.meta.url), 'utf8')
    for (const mark of ['workloads', 'targets', 'start', 'search', 'growth']) {
      const written = between(page, mark, 'NEW')
      assert.match(written, new RegExp(`<!-- bench: ${mark} -->\n\nNEW\n\n<!-- bench: end of ${mark} -->`))
      assert.ok(written.startsWith(page.slice(0, 200)))
      assert.equal(between(written, mark, 'NEW'), written)
    }
    assert.throws(() => between(page, 'no such part', ''), /no markers/)
  })

  it('shows every figure in its table and in a plot that is well-formed', () => {
    const shown = results({
      workloads: [figure('list', 'off', 0.25), figure('list', 'on', 0.8)],
      growth: { figures: [grown('list', 1_000), grown('list', 100_000)], filled: [] },
    })
    assert.match(
      workloadTables(shown),
      /\| the list \| 1,000 \| 10,000 \| 2,500 \| 1\.00 \/ 12 \| 0\.250 \| 8,000 /,
    )
    assert.match(growthTables(shown), /\| the <list> \| 5,000 \(0\.500\) \| 5,000 \(0\.500\) \|/)
    for (const svg of [plotShares(shown.workloads ?? []), plotGrowth(shown.growth?.figures ?? [])]) {
      assert.match(svg, /^<svg [^>]*viewBox/)
      assert.doesNotMatch(svg, /NaN|undefined|<list>/)
      assert.match(svg, /prefers-color-scheme: dark/)
    }
  })
})
