/** Writes to a server all the time while its primary database fails and the standby is promoted, again and again. */
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { octavoProcess } from '../test/replicas/process.ts'
import { collection, projectFolder, string, typeFile } from '../test/support/project-server.ts'
import { waitUntil } from '../test/support/wait-until.ts'
import { startServerPair } from './server-pair.ts'

export interface FailoverReport {
  readonly rounds: number
  readonly acknowledged: number
  /** Requests that got 503 with Retry-After. */
  readonly refused: number
  /** The milliseconds without an acknowledged write, of each round. */
  readonly interruptions: readonly number[]
  /** What went wrong; empty if the run passed. */
  readonly wrong: readonly string[]
}

export interface FailoverOptions {
  readonly rounds: number
  readonly onRound?: (round: number, milliseconds: number) => void
  /** Whether to stop before all rounds are over. */
  readonly isOver?: () => boolean
}

const WRITERS = 4
/** The acknowledged writes before each failure. */
const WRITES_BEFORE = 20

interface Counter {
  readonly documentId: string
  attempted: number
  acknowledged: number
}

/** Every acknowledged value is stored after each round; otherwise the report says what is wrong. */
export async function runFailovers({
  rounds,
  onRound,
  isOver = () => false,
}: FailoverOptions): Promise<FailoverReport> {
  const pair = await startServerPair()
  const folder = projectFolder({
    [typeFile('counter')]: collection('counter', { name: string, value: { type: 'integer' } }),
  })
  const server = octavoProcess(folder, pair.url, [])
  const counters: Counter[] = []
  const wrong: string[] = []
  const interruptions: number[] = []
  let acknowledged = 0
  let refused = 0
  let isDone = false

  async function countUp(counter: Counter) {
    while (!isDone) {
      const value = ++counter.attempted
      const path = `/api/counters/${counter.documentId}`
      const response = await server.send('PUT', path, { data: { value } })
      if (response.status === 200) {
        counter.acknowledged = value
        acknowledged++
        const { text, status } = await server.send('GET', path)
        if (status === 200 && JSON.parse(text).data.value < value)
          wrong.push(`${value} written, read ${text}`)
      } else if (response.status === 503) {
        refused++
        if (response.retryAfter === null) wrong.push('503 without Retry-After')
        await sleep(20)
      } else wrong.push(`${response.status} ${response.text}`)
    }
  }

  async function waitForWrites(count: number) {
    const enough = acknowledged + count
    await waitUntil(() => acknowledged >= enough || wrong.length > 0)
  }

  async function checkStored() {
    const known = counters.map((counter) => ({ ...counter }))
    const rows = await pair.query('SELECT document_id, a_value::int AS value FROM counters')
    for (const [index, { documentId, acknowledged: least }] of known.entries()) {
      const value = Number(rows.find((row) => row.document_id === documentId)?.value)
      const most = counters[index]?.attempted ?? 0
      if (!(value >= least && value <= most)) wrong.push(`${value} stored, ${least} to ${most} written`)
    }
  }

  const load: Promise<void>[] = []
  try {
    await server.start()
    for (let index = 0; index < WRITERS; index++) {
      const made = await server.send('POST', '/api/counters', { data: { name: `${index}`, value: 0 } })
      counters.push({ documentId: JSON.parse(made.text).data.documentId, attempted: 0, acknowledged: 0 })
    }
    for (const counter of counters)
      load.push(countUp(counter).catch((error: unknown) => void wrong.push(String(error))))
    for (let round = 1; round <= rounds && !isOver() && wrong.length === 0; round++) {
      await waitForWrites(WRITES_BEFORE)
      const start = performance.now()
      await pair.failOver()
      await checkStored()
      await waitForWrites(1)
      interruptions.push(performance.now() - start)
      onRound?.(round, performance.now() - start)
      await pair.restoreStandby()
    }
    await waitForWrites(WRITES_BEFORE)
    await checkStored()
  } finally {
    isDone = true
    await Promise.all(load)
    await server.kill('SIGTERM')
    await pair.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { rounds: interruptions.length, acknowledged, refused, interruptions, wrong }
}
