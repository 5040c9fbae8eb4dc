/** A soak test: a real server under mixed load while its memory is sampled. */
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../src/errors.ts'
import { createClient } from '../test/reference/client.ts'
import { loadRecording } from '../test/reference/recording.ts'
import { seedServer } from '../test/reference/replay.ts'
import { nextMessage, type ServerProcess, startProcess } from '../test/reference/server-process.ts'
import { ACTIONS, type Client } from './actions.ts'
import { memoryFaults, type Sample } from './memory.ts'
import { randomNumbers } from './random-numbers.ts'

export interface SoakOptions {
  readonly databaseUrl: string
  readonly seconds: number
  readonly onSample?: (sample: Sample) => void
  /** Whether to stop before the time is over. */
  readonly isOver?: () => boolean
}

export interface SoakReport {
  readonly requests: number
  /** Count, median and maximum duration (ms) of each action. */
  readonly acts: readonly {
    readonly name: string
    readonly times: number
    readonly p50: number
    readonly max: number
  }[]
  readonly samples: readonly Sample[]
  /** The first hundred unexpected responses, as sentences. */
  readonly failures: readonly string[]
  /** Reasons why the run failed; empty if it passed. */
  readonly faults: readonly string[]
}

const CLIENTS = 8
const SAMPLES = 40
/** A sample waits for the garbage collector, which takes a second. */
const SAMPLES_OF_SHORT = 12
const MOST_FAILURES = 100
/** In shorter runs, caches would not fill up before the second half if every query were distinct. */
const SHORT = 300
/** Request timeout. */
const DEADLINE_MS = 15_000

const recording = loadRecording()

/** Starts a server on an empty database, puts it under load and returns a report. */
export async function soak({
  databaseUrl,
  seconds,
  onSample,
  isOver = () => false,
}: SoakOptions): Promise<SoakReport> {
  const server = await startProcess(new URL('server.ts', import.meta.url), databaseUrl, {
    execArgv: ['--expose-gc'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      OCTAVO_AUTH_SECRET: 'a secret for the soak that is long enough',
      OCTAVO_EMAIL_SMTP: 'smtp://127.0.0.1:9',
    },
  })
  try {
    const base = String(server.firstMessage.address)
    await seedServer(createClient(base, recording), recording)
    const ended = () => server.exitReason() ?? (isOver() ? 'it was stopped' : null)
    return await load(server.child, base, seconds, ended, onSample)
  } finally {
    await server.stop()
  }
}

async function load(
  child: ServerProcess['child'],
  base: string,
  seconds: number,
  ended: () => string | null,
  onSample: SoakOptions['onSample'],
): Promise<SoakReport> {
  const began = performance.now()
  const passed = () => (performance.now() - began) / 1000
  const durations = new Map<string, number[]>()
  const failures: string[] = []
  let requests = 0

  function fail(words: string) {
    if (failures.length < MOST_FAILURES) failures.push(words)
  }

  function clientNumbered(number: number): Client {
    const draw = randomNumbers(number)
    return {
      draw,
      variety: seconds < SHORT ? 200 : 100_000,
      made: [],
      async send(path, expected, { method = 'GET', as, json, form, headers = {} } = {}) {
        requests += 1
        const token = as && as !== 'nobody' ? recording.tokens[as] : undefined
        const response = await fetch(base + path, {
          method,
          headers: {
            ...(token ? { authorization: `Bearer ${token}` } : {}),
            ...(json === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
          body: form ?? (json === undefined ? null : JSON.stringify(json)),
          signal: AbortSignal.timeout(DEADLINE_MS),
        })
        const text = await response.text()
        if (!expected.includes(response.status))
          throw new Error(`${method} ${path} answered ${response.status} ${text.slice(0, 200)}`)
        return {
          status: response.status,
          body: text === '' ? null : JSON.parse(text),
          etag: response.headers.get('etag'),
        }
      },
    }
  }

  async function work(number: number) {
    const client = clientNumbered(number)
    while (passed() < seconds && ended() === null) {
      const act = chosen(client.draw)
      const start = performance.now()
      try {
        await act.run(client)
      } catch (error) {
        fail(`${act.name}: ${messageOf(error)}`)
      }
      const known = durations.get(act.name) ?? []
      known.push(performance.now() - start)
      durations.set(act.name, known)
    }
  }

  async function sample(): Promise<Sample> {
    const answer = nextMessage(child)
    child.send({})
    const { rss, held } = await answer
    const megabytes = (bytes: unknown) => Number(bytes) / 2 ** 20
    return {
      at: passed(),
      requests,
      resident: megabytes(rss),
      held: megabytes(held),
    }
  }

  async function watch() {
    const samples: Sample[] = []
    const count = seconds < SHORT ? SAMPLES_OF_SHORT : SAMPLES
    for (let index = 1; index <= count && ended() === null; index++) {
      await sleep(Math.max(0, (index * seconds * 1000) / count - (performance.now() - began)))
      const one = await sample()
      samples.push(one)
      onSample?.(one)
    }
    return samples
  }

  const [samples] = await Promise.all([
    watch(),
    ...Array.from({ length: CLIENTS }, (_, number) => work(number + 1)),
  ])
  const gone = ended()
  return {
    requests,
    samples,
    failures,
    acts: [...durations].map(([name, list]) => {
      const sorted = list.toSorted((a, b) => a - b)
      return { name, times: list.length, p50: sorted[list.length >> 1] ?? 0, max: sorted.at(-1) ?? 0 }
    }),
    faults: [
      ...(gone === null ? [] : [gone]),
      ...(failures.length > 0 ? [`${failures.length} responses were wrong`] : []),
      ...memoryFaults(samples),
    ],
  }
}

const WEIGHT = ACTIONS.reduce((sum, { weight }) => sum + weight, 0)

function chosen(draw: Client['draw']) {
  let at = draw(WEIGHT)
  for (const act of ACTIONS) {
    at -= act.weight
    if (at < 0) return act
  }
  throw new Error('There are no actions to choose from')
}
