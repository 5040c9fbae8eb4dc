/**
 * Two processes on a primary and a standby read and write while one component after another fails: no response is
 * wrong, no acknowledged write is lost, and everything recovers when the component is back.
 */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { collection, projectFolder, string, typeFile } from '../support/project-server.ts'
import { waitUntil } from '../support/wait-until.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type OctavoProcess, octavoProcess, type ProcessResponse } from './process.ts'

const COUNTERS = 4
const READERS = 3

interface Counter {
  readonly documentId: string
  attempted: number
  acknowledged: number
}

describe('two servers with a replica under load', () => {
  let cluster: Cluster
  let folder = ''
  const processes: OctavoProcess[] = []
  const counters: Counter[] = []
  const load: Promise<void>[] = []
  const wrong: string[] = []
  const totals = { written: 0, read: 0, refused: 0, failed: 0 }
  let isOver = false

  /** Returns null for an expected failure: a 503 with Retry-After, or no response from a killed process. */
  async function sendUnlessRefused(
    process: OctavoProcess,
    ...request: Parameters<OctavoProcess['send']>
  ): Promise<ProcessResponse | null> {
    try {
      const response = await process.send(...request)
      if (response.status !== 503) return response
      totals.refused++
      if (response.retryAfter === null) wrong.push('503 without Retry-After')
      return null
    } catch (error) {
      totals.failed++
      if (process.isUp() && !(await wasRestarted(process))) wrong.push(`no response: ${error}`)
      return null
    }
  }
  /** A process that has just been killed, or started on another port, need not respond. */
  const restartedAt = new Map<OctavoProcess, number>()
  const wasRestarted = async (process: OctavoProcess) =>
    performance.now() - (restartedAt.get(process) ?? -1e9) < 5_000

  const other = (process: OctavoProcess) => processes.find((each) => each !== process) ?? process
  const any = () => processes[Math.floor(Math.random() * processes.length)] ?? fail()
  const fail = (): never => assert.fail('no process')

  function checkValue(counter: Counter, least: number, response: ProcessResponse | null, how: string) {
    if (!response) return
    totals.read++
    if (response.status !== 200) return void wrong.push(`${response.status} ${response.text}`)
    const { value } = JSON.parse(response.text).data
    if (value < least || value > counter.attempted)
      wrong.push(`${value} read ${how}, where ${least} to ${counter.attempted} were written`)
  }

  /** Counts up and reads each value back: from the same process, and from the other one with the position. */
  async function countUp(counter: Counter) {
    const path = `/api/counters/${counter.documentId}`
    while (!isOver) {
      const process = any()
      counter.attempted++
      const written = await sendUnlessRefused(process, 'PUT', path, { data: { value: counter.attempted } })
      if (written && written.status !== 200) wrong.push(`${written.status} ${written.text}`)
      if (written?.status === 200) {
        totals.written++
        counter.acknowledged = counter.attempted
        checkValue(
          counter,
          counter.acknowledged,
          await sendUnlessRefused(process, 'GET', path),
          'in the same process',
        )
        const position = written.position ?? ''
        const read = await sendUnlessRefused(other(process), 'GET', path, { position })
        checkValue(counter, counter.acknowledged, read, 'in the other process with its position')
      } else await sleep(50)
      await sleep(5)
    }
  }

  async function readLists() {
    for (let round = 0; !isOver; round++) {
      const response = await sendUnlessRefused(
        any(),
        'GET',
        `/api/counters?sort=name&fields=name,value&round=${round % 20}`,
      )
      if (response) {
        totals.read++
        const { data, meta } = response.status === 200 ? JSON.parse(response.text) : { data: [], meta: {} }
        if (data.length !== COUNTERS || meta.pagination?.total !== COUNTERS)
          wrong.push(`${response.status} ${response.text}`)
      }
      await sleep(response ? 5 : 50)
    }
  }

  /** Waits, and returns what the load has done in that time. */
  async function underLoad(milliseconds: number) {
    const before = { ...totals }
    await sleep(milliseconds)
    return { written: totals.written - before.written, refused: totals.refused - before.refused }
  }
  /** Waits until the load has written or read again. */
  async function waitForMore(...what: readonly ('written' | 'read')[]) {
    const before = { ...totals }
    await waitUntil(() => what.every((kind) => totals[kind] > before[kind]))
  }
  const canWrite = (process: OctavoProcess) => async () =>
    (await process.send('POST', '/api/notes', { data: { name: 'x' } }).catch(() => null))?.status === 201
  /** How many reads the standby has served. */
  const readsOnStandby = async () => {
    await cluster.standby.query('SELECT pg_stat_clear_snapshot()')
    const [row] = await cluster.standby.query(
      `SELECT xact_commit::int AS count FROM pg_stat_database WHERE datname = 'postgres'`,
    )
    return Number(row?.count)
  }

  before(async () => {
    cluster = await startCluster()
    folder = projectFolder({
      [typeFile('counter')]: collection('counter', { name: string, value: { type: 'integer' } }),
      [typeFile('note')]: collection('note', { name: string }),
    })
    for (let index = 0; index < 2; index++) {
      const process = octavoProcess(folder, cluster.primary.url, [cluster.standby.url])
      await process.start()
      processes.push(process)
    }
    for (let index = 0; index < COUNTERS; index++) {
      const data = { name: `counter ${index}`, value: 0 }
      const made = await any().send('POST', '/api/counters', { data })
      counters.push({ documentId: JSON.parse(made.text).data.documentId, attempted: 0, acknowledged: 0 })
    }
    for (const counter of counters) load.push(countUp(counter))
    for (let index = 0; index < READERS; index++) load.push(readLists())
  })
  after(async () => {
    isOver = true
    await Promise.all(load)
    for (const process of processes) await process.kill('SIGTERM')
    await cluster.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('read from the standby', async () => {
    const before = await readsOnStandby()
    await waitForMore('written')
    assert.equal((await underLoad(1500)).refused, 0)
    await waitUntil(async () => (await readsOnStandby()) - before > 20)
  })

  it('go on without the standby, and use it again later', async () => {
    await cluster.standby.crash()
    await underLoad(1000)
    await waitForMore('written', 'read')
    await cluster.standby.start()
    const before = await readsOnStandby()
    await waitUntil(async () => (await readsOnStandby()) - before > 50)
  })

  it('go on when one of them is killed', async () => {
    const [, victim = fail()] = processes
    restartedAt.set(victim, performance.now())
    await victim.kill('SIGKILL')
    await waitForMore('written')
    await victim.start()
    restartedAt.set(victim, performance.now())
    await waitUntil(canWrite(victim))
  })

  it('refuse writes with Retry-After and still serve reads while the primary is unreachable, and recover', async () => {
    // A regular shutdown: the standby receives everything.
    await cluster.primary.stop()
    for (const process of processes) {
      const refused = await process.send('POST', '/api/notes', { data: { name: 'x' } })
      assert.equal(refused.status, 503, refused.text)
      assert.match(refused.retryAfter ?? '', /^\d+$/)
      assert.equal(JSON.parse(refused.text).error.name, 'ServiceUnavailableError')
    }
    await underLoad(500)
    assert.equal((await underLoad(1000)).written, 0)
    await waitForMore('read')
    await cluster.primary.start()
    for (const process of processes) await waitUntil(canWrite(process))
    await waitForMore('written')
  })

  it('refuse everything with Retry-After while no database is reachable, and recover', async () => {
    await cluster.primary.crash()
    await underLoad(300)
    await cluster.standby.stop()
    await underLoad(300)
    for (const process of processes) {
      const refused = await process.send('GET', '/api/counters?round=none')
      assert.equal(refused.status, 503, refused.text)
      assert.match(refused.retryAfter ?? '', /^\d+$/)
    }
    await cluster.primary.start()
    await cluster.standby.start()
    for (const process of processes) await waitUntil(canWrite(process))
    await underLoad(500)
  })

  it('have sent no wrong response and lost nothing', async (t) => {
    isOver = true
    await Promise.all(load)
    assert.deepEqual(wrong.slice(0, 5), [])
    const rows = await cluster.primary.query('SELECT document_id, a_value::int AS value FROM counters')
    for (const { documentId, acknowledged, attempted } of counters) {
      const value = Number(rows.find((row) => row.document_id === documentId)?.value)
      assert.ok(value >= acknowledged && value <= attempted, `${value}: ${acknowledged} to ${attempted}`)
      for (const process of processes) {
        const { text } = await process.send('GET', `/api/counters/${documentId}`)
        assert.equal(JSON.parse(text).data.value, value)
      }
    }
    t.diagnostic(JSON.stringify(totals))
  })
})
