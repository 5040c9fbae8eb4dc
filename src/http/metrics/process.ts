/** Metrics of the process: memory, CPU time and the delay of the event loop. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { ownVersion } from '../own-version.ts'
import { counter, gauge, type MetricFamily, unlabelled } from './prometheus.ts'

export interface ProcessMetrics {
  families(): readonly MetricFamily[]
  close(): void
}

/** How often the delay of the event loop is sampled. */
const RESOLUTION_MS = 20
const NANOSECONDS = 1e9
const MICROSECONDS = 1e6
const QUANTILES = [0.5, 0.9, 0.99]

export function createProcessMetrics(): ProcessMetrics {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  let busy = performance.eventLoopUtilization()
  const version = ownVersion()

  /** Since the last scrape. A sample includes the sampling interval, which is subtracted. */
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
      'Event loop delay since the last scrape; quantile 1 is the maximum.',
      samples,
    )
  }

  function eventLoopUtilization(): MetricFamily {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, busy)
    busy = now
    return gauge(
      'octavo_event_loop_utilization_ratio',
      'Event loop utilization since the last scrape.',
      unlabelled(utilization),
    )
  }

  return {
    families() {
      const memory = process.memoryUsage()
      const { user, system } = process.cpuUsage()
      return [
        gauge('octavo_build_info', 'Always 1; the labels are the versions of Octavo and Node.', [
          { labels: { version, node: process.version }, value: 1 },
        ]),
        counter(
          'process_cpu_seconds_total',
          'CPU time of the process.',
          unlabelled((user + system) / MICROSECONDS),
        ),
        gauge(
          'process_start_time_seconds',
          'Start time of the process, in seconds since 1970.',
          unlabelled(performance.timeOrigin / 1000),
        ),
        gauge('process_resident_memory_bytes', 'Resident memory of the process.', unlabelled(memory.rss)),
        gauge('octavo_memory_bytes', 'V8 memory by kind.', [
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
