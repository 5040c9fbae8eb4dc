/**
 * Two processes on a primary and a standby, under load of reads and writes, while one part after another fails: no
 * response is wrong, nothing acknowledged is lost, and everything recovers when the part is back.
 */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { collection, projectFolder, string, typeFile } from '../support/project-server.ts'
import { waitUntil } from '../support/wait-until.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type Answer, type OctavoProcess, octavoProcess } from './process.ts'

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
  const seen = { written: 0, read: 0, refused: 0, unanswered: 0 }
  let isOver = false

  /** Sends a request; null when it was refused as it may be: with 503 and Retry-After, or by a process that is gone. */
  async function ask(
    of: OctavoProcess,
    ...request: Parameters<OctavoProcess['send']>
  ): Promise<Answer | null> {
    try {
      const answer = await of.send(...request)
      if (answer.status !== 503) return answer
      seen.refused++
      if (answer.retryAfter === null) wrong.push('503 without Retry-After')
      return null
    } catch (error) {
      seen.unanswered++
      if (of.isUp() && !(await cutOff(of))) wrong.push(`no response: ${error}`)
      return null
    }
  }
  /** Whether a process has just been killed, or started on another port, so that a request may find nobody. */
  const killed = new Map<OctavoProcess, number>()
  const cutOff = async (of: OctavoProcess) => performance.now() - (killed.get(of) ?? -1e9) < 5_000

  const other = (of: OctavoProcess) => processes.find((each) => each !== of) ?? of
  const any = () => processes[Math.floor(Math.random() * processes.length)] ?? fail()
  const fail = (): never => assert.fail('There is a process')

  function checkValue(counter: Counter, least: number, answer: Answer | null, how: string) {
    if (!answer) return
    seen.read++
    if (answer.status !== 200) return void wrong.push(`${answer.status} ${answer.text}`)
    const { value } = JSON.parse(answer.text).data
    if (value < least || value > counter.attempted)
      wrong.push(`${value} read ${how}, where ${least} to ${counter.attempted} were written`)
  }

  /** Counts up, and looks after each step: in the same process, and with the position in the other. */
  async function count(counter: Counter) {
    const path = `/api/counters/${counter.documentId}`
    while (!isOver) {
      const process = any()
      counter.attempted++
      const written = await ask(process, 'PUT', path, { data: { value: counter.attempted } })
      if (written && written.status !== 200) wrong.push(`${written.status} ${written.text}`)
      if (written?.status === 200) {
        seen.written++
        counter.acknowledged = counter.attempted
        checkValue(counter, counter.acknowledged, await ask(process, 'GET', path), 'where it was written')
        const position = written.position ?? ''
        const read = await ask(other(process), 'GET', path, { position })
        checkValue(counter, counter.acknowledged, read, 'elsewhere with its position')
      } else await sleep(50)
      await sleep(5)
    }
  }

  async function look() {
    for (let round = 0; !isOver; round++) {
      const answer = await ask(any(), 'GET', `/api/counters?sort=name&fields=name,value&round=${round % 20}`)
      if (answer) {
        seen.read++
        const { data, meta } = answer.status === 200 ? JSON.parse(answer.text) : { data: [], meta: {} }
        if (data.length !== COUNTERS || meta.pagination?.total !== COUNTERS)
          wrong.push(`${answer.status} ${answer.text}`)
      }
      await sleep(answer ? 5 : 50)
    }
  }

  /** Lets the load run for a while and says what came of it. */
  async function underLoad(milliseconds: number) {
    const before = { ...seen }
    await sleep(milliseconds)
    return { written: seen.written - before.written, refused: seen.refused - before.refused }
  }
  /** Waits until the load has done so from now on. */
  async function goesOn(...what: readonly ('written' | 'read')[]) {
    const before = { ...seen }
    await waitUntil(() => what.every((kind) => seen[kind] > before[kind]))
  }
  const writes = (process: OctavoProcess) => async () =>
    (await process.send('POST', '/api/notes', { data: { name: 'x' } }).catch(() => null))?.status === 201
  /** How many reads the standby has served. */
  const readsOnStandby = async () => {
    await cluster.standby.ask('SELECT pg_stat_clear_snapshot()')
    const [row] = await cluster.standby.ask(
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
    for (const counter of counters) load.push(count(counter))
    for (let index = 0; index < READERS; index++) load.push(look())
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
    await goesOn('written')
    assert.equal((await underLoad(1500)).refused, 0)
    await waitUntil(async () => (await readsOnStandby()) - before > 20)
  })

  it('go on without the standby, and use it again later', async () => {
    await cluster.standby.crash()
    await underLoad(1000)
    await goesOn('written', 'read')
    await cluster.standby.start()
    const before = await readsOnStandby()
    await waitUntil(async () => (await readsOnStandby()) - before > 50)
  })

  it('go on when one of them is killed', async () => {
    const [, victim = fail()] = processes
    killed.set(victim, performance.now())
    await victim.kill('SIGKILL')
    await goesOn('written')
    await victim.start()
    killed.set(victim, performance.now())
    await waitUntil(writes(victim))
  })

  it('refuse writes with Retry-After and still serve reads while the primary is unreachable, and recover', async () => {
    // In good order: the standby gets all of it.
    await cluster.primary.stop()
    for (const process of processes) {
      const refused = await process.send('POST', '/api/notes', { data: { name: 'x' } })
      assert.equal(refused.status, 503, refused.text)
      assert.match(refused.retryAfter ?? '', /^\d+$/)
      assert.equal(JSON.parse(refused.text).error.name, 'ServiceUnavailableError')
    }
    await underLoad(500)
    assert.equal((await underLoad(1000)).written, 0)
    await goesOn('read')
    await cluster.primary.start()
    for (const process of processes) await waitUntil(writes(process))
    await goesOn('written')
  })

  it('refuse everything with Retry-After while no database is reachable, and recover', async () => {
    await cluster.primary.crash()
    await underLoad(300)
    await cluster.standby.stop()
    await underLoad(300)
    for (const process of processes) {
      const refused = await process.send('GET', '/api/counters?round=nobody')
      assert.equal(refused.status, 503, refused.text)
      assert.match(refused.retryAfter ?? '', /^\d+$/)
    }
    await cluster.primary.start()
    await cluster.standby.start()
    for (const process of processes) await waitUntil(writes(process))
    await underLoad(500)
  })

  it('have returned nothing wrong and lost nothing', async (t) => {
    isOver = true
    await Promise.all(load)
    assert.deepEqual(wrong.slice(0, 5), [])
    const rows = await cluster.primary.ask('SELECT document_id, a_value::int AS value FROM counters')
    for (const { documentId, acknowledged, attempted } of counters) {
      const value = Number(rows.find((row) => row.document_id === documentId)?.value)
      assert.ok(value >= acknowledged && value <= attempted, `${value}: ${acknowledged} to ${attempted}`)
      for (const process of processes) {
        const { text } = await process.send('GET', `/api/counters/${documentId}`)
        assert.equal(JSON.parse(text).data.value, value)
      }
    }
    t.diagnostic(JSON.stringify(seen))
  })
})
