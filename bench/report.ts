/** Turns measures into the table that is printed and the file that is kept. */
import { cpus, totalmem } from 'node:os'
import type { Measure } from './load.ts'
import { bars, type Workload } from './workloads.ts'

/** One round of a workload. */
export interface Round extends Measure {
  /** Microseconds of processor time that a request cost the process. */
  readonly processor: number
}

/** The rounds of one workload: bare `node:http` with the same bytes, and each engine. */
export interface Result {
  readonly workload: string
  readonly title: string
  readonly bytes: number
  readonly bare: Round
  readonly engines: Readonly<Record<string, Round & { readonly share: number }>>
}

/** The round whose rate is in the middle. */
export function median(rounds: readonly Round[]): Round {
  const sorted = [...rounds].sort((a, b) => a.requestsPerSecond - b.requestsPerSecond)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (!middle) throw new Error('No rounds')
  return { ...middle, failures: rounds.reduce((sum, { failures }) => sum + failures, 0) }
}

/** A round of an engine and the round of the bare server just before it, on a machine in the same mood. */
export interface Pair {
  readonly bare: Round
  readonly own: Round
}

export function resultOf(
  { name, title }: Workload,
  bytes: number,
  pairs: ReadonlyMap<string, readonly Pair[]>,
): Result {
  const engines = [...pairs].map(([engine, rounds]) => {
    const shares = rounds.map(({ bare, own }) => own.requestsPerSecond / bare.requestsPerSecond)
    return [engine, { ...median(rounds.map(({ own }) => own)), share: middle(shares) }]
  })
  const bare = median([...pairs.values()].flat().map((pair) => pair.bare))
  return { workload: name, title, bytes, bare, engines: Object.fromEntries(engines) }
}

const middle = (values: readonly number[]) =>
  Math.round(([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0) * 1000) / 1000

const whole = (value: number) => Math.round(value).toLocaleString('en')
const time = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(0))

export const header = () =>
  [
    'workload'.padEnd(26),
    'bytes'.padStart(7),
    'bare/s'.padStart(8),
    'engine'.padEnd(9),
    'req/s'.padStart(8),
    'p50 ms'.padStart(7),
    'p99 ms'.padStart(7),
    'share'.padStart(6),
    'cpu µs'.padStart(7),
    'bare µs'.padStart(7),
  ].join('  ')

export const rows = ({ title, bytes, bare, engines }: Result) =>
  Object.entries(engines).map(
    ([engine, { requestsPerSecond, p50, p99, share, processor, failures }], index) =>
      [
        (index === 0 ? title : '').padEnd(26),
        (index === 0 ? whole(bytes) : '').padStart(7),
        (index === 0 ? whole(bare.requestsPerSecond) : '').padStart(8),
        engine.padEnd(9),
        whole(requestsPerSecond).padStart(8),
        time(p50).padStart(7),
        time(p99).padStart(7),
        share.toFixed(3).padStart(6),
        whole(processor).padStart(7),
        (index === 0 ? whole(bare.processor) : '').padStart(7),
        ...(failures > 0 ? [`${failures} FAILED`] : []),
      ].join('  '),
  )

/** Which bars were met on SQLite, as lines of text. */
export function verdicts(results: readonly Result[]): string[] {
  const sqlite = (workload: string) => results.find((one) => one.workload === workload)?.engines.sqlite
  return bars.flatMap((bar) => {
    const measured = sqlite(bar.workload)
    if (!measured) return []
    if ('share' in bar) {
      const met = measured.share >= bar.share
      return [`${mark(met)} ${bar.workload}: ${measured.share.toFixed(3)} of bare, bar ${bar.share}`]
    }
    const other = sqlite(bar.of)
    if (!other) return []
    const cost = other.requestsPerSecond / measured.requestsPerSecond
    return [
      `${mark(cost <= bar.times)} ${bar.workload}: ${cost.toFixed(2)} times ${bar.of}, bar ${bar.times}`,
    ]
  })
}

const mark = (met: boolean) => (met ? 'met   ' : 'MISSED')

export const machine = () => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
  platform: `${process.platform} ${process.arch}`,
  node: process.version,
})
