/** Figures of the process: memory, processor time, and how long the event loop lets callbacks wait. */
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { counter, type Family, gauge, only } from './family.ts'

export interface ProcessFigures {
  families(): readonly Family[]
  close(): void
}

/** How often the delay of the event loop is sampled, in milliseconds. */
const RESOLUTION = 20
const NANOSECONDS = 1e9
const MICROSECONDS = 1e6
const QUANTILES = [0.5, 0.9, 0.99]

/** Starts to watch the process. */
export function createProcessFigures(): ProcessFigures {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION })
  delay.enable()
  let busy = performance.eventLoopUtilization()
  const version = ownVersion()

  /** What was seen since the last scrape; the samples include the pause between two of them. */
  function lag(): Family {
    const seconds = (nanoseconds: number) =>
      Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION / 1000) : 0
    const samples = [
      ...QUANTILES.map((quantile) => ({
        labels: { quantile: String(quantile) },
        value: seconds(delay.percentile(quantile * 100)),
      })),
      { labels: { quantile: '1' }, value: seconds(delay.max) },
    ]
    delay.reset()
    return gauge(
      'octavo_event_loop_lag_seconds',
      'How much later than due a callback ran, since the last scrape; quantile 1 is the longest.',
      samples,
    )
  }

  function utilization(): Family {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, busy)
    busy = now
    return gauge(
      'octavo_event_loop_utilization_ratio',
      'Share of time that the event loop was busy, since the last scrape.',
      only(utilization),
    )
  }

  return {
    families() {
      const memory = process.memoryUsage()
      const { user, system } = process.cpuUsage()
      return [
        gauge('octavo_build_info', 'Always 1; the labels tell what runs.', [
          { labels: { version, node: process.version }, value: 1 },
        ]),
        counter(
          'process_cpu_seconds_total',
          'Processor time of the process.',
          only((user + system) / MICROSECONDS),
        ),
        gauge(
          'process_start_time_seconds',
          'When the process started, in seconds since 1970.',
          only(performance.timeOrigin / 1000),
        ),
        gauge('process_resident_memory_bytes', 'Resident memory of the process.', only(memory.rss)),
        gauge('octavo_memory_bytes', 'Memory of the JavaScript engine, by kind.', [
          { labels: { kind: 'heap_used' }, value: memory.heapUsed },
          { labels: { kind: 'heap_total' }, value: memory.heapTotal },
          { labels: { kind: 'external' }, value: memory.external },
        ]),
        lag(),
        utilization(),
      ]
    },
    close: () => void delay.disable(),
  }
}

function ownVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  const { version }: { readonly version: string } = JSON.parse(text)
  return version
}
