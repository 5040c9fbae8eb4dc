/** After a disk failure in one worker, no worker trusts the disk. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { waitUntil } from '../support/wait-until.ts'
import { type Connection, startFleet } from './fleet.ts'

const create = (connection: Connection, name: string) =>
  connection.request('POST', '/api/items', { data: { name } })
const HOOK = new URL('./disk-fails-once.ts', import.meta.url).href

test('a disk failure in one worker makes all workers refuse writes, including workers started later, until the server is restarted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-disk-'))
  const trigger = join(folder, 'fail')
  const url = `sqlite:${join(folder, 'data.db')}`
  const env = { NODE_OPTIONS: `--import ${HOOK}`, OCTAVO_TEST_DISK_FAILS: trigger }
  const fleet = await startFleet(url, { workers: 2, env })
  try {
    const connections = await fleet.connectToWorkers(2)
    for (const [index, connection] of connections.entries())
      assert.equal((await create(connection, `stored ${index}`)).status, 201)
    writeFileSync(trigger, '')
    const [first] = connections
    assert.ok(first)
    assert.equal((await create(first, 'lost')).status, 503)
    const refuses = async (connection: Connection) =>
      (await connection.request('GET', '/readyz')).status === 503
    for (const connection of connections) await waitUntil(() => refuses(connection))
    for (const connection of connections) assert.equal((await create(connection, 'refused')).status, 503)
    assert.match(fleet.output(), /restart the server/)

    const before = await fleet.pids()
    for (const pid of before) process.kill(pid, 'SIGKILL')
    for (const connection of connections) connection.close()
    await waitUntil(async () => {
      const now = await fleet.pids()
      return now.length === 2 && !now.some((pid) => before.includes(pid))
    })
    await waitUntil(() => refuses(fleet.connect()).catch(() => false), 20_000)
    for (const connection of await fleet.connectToWorkers(2)) {
      const response = await create(connection, 'refused')
      assert.equal(response.status, 503)
      assert.match(response.text, /until the server is restarted/)
      connection.close()
    }
  } finally {
    await fleet.stop()
  }

  const restarted = await startFleet(url, { workers: 2, env })
  try {
    const connection = restarted.connect()
    assert.equal((await create(connection, 'after')).status, 201)
    const { text } = await connection.request('GET', '/api/items')
    for (const name of ['stored 0', 'stored 1', 'after']) assert.ok(text.includes(`"${name}"`))
    assert.ok(!text.includes('refused'))
    connection.close()
  } finally {
    await restarted.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
