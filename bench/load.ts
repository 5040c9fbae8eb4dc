/** Generates HTTP load from another process: with wrk if it is installed, otherwise with autocannon. */
import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BenchRequest } from './workloads.ts'

const run = promisify(execFile)

export interface Measure {
  readonly requests: number
  readonly requestsPerSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Error responses and broken connections. */
  readonly failures: number
}

export interface LoadGenerator {
  readonly name: string
  /** Sends the requests in order, repeatedly, with the token if there is one. */
  drive(
    base: string,
    requests: readonly BenchRequest[],
    seconds: number,
    token: string | null,
    connections?: number,
  ): Promise<Measure>
}

export const CONNECTIONS = 16
/**
 * For costly requests. All connections are one caller, who gets a part of the threads for slow reads: with many connections,
 * the requests would measure how long they wait for each other, and be refused on a slow machine.
 */
export const COSTLY_CONNECTIONS = 4

/** Request timeout in seconds; long, so that slow responses are measured instead of counted as failures. */
const PATIENCE = 30

/** The best load generator available; its scripts are written to `folder`. */
export function findGenerator(folder: string): LoadGenerator {
  return spawnSync('wrk', ['--version']).error ? autocannon(folder) : wrk(folder)
}

function wrk(folder: string): LoadGenerator {
  return {
    name: 'wrk',
    async drive(base, requests, seconds, token, connections = CONNECTIONS) {
      const script = join(folder, 'requests.lua')
      writeFileSync(script, luaOf(requests, token))
      const { stdout } = await run('wrk', [
        ...['-t', '1', '-c', String(connections), '-d', `${seconds}s`],
        ...['--timeout', `${PATIENCE}s`, '--latency', '-s', script, base],
      ])
      const number = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? 0)
      const [connect, read, write, timeout] = (
        /connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(stdout) ?? []
      )
        .slice(1)
        .map(Number)
      return {
        requests: number(/(\d+) requests in/),
        requestsPerSecond: number(/Requests\/sec:\s+([\d.]+)/),
        p50: milliseconds(/50%\s+([\d.]+)(us|ms|s)/.exec(stdout)),
        p99: milliseconds(/99%\s+([\d.]+)(us|ms|s)/.exec(stdout)),
        failures:
          number(/Non-2xx or 3xx responses: (\d+)/) +
          (connect ?? 0) +
          (read ?? 0) +
          (write ?? 0) +
          (timeout ?? 0),
      }
    },
  }
}

const UNITS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 }
const milliseconds = (found: RegExpExecArray | null) =>
  Number(found?.[1] ?? 0) * (UNITS[found?.[2] ?? 'ms'] ?? 1)

const headersOf = ({ body }: BenchRequest, token: string | null) => [
  ...(body === undefined ? [] : [{ name: 'content-type', value: 'application/json' }]),
  ...(token === null ? [] : [{ name: 'authorization', value: `Bearer ${token}` }]),
]

/** A wrk script that sends the requests in order. */
function luaOf(requests: readonly BenchRequest[], token: string | null) {
  const text = (value: string) => JSON.stringify(value)
  const lines = requests.map((request) => {
    const { method, path, body } = request
    const pairs = headersOf(request, token).map(({ name, value }) => `[${text(name)}] = ${text(value)}`)
    const headers = pairs.length === 0 ? 'nil' : `{ ${pairs.join(', ')} }`
    const sent = body === undefined ? 'nil' : text(body)
    return `  wrk.format(${text(method)}, ${text(encodeURI(path))}, ${headers}, ${sent}),`
  })
  // Requests are formatted once, at start, to keep wrk's own CPU use low.
  return `local requests
local turn = 0
function init()
  requests = {
${lines.join('\n')}
  }
end
function request()
  turn = turn % #requests + 1
  return requests[turn]
end
`
}

function autocannon(folder: string): LoadGenerator {
  return {
    name: 'autocannon',
    async drive(base, requests, seconds, token, connections = CONNECTIONS) {
      const har = join(folder, 'requests.har')
      writeFileSync(har, JSON.stringify(harOf(base, requests, token)))
      const binary = new URL(import.meta.resolve('autocannon')).pathname
      const { stdout } = await run(
        process.execPath,
        [
          binary,
          '-c',
          String(connections),
          '-d',
          String(seconds),
          '-t',
          String(PATIENCE),
          '-j',
          '--har',
          har,
          base,
        ],
        { maxBuffer: 2 ** 26 },
      )
      const report: AutocannonReport = JSON.parse(stdout)
      return {
        requests: report.requests.total,
        requestsPerSecond: report.requests.average,
        p50: report.latency.p50,
        p99: report.latency.p99,
        failures: report.non2xx + report.errors,
      }
    },
  }
}

interface AutocannonReport {
  readonly requests: { readonly average: number; readonly total: number }
  readonly latency: { readonly p50: number; readonly p99: number }
  readonly non2xx: number
  readonly errors: number
}

const harOf = (base: string, requests: readonly BenchRequest[], token: string | null) => ({
  log: {
    entries: requests.map((request) => {
      const { method, path, body } = request
      return {
        request: {
          method,
          url: base + encodeURI(path),
          headers: headersOf(request, token),
          ...(body === undefined ? {} : { postData: { mimeType: 'application/json', text: body } }),
        },
      }
    }),
  },
})
