/** Workers are reloaded on demand, replaced when they die, and shut down by a signal, without losing a request. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { onEachEngine } from '../support/engines.ts'
import { TOKEN } from '../support/project-server.ts'
import { waitUntil } from '../support/wait-until.ts'
import { type Connection, type Fleet, startFleet } from './fleet.ts'

const WORKERS = 2

interface Load {
  /** Requests that got a wrong response, or none. */
  readonly failures: readonly string[]
  /** Names of the documents whose creation was acknowledged. */
  readonly created: ReadonlySet<string>
  completed(): number
  stop(): Promise<void>
}

/** Readers and writers that send requests with short pauses, each over its own connection, reopened when it is closed. */
function startLoad(
  t: TestContext,
  fleet: Fleet,
  isExpected: (error: unknown) => boolean = () => false,
): Load {
  const failures: string[] = []
  const created = new Set<string>()
  let completed = 0
  let running = true
  async function run(connection: Connection, number: number) {
    for (let count = 0; running; count++) {
      const name = `${number}-${count}`
      const isWrite = number % 2 === 1
      try {
        const response = isWrite
          ? await connection.request('POST', '/api/items', { data: { name } })
          : await connection.request('GET', `/api/items?pagination[pageSize]=2&sort=name&fields=name`)
        completed += 1
        if (response.status !== (isWrite ? 201 : 200)) failures.push(`${response.status} ${response.text}`)
        else if (isWrite) created.add(name)
        await sleep(10)
      } catch (error) {
        if (!isExpected(error)) failures.push(String(error))
        await sleep(10)
      }
    }
    connection.close()
  }
  t.after(() => {
    running = false
  })
  const runs = Array.from({ length: 6 }, (_, number) => run(fleet.connect(), number))
  return {
    failures,
    created,
    completed: () => completed,
    async stop() {
      running = false
      await Promise.all(runs)
    },
  }
}

async function readNames(fleet: Fleet): Promise<Set<unknown>> {
  const connection = fleet.connect()
  const names = new Set<unknown>()
  for (let page = 1, pages = 1; page <= pages; page++) {
    const response = await connection.request(
      'GET',
      `/api/items?fields=name&pagination[pageSize]=100&pagination[page]=${page}`,
    )
    pages = Number(response.at('meta', 'pagination', 'pageCount'))
    const data = response.at('data')
    assert.ok(Array.isArray(data))
    for (const { name } of data) names.add(name)
  }
  connection.close()
  return names
}

onEachEngine((engine) => {
  it('are replaced one by one without a failed request, and shut down without losing one', {
    timeout: 300_000,
  }, async (t) => {
    const fleet = await startFleet(await engine.freshUrl(), { workers: WORKERS })
    t.after(() => fleet.child.kill('SIGKILL'))
    try {
      const before = await fleet.pids()
      assert.equal(before.length, WORKERS)
      const load = startLoad(t, fleet)
      await waitUntil(() => load.completed() > 50)
      fleet.child.kill('SIGUSR2')
      await waitUntil(() => fleet.output().includes('Reloaded 2 workers'))
      const completed = load.completed()
      await waitUntil(() => load.completed() > completed + 50)
      await load.stop()
      assert.deepEqual(load.failures, [])
      const present = await fleet.pids()
      assert.equal(present.length, WORKERS)
      assert.ok(present.every((pid) => !before.includes(pid)))
      const names = await readNames(fleet)
      assert.deepEqual(
        [...load.created].filter((name) => !names.has(name)),
        [],
      )
    } finally {
      assert.equal(await fleet.stop(), 0)
    }
  })

  for (const workers of [1, WORKERS])
    it(`finish their requests when the server receives SIGTERM, with ${workers} workers`, {
      timeout: 300_000,
    }, async (t) => {
      const fleet = await startFleet(await engine.freshUrl(), { workers })
      t.after(() => fleet.child.kill('SIGKILL'))
      const isRefused = (error: unknown) => error instanceof Error && 'isNew' in error && error.isNew === true
      const load = startLoad(t, fleet, isRefused)
      await waitUntil(() => load.completed() > 50)
      const slow = startSlowRequest(fleet.base)
      await slow.arrived
      fleet.child.kill('SIGTERM')
      await waitUntil(() => isClosed(fleet.base))
      assert.equal(fleet.child.exitCode, null)
      slow.finish()
      assert.match(await slow.response, /^HTTP\/1\.1 201 [\s\S]*connection: close/i)
      assert.equal(await fleet.exit(), 0)
      await fleet.stop()
      await load.stop()
      assert.deepEqual(load.failures, [])
    })

  it('are replaced when they die, and everything acknowledged is stored', { timeout: 300_000 }, async (t) => {
    const fleet = await startFleet(await engine.freshUrl(), { workers: WORKERS })
    t.after(() => fleet.child.kill('SIGKILL'))
    try {
      const load = startLoad(t, fleet, () => true)
      await waitUntil(() => load.completed() > 50)
      for (let round = 0; round < 2; round++) {
        const before = await fleet.pids()
        process.kill(before[0] ?? 0, 'SIGKILL')
        await waitUntil(async () => {
          const pids = await fleet.pids()
          return pids.length === WORKERS && !pids.includes(before[0] ?? 0)
        })
        const completed = load.completed()
        await waitUntil(() => load.completed() > completed + 50)
      }
      await load.stop()
      assert.deepEqual(load.failures, [])
      assert.match(fleet.output(), /Worker \d+ crashed after \d+ ms \(it exited with SIGKILL\)/)
      const names = await readNames(fleet)
      assert.deepEqual(
        [...load.created].filter((name) => !names.has(name)),
        [],
      )
    } finally {
      assert.equal(await fleet.stop(), 0)
    }
  })

  it('finish their requests and exit when the primary process has died', {
    timeout: 300_000,
  }, async (t) => {
    const fleet = await startFleet(await engine.freshUrl(), { workers: WORKERS })
    const pids = await fleet.pids()
    const slow = startSlowRequest(fleet.base)
    await slow.arrived
    const load = startLoad(
      t,
      fleet,
      (error) => error instanceof Error && 'isNew' in error && error.isNew === true,
    )
    await waitUntil(() => load.completed() > 50)
    fleet.child.kill('SIGKILL')
    await waitUntil(() => isClosed(fleet.base))
    slow.finish()
    assert.match(await slow.response, /^HTTP\/1\.1 201 /, fleet.output())
    await waitUntil(() => !pids.some(isAlive))
    await load.stop()
    assert.deepEqual(load.failures, [])
    await fleet.stop()
  })

  it('wait only for the grace period when a request does not finish', {
    timeout: 300_000,
  }, async (t) => {
    const env = { OCTAVO_SERVER_GRACE_SECONDS: '1' }
    const fleet = await startFleet(await engine.freshUrl(), { workers: WORKERS, env })
    t.after(() => fleet.child.kill('SIGKILL'))
    const slow = startSlowRequest(fleet.base)
    await slow.arrived
    const start = performance.now()
    assert.equal(await fleet.stop(), 0)
    const waited = performance.now() - start
    assert.ok(waited > 900, `${waited} ms`)
    assert.equal(await slow.response, '')
    assert.match(fleet.output(), /1 requests? took longer than server.graceSeconds/)
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Whether new connections are refused. */
function isClosed(base: string): Promise<boolean> {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(false))
    socket.once('error', () => resolve(true))
  }).finally(() => socket.destroy())
}

/** The interim response to a request that sends `Expect: 100-continue` before its body. */
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

/** Sends a request without the rest of its body, which `finish` sends. */
function startSlowRequest(base: string) {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  const body = JSON.stringify({ data: { name: 'slow' } })
  let text = ''
  socket.on('data', (chunk) => {
    text += String(chunk)
  })
  socket.on('error', () => {})
  const arrived = waitUntil(() => text.startsWith(CONTINUE))
  const response = new Promise<string>((resolve) =>
    socket.once('close', () => resolve(text.slice(CONTINUE.length))),
  )
  const head = [
    'POST /api/items HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${TOKEN}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ].join('\r\n')
  socket.write(`${head}\r\n\r\n${body.slice(0, 5)}`)
  return { arrived, response, finish: () => void socket.write(body.slice(5)) }
}
