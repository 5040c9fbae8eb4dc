/** A siege: a real server with ordinary clients, first at rest and then under all attacks, and the verdict. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { nextMessage, type ServerProcess, startProcess } from '../test/reference/server-process.ts'
import type { Target } from './attack.ts'
import type { AttackReport, AttackTally } from './attackers.ts'
import { type Served, startOrdinaryClients } from './ordinary-clients.ts'
import { fillCaches, prepare } from './prepare.ts'
import { AUTH_SECRET, NOTE_COUNTS, PROJECT, SECRETS, type Size } from './project.ts'
import { CLIENT_ADDRESS, createSender } from './send.ts'
import { type Memory, memoryFaults, serviceFaults } from './verdict.ts'

export interface SiegeOptions {
  readonly databaseUrl: string
  readonly seconds: number
  readonly seed: number
  readonly size: Size
  readonly onProgress?: (progress: Progress) => void
  /** Whether to stop before the time is over. */
  readonly isOver?: () => boolean
}

export type Phase = 'rehearsal' | 'rest' | 'siege' | 'settling'

export interface Progress {
  readonly phase: Phase
  /** Seconds since the start. */
  readonly at: number
  /** What the ordinary clients got since the last report. */
  readonly served: readonly Served[]
  readonly attacks: number
  readonly breaches: number
}

export interface SiegeReport {
  readonly rest: readonly Served[]
  readonly siege: readonly Served[]
  readonly attacks: readonly AttackTally[]
  readonly before: Memory
  readonly after: Memory
  /** Wrong responses to ordinary clients, and what attackers achieved, as sentences. */
  readonly wrong: readonly string[]
  readonly breaches: readonly string[]
  /** What is wrong with the speed. A machine with other load may be the cause. */
  readonly slowness: readonly string[]
  /** All other reasons why the siege failed; empty if it passed. */
  readonly faults: readonly string[]
}

/** Shares of the time. In the rehearsal all code is loaded, so that memory has a level to return to. */
const SHARES = { rehearsal: 0.15, rest: 0.15, siege: 0.7 }
const PROGRESS_MS = 5_000
/** How long memory may take to return to its level. */
const SETTLING_MS = 20_000
const NO_ATTACKS: AttackReport = { tallies: [], breaches: [] }

/** Starts a server on an empty database and returns what happened to it. */
export async function runSiege(options: SiegeOptions): Promise<SiegeReport> {
  const server = await startProcess(
    new URL('server.ts', import.meta.url),
    options.databaseUrl,
    {
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...process.env,
        NODE_ENV: 'production',
        OCTAVO_AUTH_SECRET: AUTH_SECRET,
        OCTAVO_EMAIL_SMTP: 'smtp://127.0.0.1:9',
        OCTAVO_SIEGE_SIZE: options.size,
      },
    },
    PROJECT,
  )
  const log = watchLog(server.child)
  try {
    const report = await besiege(server, options)
    const logged = SECRETS.filter((secret) => log.contains(secret)).map(() => 'the log contains a secret')
    return { ...report, faults: [...report.faults, ...logged] }
  } finally {
    await server.stop()
  }
}

/** Remembers the secrets that the log contains; the log itself would become too long. */
function watchLog(child: ServerProcess['child']) {
  const found = new Set<string>()
  let rest = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      const text = rest + chunk.toString('utf8')
      for (const secret of SECRETS) if (text.includes(secret)) found.add(secret)
      rest = text.slice(-100)
    })
  return { contains: (secret: string) => found.has(secret) }
}

async function besiege(server: ServerProcess, options: SiegeOptions): Promise<SiegeReport> {
  const { seconds, seed, size, onProgress, isOver = () => false } = options
  const base = String(server.firstMessage.address)
  const counts = NOTE_COUNTS[size]
  const target: Target = { ...(await prepare(base)), base, counts }
  // Takes too long for the short run in the tests.
  if (size === 'whole') await fillCaches(base)
  const began = performance.now()
  const clients = startOrdinaryClients(base, counts, began, seed)
  let attacks = NO_ATTACKS
  let reported = 0

  async function during<Result>(phase: Phase, work: Promise<Result>): Promise<Result> {
    const timer = setInterval(() => {
      const served = clients.served.slice(reported)
      reported = clients.served.length
      const { tallies, breaches } = attacks
      onProgress?.({
        phase,
        at: (performance.now() - began) / 1000,
        served,
        attacks: tallies.reduce((sum, { runs }) => sum + runs, 0),
        breaches: breaches.length,
      })
    }, PROGRESS_MS)
    try {
      return await work
    } finally {
      clearInterval(timer)
    }
  }

  /** Returns what the clients got in the time. */
  async function measured(phase: Phase, work: Promise<unknown>): Promise<readonly Served[]> {
    const first = clients.served.length
    await during(phase, work)
    return clients.served.slice(first)
  }

  async function attack(share: number): Promise<AttackReport> {
    const workerData = { target, seconds: seconds * share, seed: seed + share }
    const thread = new Worker(new URL('attackers.ts', import.meta.url), { workerData })
    thread.on('message', (report: AttackReport) => {
      attacks = report
      if (isOver() || server.exitReason() !== null) void thread.terminate()
    })
    await once(thread, 'exit')
    return attacks
  }

  try {
    const rehearsal = await during('rehearsal', attack(SHARES.rehearsal))
    const before = await during('settling', memoryOf(server))
    const rest = await measured('rest', sleep(seconds * SHARES.rest * 1000))
    const siege = await measured('siege', attack(SHARES.siege))
    await clients.stop()
    const after = await during('settling', settledMemory(server, before))
    const breaches = [...rehearsal.breaches, ...attacks.breaches, ...(await untouched(target))]
    const exit = server.exitReason()
    return {
      rest,
      siege,
      before,
      after,
      breaches,
      attacks: attacks.tallies,
      wrong: clients.wrong,
      slowness: serviceFaults(rest, siege),
      faults: [
        ...(exit === null ? [] : [exit]),
        ...(clients.wrong.length > 0
          ? [`${clients.wrong.length} responses to ordinary clients were wrong`]
          : []),
        ...(breaches.length > 0 ? [`attackers achieved ${breaches.length} things they must not`] : []),
        ...memoryFaults(before, after),
      ],
    }
  } finally {
    await clients.stop()
  }
}

/** What the attackers have changed of the documents that they must not change. */
async function untouched({ base, draftId }: Target): Promise<string[]> {
  const { send, close } = createSender(base, CLIENT_ADDRESS)
  const published = await send(`/api/articles/${draftId}`)
  const health = await send('/healthz')
  close()
  return [
    ...(published.status === 404 ? [] : ['a document was published without approval']),
    ...(health.status === 200 ? [] : [`/healthz returned ${health.status} after the siege`]),
  ]
}

async function memoryOf({ child }: ServerProcess): Promise<Memory> {
  const message = nextMessage(child)
  child.send({})
  const { rss, held } = await message
  return { resident: Number(rss) / 2 ** 20, held: Number(held) / 2 ** 20 }
}

/** The memory when it is back at its level, or when it has had the time for that. */
async function settledMemory(server: ServerProcess, before: Memory): Promise<Memory> {
  const end = performance.now() + SETTLING_MS
  let memory = await memoryOf(server)
  while (memoryFaults(before, memory).length > 0 && performance.now() < end) {
    await sleep(500)
    memory = await memoryOf(server)
  }
  return memory
}
