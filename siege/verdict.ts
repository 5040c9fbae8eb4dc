/** The verdict on a siege: what ordinary clients got at rest and under attack, and whether memory is back at its level. */
import type { Served } from './ordinary-clients.ts'

/** Resident memory, and heap plus buffers after a garbage collection, in megabytes. */
export interface Memory {
  readonly resident: number
  readonly held: number
}

export interface Service {
  readonly action: string
  readonly requests: number
  readonly refused: number
  readonly p50: number
  readonly p99: number
  readonly slowest: number
}

/** How many times longer than at rest the slowest hundredth of the ordinary requests may take. */
const MOST_SLOWER = 10
/** A rest without load is shorter than the resolution of a busy machine: below this, a p99 is no fault. */
const ALWAYS_FAST_MS = 50
/** The share of ordinary requests that may be refused with 503 and `Retry-After`. */
const MOST_REFUSED_SHARE = 0.01
/** Held memory differs by some megabytes between two moments, and code is optimised meanwhile. */
const MOST_HELD = 16
/** Allocators return memory late and in parts. */
const MOST_RESIDENT_SHARE = 0.35

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function serviceOf(action: string, served: readonly Served[]): Service {
  const durations = served.map(({ milliseconds }) => milliseconds)
  return {
    action,
    requests: served.length,
    refused: served.filter(({ isRefused }) => isRefused).length,
    p50: percentile(durations, 0.5),
    p99: percentile(durations, 0.99),
    slowest: percentile(durations, 1),
  }
}

export const ALL = 'all'

/** What each action got, and all of them together. */
export function services(served: readonly Served[]): readonly Service[] {
  const actions = [...new Set(served.map(({ action }) => action))].sort()
  return [
    ...actions.map((action) =>
      serviceOf(
        action,
        served.filter((one) => one.action === action),
      ),
    ),
    serviceOf(ALL, served),
  ]
}

/** What is wrong with the service of the ordinary clients: too slow, or refused too often. */
export function serviceFaults(rest: readonly Served[], siege: readonly Served[]): string[] {
  const [before, during] = [serviceOf(ALL, rest), serviceOf(ALL, siege)]
  const most = Math.max(MOST_SLOWER * before.p99, ALWAYS_FAST_MS)
  return [
    ...(during.p99 > most
      ? [`the p99 of ordinary clients was ${during.p99.toFixed(0)} ms, at rest ${before.p99.toFixed(1)} ms`]
      : []),
    ...(during.refused > during.requests * MOST_REFUSED_SHARE
      ? [`${during.refused} of ${during.requests} ordinary requests were refused`]
      : []),
    ...(during.requests === 0 ? ['ordinary clients got no response'] : []),
  ]
}

/** What is wrong with memory after the siege; empty if it is back at its level. */
export function memoryFaults(before: Memory, after: Memory): string[] {
  return [
    ...(after.held > before.held + MOST_HELD
      ? [`held memory is ${after.held.toFixed(1)} MB, before it was ${before.held.toFixed(1)} MB`]
      : []),
    ...(after.resident > before.resident * (1 + MOST_RESIDENT_SHARE)
      ? [`resident memory is ${after.resident.toFixed(0)} MB, before it was ${before.resident.toFixed(0)} MB`]
      : []),
  ]
}
