/** A disk that fails one worker is not to be relied on by any of them. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { waitUntil } from '../support/wait-until.ts'
import { startFleet, type Wire } from './fleet.ts'

const create = (wire: Wire, name: string) => wire.ask('POST', '/api/items', { data: { name } })
const HOOK = new URL('./disk-fails-once.ts', import.meta.url).href

test('a disk failure in one worker makes all workers refuse writes, also later ones, until the server is restarted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-disk-'))
  const order = join(folder, 'fail')
  const url = `sqlite:${join(folder, 'data.db')}`
  const env = { NODE_OPTIONS: `--import ${HOOK}`, OCTAVO_TEST_DISK_FAILS: order }
  const fleet = await startFleet(url, { workers: 2, env })
  try {
    const wires = await fleet.wires(2)
    for (const [index, wire] of wires.entries())
      assert.equal((await create(wire, `kept ${index}`)).status, 201)
    writeFileSync(order, '')
    const [first] = wires
    assert.ok(first)
    assert.equal((await create(first, 'lost')).status, 503)
    const refuses = async (wire: Wire) => (await wire.ask('GET', '/readyz')).status === 503
    for (const wire of wires) await waitUntil(() => refuses(wire))
    for (const wire of wires) assert.equal((await create(wire, 'refused')).status, 503)
    assert.match(fleet.output(), /restart the server/)

    const before = await fleet.pids()
    for (const pid of before) process.kill(pid, 'SIGKILL')
    for (const wire of wires) wire.close()
    await waitUntil(async () => {
      const now = await fleet.pids()
      return now.length === 2 && !now.some((pid) => before.includes(pid))
    })
    await waitUntil(() => refuses(fleet.wire()).catch(() => false), 20_000)
    for (const wire of await fleet.wires(2)) {
      const answer = await create(wire, 'refused')
      assert.equal(answer.status, 503)
      assert.match(answer.text, /until the server is restarted/)
      wire.close()
    }
  } finally {
    await fleet.stop()
  }

  const restarted = await startFleet(url, { workers: 2, env })
  try {
    const wire = restarted.wire()
    assert.equal((await create(wire, 'after')).status, 201)
    const { text } = await wire.ask('GET', '/api/items')
    for (const name of ['kept 0', 'kept 1', 'after']) assert.ok(text.includes(`"${name}"`))
    assert.ok(!text.includes('refused'))
    wire.close()
  } finally {
    await restarted.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
