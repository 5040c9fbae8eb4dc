/** Measures a workload in short rounds that alternate with rounds of the bare server, because machines are noisy. */

import { findGenerator, type LoadGenerator, type Measure } from './load.ts'
import type { Options } from './options.ts'
import { type Measured, median, type Round } from './results.ts'
import { type Child, startChild } from './servers/child-process.ts'
import type { Use } from './servers/resource-usage.ts'
import type { BenchRequest } from './workloads.ts'

/** A server under measurement. */
export interface Target {
  readonly address: string
  /** Sent with every request; null for none. */
  readonly token: string | null
  /** The number of connections, if it is not the usual one. */
  readonly connections?: number
  use(): Use | null
}

/** What every measurement needs: the load generator and the bare server. */
export interface Bench {
  readonly generator: LoadGenerator
  readonly options: Options
  warmUp(target: Target, requests: readonly BenchRequest[]): Promise<void>
  /** `rounds` defaults to the value in the options; `ceiling` is a server that reads the same from the database. */
  measure(
    target: Target,
    requests: readonly BenchRequest[],
    rounds?: number,
    ceiling?: Child | null,
  ): Promise<Measured>
  stop(): Promise<void>
}

/** Seconds of warm-up with a workload's own requests. */
const LEAD_IN = 1

/** Starts the bare server; scripts of the load generator are written to `folder`. */
export async function openBench(folder: string, options: Options): Promise<Bench> {
  const generator = findGenerator(folder)
  const bare = await startChild('bare.ts', [])
  return {
    generator,
    options,
    async warmUp({ address, token }, requests) {
      await generator.drive(address, requests, options.warmUp, token)
    },
    async measure(target, requests, rounds = options.rounds, ceiling = null) {
      const sample = await ask(target, requests[0])
      await bare.sendOnce({ answer: sample })
      await generator.drive(target.address, requests, LEAD_IN, target.token, target.connections)
      const driveOther = (child: Child) => driveBare(child, target, requests, generator, options.seconds)
      if (ceiling) await driveOther(ceiling)
      const own: Round[] = []
      const bares: Round[] = []
      const ceilings: Round[] = []
      for (let round = 0; round < rounds; round++) {
        bares.push(await driveOther(bare))
        if (ceiling) ceilings.push(await driveOther(ceiling))
        own.push(await drive(target, requests, generator, options.seconds))
      }
      return {
        bytes: Buffer.byteLength(sample.body),
        bare: medianOf(bares),
        own: medianOf(own),
        share: shareOf(own, bares),
        ...(ceiling && { ceiling: { server: medianOf(ceilings), share: shareOf(own, ceilings) } }),
      }
    },
    stop: () => bare.stop(),
  }
}

/** The median of the ratios of rounds that followed each other. */
function shareOf(own: readonly Round[], others: readonly Round[]): number {
  const shares = own.map(
    ({ requestsPerSecond }, round) => requestsPerSecond / (others[round]?.requestsPerSecond ?? Number.NaN),
  )
  return Math.round(median(shares) * 1000) / 1000
}

/** The round with the median rate, with the failures of all rounds. */
function medianOf(rounds: readonly Round[]): Round {
  const rate = median(rounds.map(({ requestsPerSecond }) => requestsPerSecond))
  const round = rounds.find(({ requestsPerSecond }) => requestsPerSecond === rate)
  if (!round) throw new Error('No rounds')
  return { ...round, failures: rounds.reduce((sum, { failures }) => sum + failures, 0) }
}

async function drive(
  { address, token, connections, use }: Target,
  requests: readonly BenchRequest[],
  generator: LoadGenerator,
  seconds: number,
): Promise<Round> {
  const before = use()
  const measured = await generator.drive(address, requests, seconds, token, connections)
  const measure = withExpected(measured, requests)
  const after = use()
  const processor = before && after && (after.processor - before.processor) / Math.max(1, measure.requests)
  return { ...measure, processor }
}

async function driveBare(
  bare: Child,
  { token, connections }: Target,
  requests: readonly BenchRequest[],
  generator: LoadGenerator,
  seconds: number,
): Promise<Round> {
  const before = await bare.sendOnce({})
  const measured = await generator.drive(bare.address, requests, seconds, token, connections)
  const measure = withExpected(measured, requests)
  const after = await bare.sendOnce({})
  return { ...measure, processor: (after.processor - before.processor) / Math.max(1, measure.requests) }
}

/** Where requests must be refused, those that were not are the failures. */
const withExpected = (measure: Measure, requests: readonly BenchRequest[]): Measure =>
  requests.some(({ isRefused }) => isRefused)
    ? { ...measure, failures: measure.requests - measure.failures }
    : measure

/** Sends one request as the load generator does; the bare server will send the same response. */
async function ask({ address, token }: Target, request: BenchRequest | undefined) {
  if (!request) throw new Error('The workload has no requests')
  const { method, path, body } = request
  const response = await fetch(address + encodeURI(path), {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  if (request.isRefused ? response.status !== 400 : !response.ok)
    throw new Error(`${method} ${path} answered ${response.status} ${text}`)
  return { status: response.status, contentType: response.headers.get('content-type') ?? '', body: text }
}
