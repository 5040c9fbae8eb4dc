/** Results as lines of text, printed during a run. */
import type { AdminFigures, GrowthFigure, Measured, WorkloadResult } from '../results.ts'

export const whole = (value: number) => Math.round(value).toLocaleString('en')
export const time = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(0))

const COLUMNS = [
  'bytes'.padStart(7),
  'bare/s'.padStart(8),
  'req/s'.padStart(8),
  'p50 ms'.padStart(7),
  'p99 ms'.padStart(7),
  'share'.padStart(6),
  'cpu µs'.padStart(7),
  'bare µs'.padStart(7),
]

export const figureHeader = ['workload'.padEnd(40), ...COLUMNS].join('  ')
export const growthHeader = ['workload'.padEnd(40), 'size'.padStart(9), ...COLUMNS].join('  ')

const columns = ({ bytes, bare, own, share, ceiling }: Measured) => [
  whole(bytes).padStart(7),
  whole(bare.requestsPerSecond).padStart(8),
  whole(own.requestsPerSecond).padStart(8),
  time(own.p50).padStart(7),
  time(own.p99).padStart(7),
  share.toFixed(3).padStart(6),
  (own.processor === null ? '?' : whole(own.processor)).padStart(7),
  (bare.processor === null ? '?' : whole(bare.processor)).padStart(7),
  ...(ceiling ? [`${ceiling.share.toFixed(3)} of ${whole(ceiling.server.requestsPerSecond)}/s`] : []),
  ...(own.failures > 0 ? [`${own.failures} FAILED`] : []),
]

export const figureLine = (figure: WorkloadResult) => [figure.title.padEnd(40), ...columns(figure)].join('  ')

export const growthLine = (figure: GrowthFigure) =>
  [figure.title.padEnd(40), whole(figure.size).padStart(9), ...columns(figure)].join('  ')

/** The figures of the admin app, one line for each number of documents or of entries. */
export const adminLines = ({ firstLoadBytes, sizes, keyPresses }: AdminFigures): readonly string[] => [
  `\nadmin app: ${Math.round(firstLoadBytes / 1_000)} kB of scripts until the first list is usable`,
  ...sizes.map(
    ({ size, listMs, pageMs, documentMs }) =>
      `${whole(size).padStart(9)} documents: list ${time(listMs)} ms, next page ${time(pageMs)} ms, document ${time(documentMs)} ms`,
  ),
  ...keyPresses.map(
    ({ entries, medianMs, at95Ms, firstMs }) =>
      `${whole(entries).padStart(9)} entries: key press to paint ${time(medianMs)} ms, 95th percentile ${time(at95Ms)} ms, slowest after opening ${time(firstMs)} ms`,
  ),
]
