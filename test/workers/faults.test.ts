/** Workers that die, hang or cannot start are noticed, and the server goes on or says why it cannot. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../support/wait-until.ts'
import { launchFleet, startFleet } from './fleet.ts'

const WORKERS = 2

describe('a worker that dies', () => {
  it('does not leave a connection waiting that was being handed to it', { timeout: 300_000 }, async (t) => {
    const scratch = mkdtempSync(join(tmpdir(), 'octavo-dying-'))
    t.after(() => rmSync(scratch, { recursive: true, force: true }))
    const fleet = await startFleet(`sqlite:${join(scratch, 'data.db')}`, { workers: WORKERS })
    t.after(() => fleet.child.kill('SIGKILL'))
    let running = true
    const runs = Array.from({ length: 20 }, async () => {
      while (running) {
        const connection = fleet.connect()
        await connection.request('GET', '/healthz').catch(() => {})
        connection.close()
      }
    })
    for (let round = 0; round < 2; round++) {
      await sleep(500)
      const [victim = 0] = await fleet.pids()
      process.kill(victim, 'SIGKILL')
      await waitUntil(async () => (await fleet.pids()).filter((pid) => pid !== victim).length === WORKERS)
    }
    running = false
    const ended = Promise.all(runs).then(() => 'all connections have ended')
    assert.equal(
      await Promise.race([ended, sleep(30_000, 'a connection is still waiting', { ref: false })]),
      'all connections have ended',
    )
    assert.equal(await fleet.stop(), 0)
  })
})

describe('a worker that is stuck', () => {
  it('is killed and replaced, while the others go on', { timeout: 300_000 }, async (t) => {
    const scratch = mkdtempSync(join(tmpdir(), 'octavo-stuck-'))
    t.after(() => rmSync(scratch, { recursive: true, force: true }))
    const config = `export default {
      extend: { routes: (app) => void app.get('/stuck', () => { for (;;); }) },
    }`
    const fleet = await startFleet(`sqlite:${join(scratch, 'data.db')}`, {
      workers: WORKERS,
      files: { 'octavo.config.mts': config },
      env: { OCTAVO_SERVER_STUCK_SECONDS: '4' },
    })
    t.after(() => fleet.child.kill('SIGKILL'))
    const [one, other] = await fleet.connectToWorkers(WORKERS)
    await assert.rejects(Promise.all([one?.request('GET', '/stuck'), other?.request('GET', '/api/items')]))
    assert.equal((await other?.request('GET', '/api/items'))?.status, 200)
    assert.match(fleet.output(), /has not responded for 4 seconds/)
    await waitUntil(async () => (await fleet.pids()).length === WORKERS)
    assert.equal((await one?.request('GET', '/api/items'))?.status, 200)
    assert.equal(await fleet.stop(), 0)
  })
})

describe('a server of several processes that cannot start', () => {
  it('reports the reason once, and exits', { timeout: 300_000 }, async () => {
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
    const scratch = mkdtempSync(join(tmpdir(), 'octavo-giving-up-'))
    const { exit, output, remove } = launchFleet(`sqlite:${join(scratch, 'data.db')}`, {
      workers: 2,
      files: { 'octavo.config.mts': config },
    })
    try {
      assert.equal(await exit(), 1)
      assert.match(output(), /crashed after \d+ ms \(it exited with code 3\); starting a new one in \d+ ms/)
      assert.match(output(), /No worker stays alive: it exited with code 3/)
    } finally {
      remove()
      rmSync(scratch, { recursive: true, force: true })
    }
  })
})
