/** Workers come and go: exchanged on demand, replaced when they die, ended when told. No request is lost to it. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { onEachEngine } from '../support/engines.ts'
import { TOKEN } from '../support/project-server.ts'
import { waitUntil } from '../support/wait-until.ts'
import { type Fleet, launchFleet, startFleet, type Wire } from './fleet.ts'

const WORKERS = 2

interface Load {
  /** Requests that got a wrong response, or none. */
  readonly failures: readonly string[]
  /** Names of the documents whose creation was acknowledged. */
  readonly created: ReadonlySet<string>
  answered(): number
  stop(): Promise<void>
}

/** Readers and writers that ask without a pause, each over a connection of its own, opened again when it was closed. */
function loadOn(t: TestContext, fleet: Fleet, isExpected: (error: unknown) => boolean = () => false): Load {
  const failures: string[] = []
  const created = new Set<string>()
  let answered = 0
  let running = true
  async function run(wire: Wire, number: number) {
    for (let count = 0; running; count++) {
      const name = `${number}-${count}`
      const isWrite = number % 2 === 1
      try {
        const answer = isWrite
          ? await wire.ask('POST', '/api/items', { data: { name } })
          : await wire.ask('GET', `/api/items?pagination[pageSize]=2&sort=name&fields=name`)
        answered += 1
        if (answer.status !== (isWrite ? 201 : 200)) failures.push(`${answer.status} ${answer.text}`)
        else if (isWrite) created.add(name)
      } catch (error) {
        if (!isExpected(error)) failures.push(String(error))
        await sleep(10)
      }
    }
    wire.close()
  }
  t.after(() => {
    running = false
  })
  const runs = Array.from({ length: 6 }, (_, number) => run(fleet.wire(), number))
  return {
    failures,
    created,
    answered: () => answered,
    async stop() {
      running = false
      await Promise.all(runs)
    },
  }
}

async function namesOf(fleet: Fleet): Promise<Set<unknown>> {
  const wire = fleet.wire()
  const names = new Set<unknown>()
  for (let page = 1, pages = 1; page <= pages; page++) {
    const answer = await wire.ask(
      'GET',
      `/api/items?fields=name&pagination[pageSize]=100&pagination[page]=${page}`,
    )
    pages = Number(answer.at('meta', 'pagination', 'pageCount'))
    const data = answer.at('data')
    assert.ok(Array.isArray(data))
    for (const { name } of data) names.add(name)
  }
  wire.close()
  return names
}

onEachEngine((engine) => {
  it('are replaced one by one without a failed request, and shut down without losing one', {
    timeout: 300_000,
  }, async (t) => {
    const fleet = await startFleet(await engine.freshUrl(), { workers: WORKERS })
    t.after(() => fleet.child.kill('SIGKILL'))
    try {
      const former = await fleet.pids()
      assert.equal(former.length, WORKERS)
      const load = loadOn(t, fleet)
      await waitUntil(() => load.answered() > 50)
      fleet.child.kill('SIGUSR2')
      await waitUntil(() => fleet.output().includes('Reloaded 2 workers'))
      const before = load.answered()
      await waitUntil(() => load.answered() > before + 50)
      await load.stop()
      assert.deepEqual(load.failures, [])
      const present = await fleet.pids()
      assert.equal(present.length, WORKERS)
      assert.ok(present.every((pid) => !former.includes(pid)))
      const names = await namesOf(fleet)
      assert.deepEqual(
        [...load.created].filter((name) => !names.has(name)),
        [],
      )
    } finally {
      assert.equal(await fleet.stop(), 0)
    }
  })

  for (const workers of [1, WORKERS])
    it(`finish their requests when the server receives SIGTERM, with ${workers} of them`, {
      timeout: 300_000,
    }, async (t) => {
      const fleet = await startFleet(await engine.freshUrl(), { workers })
      t.after(() => fleet.child.kill('SIGKILL'))
      const isRefused = (error: unknown) => error instanceof Error && 'isNew' in error && error.isNew === true
      const load = loadOn(t, fleet, isRefused)
      await waitUntil(() => load.answered() > 50)
      const slow = slowly(fleet.base)
      await slow.arrived
      fleet.child.kill('SIGTERM')
      await waitUntil(() => isClosed(fleet.base))
      assert.equal(fleet.child.exitCode, null)
      slow.finish()
      assert.match(await slow.answer, /^HTTP\/1\.1 201 [\s\S]*connection: close/i)
      assert.equal(await fleet.exit(), 0)
      await fleet.stop()
      await load.stop()
      assert.deepEqual(load.failures, [])
    })

  it('are replaced when they die, and everything acknowledged is stored', { timeout: 300_000 }, async (t) => {
    const fleet = await startFleet(await engine.freshUrl(), { workers: WORKERS })
    t.after(() => fleet.child.kill('SIGKILL'))
    try {
      const load = loadOn(t, fleet, () => true)
      await waitUntil(() => load.answered() > 50)
      for (let round = 0; round < 2; round++) {
        const before = await fleet.pids()
        process.kill(before[0] ?? 0, 'SIGKILL')
        await waitUntil(async () => {
          const pids = await fleet.pids()
          return pids.length === WORKERS && !pids.includes(before[0] ?? 0)
        })
        const answered = load.answered()
        await waitUntil(() => load.answered() > answered + 50)
      }
      await load.stop()
      assert.deepEqual(load.failures, [])
      assert.match(fleet.output(), /Worker \d+ crashed after \d+ ms \(it exited with SIGKILL\)/)
      const names = await namesOf(fleet)
      assert.deepEqual(
        [...load.created].filter((name) => !names.has(name)),
        [],
      )
    } finally {
      assert.equal(await fleet.stop(), 0)
    }
  })

  it('finish their requests and exit when the leading process has died', {
    timeout: 300_000,
  }, async (t) => {
    const fleet = await startFleet(await engine.freshUrl(), { workers: WORKERS })
    const pids = await fleet.pids()
    const slow = slowly(fleet.base)
    await slow.arrived
    const load = loadOn(
      t,
      fleet,
      (error) => error instanceof Error && 'isNew' in error && error.isNew === true,
    )
    await waitUntil(() => load.answered() > 50)
    fleet.child.kill('SIGKILL')
    await waitUntil(() => isClosed(fleet.base))
    slow.finish()
    assert.match(await slow.answer, /^HTTP\/1\.1 201 /, fleet.output())
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
    const slow = slowly(fleet.base)
    await slow.arrived
    const start = performance.now()
    assert.equal(await fleet.stop(), 0)
    const waited = performance.now() - start
    assert.ok(waited > 900, `${waited} ms`)
    assert.equal(await slow.answer, '')
    assert.match(fleet.output(), /1 requests? took longer than server.graceSeconds/)
  })
})

describe('a worker that dies', () => {
  it('does not leave a connection waiting that was being handed to it', { timeout: 300_000 }, async (t) => {
    const place = mkdtempSync(join(tmpdir(), 'octavo-dying-'))
    t.after(() => rmSync(place, { recursive: true, force: true }))
    const fleet = await startFleet(`sqlite:${join(place, 'data.db')}`, { workers: WORKERS })
    t.after(() => fleet.child.kill('SIGKILL'))
    let running = true
    const runs = Array.from({ length: 20 }, async () => {
      while (running) {
        const wire = fleet.wire()
        await wire.ask('GET', '/healthz').catch(() => {})
        wire.close()
      }
    })
    for (let round = 0; round < 2; round++) {
      await sleep(500)
      const [victim = 0] = await fleet.pids()
      process.kill(victim, 'SIGKILL')
      await waitUntil(async () => (await fleet.pids()).filter((pid) => pid !== victim).length === WORKERS)
    }
    running = false
    const ended = Promise.all(runs).then(() => 'all have ended')
    assert.equal(
      await Promise.race([ended, sleep(30_000, 'a connection still waits', { ref: false })]),
      'all have ended',
    )
    assert.equal(await fleet.stop(), 0)
  })
})

describe('a worker that is stuck', () => {
  it('is killed and replaced, while the others go on', { timeout: 300_000 }, async (t) => {
    const place = mkdtempSync(join(tmpdir(), 'octavo-stuck-'))
    t.after(() => rmSync(place, { recursive: true, force: true }))
    const config = `export default {
      extend: { routes: (app) => void app.get('/stuck', () => { for (;;); }) },
    }`
    const fleet = await startFleet(`sqlite:${join(place, 'data.db')}`, {
      workers: WORKERS,
      files: { 'octavo.config.mts': config },
      env: { OCTAVO_SERVER_STUCK_SECONDS: '4' },
    })
    t.after(() => fleet.child.kill('SIGKILL'))
    const [one, other] = await fleet.wires(WORKERS)
    await assert.rejects(Promise.all([one?.ask('GET', '/stuck'), other?.ask('GET', '/api/items')]))
    assert.equal((await other?.ask('GET', '/api/items'))?.status, 200)
    assert.match(fleet.output(), /has not responded for 4 seconds/)
    await waitUntil(async () => (await fleet.pids()).length === WORKERS)
    assert.equal((await one?.ask('GET', '/api/items'))?.status, 200)
    assert.equal(await fleet.stop(), 0)
  })
})

describe('a server of several processes that cannot start', () => {
  it('says why once, and exits', { timeout: 300_000 }, async () => {
    const { child, exit, output, remove } = launchFleet('sqlite:/dev/null/data.db', { workers: 3 })
    try {
      assert.equal(await exit(), 1)
      assert.equal(output().match(/Cannot create the folder of the database/g)?.length, 1, output())
      assert.ok(child.exitCode === 1)
    } finally {
      remove()
    }
  })

  it('gives up when its workers die as soon as they serve', { timeout: 300_000 }, async () => {
    const config = `export default {
      extend: {
        routes: (app) => void app.addHook('onListen', async () => void setTimeout(() => process.exit(3), 300)),
      },
    }`
    const place = mkdtempSync(join(tmpdir(), 'octavo-giving-up-'))
    const { exit, output, remove } = launchFleet(`sqlite:${join(place, 'data.db')}`, {
      workers: 2,
      files: { 'octavo.config.mts': config },
    })
    try {
      assert.equal(await exit(), 1)
      assert.match(output(), /crashed after \d+ ms \(it exited with code 3\); starting a new one in \d+ ms/)
      assert.match(output(), /No worker stays alive: it exited with code 3/)
    } finally {
      remove()
      rmSync(place, { recursive: true, force: true })
    }
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Whether nobody takes a new connection any more. */
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

/** A request that has arrived, and whose body has not all been sent. */
function slowly(base: string) {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  const body = JSON.stringify({ data: { name: 'slow' } })
  let text = ''
  socket.on('data', (chunk) => {
    text += String(chunk)
  })
  socket.on('error', () => {})
  const arrived = waitUntil(() => text.startsWith(CONTINUE))
  const answer = new Promise<string>((resolve) =>
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
  return { arrived, answer, finish: () => void socket.write(body.slice(5)) }
}
