/** Figures of the process: memory, processor time, and how long the event loop lets callbacks wait. */
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { counter, gauge, type MetricFamily, unlabelled } from './prometheus.ts'

export interface ProcessMetrics {
  families(): readonly MetricFamily[]
  close(): void
}

/** How often the delay of the event loop is sampled, in milliseconds. */
const RESOLUTION_MS = 20
const NANOSECONDS = 1e9
const MICROSECONDS = 1e6
const QUANTILES = [0.5, 0.9, 0.99]

/** Starts to watch the process. */
export function createProcessMetrics(): ProcessMetrics {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  let busy = performance.eventLoopUtilization()
  const version = readOwnVersion()

  /** What was seen since the last scrape; the samples include the pause between two of them. */
  function eventLoopLag(): MetricFamily {
    const seconds = (nanoseconds: number) =>
      Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1000) : 0
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

  function eventLoopUtilization(): MetricFamily {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, busy)
    busy = now
    return gauge(
      'octavo_event_loop_utilization_ratio',
      'Share of time that the event loop was busy, since the last scrape.',
      unlabelled(utilization),
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
          unlabelled((user + system) / MICROSECONDS),
        ),
        gauge(
          'process_start_time_seconds',
          'When the process started, in seconds since 1970.',
          unlabelled(performance.timeOrigin / 1000),
        ),
        gauge('process_resident_memory_bytes', 'Resident memory of the process.', unlabelled(memory.rss)),
        gauge('octavo_memory_bytes', 'Memory of the JavaScript engine, by kind.', [
          { labels: { kind: 'heap_used' }, value: memory.heapUsed },
          { labels: { kind: 'heap_total' }, value: memory.heapTotal },
          { labels: { kind: 'external' }, value: memory.external },
        ]),
        eventLoopLag(),
        eventLoopUtilization(),
      ]
    },
    close: () => void delay.disable(),
  }
}

function readOwnVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  const { version }: { readonly version: string } = JSON.parse(text)
  return version
}
