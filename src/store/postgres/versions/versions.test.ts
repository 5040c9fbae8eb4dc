import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, beforeEach, describe, it, mock, type TestContext } from 'node:test'
import pg from 'pg'
import { bothEngines } from '../../../../test/support/engines.ts'
import { stopIntervals } from '../../../../test/support/stop-intervals.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { createPool } from '../connection/connection.ts'
import { createSiblingsFile, openSiblingsFile } from './sibling-processes.ts'
import { followVersions, type VersionsOptions } from './versions.ts'

const HEARTBEAT = 3_000
/** A position that no server reaches. */
const FUTURE = 'FFFF/0'

type Versions = Awaited<ReturnType<typeof followVersions>>

describe('the versions of tables', () => {
  const [, postgres] = bothEngines()
  let url = ''
  before(stopIntervals)
  beforeEach(async () => {
    url = await postgres.freshUrl()
  })

  function openPool(t: TestContext): pg.Pool {
    const pool = createPool({ connectionString: url })
    t.after(() => pool.end())
    return pool
  }

  async function open(t: TestContext, pool: pg.Pool, options: Partial<VersionsOptions>): Promise<Versions> {
    const versions = await followVersions({
      config: () => ({ connectionString: url, pipeline: true }),
      findPrimary: async () => {},
      pool,
      canListen: true,
      onUnreachable: () => {},
      siblings: null,
      ...options,
    })
    t.after(versions.close)
    return versions
  }

  const causes: readonly (readonly [string, (listening: readonly Versions[]) => unknown])[] = [
    ['of unknown outcome', ([one]) => one?.noteUnknownOutcome()],
    ['of a process that has ended', ([, , ended]) => ended?.close()],
  ]
  for (const [commit, happen] of causes)
    it(`change when a commit ${commit} becomes visible, however late`, async (t) => {
      const pool = openPool(t)
      const [one, other, third] = [await open(t, pool, {}), await open(t, pool, {}), await open(t, pool, {})]
      await pool.query('CREATE TABLE things (name text)')
      /** The versions of two processes after one more heartbeat. */
      const beat = async () => {
        mock.timers.tick(HEARTBEAT)
        // Twice, so that what the heartbeat announces is received.
        for (const each of [one, one, other, other]) await each.waitFor(FUTURE)
        return [one, other].map((versions) => versions.tableVersion('things'))
      }
      await beat()
      // To others, a commit that waits for a standby is a transaction that has not ended.
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      try {
        await client.query('BEGIN')
        await client.query(`INSERT INTO things VALUES ('late')`)
        await happen([one, other, third])
        for (let time = 0; time < 4; time++) await beat()
        const before = await beat()
        await client.query('COMMIT')
        const after = await beat()
        for (const [index, version] of after.entries()) assert.notEqual(version, before[index])
      } finally {
        await client.end()
      }
      // Transactions of other tests may still be in progress.
      let last: readonly number[] = []
      await waitUntil(async () => {
        const before = last
        last = await beat()
        return last.every((version, index) => version === before[index])
      })
    })

  it('change with a commit of unknown outcome, which a replica need not have if the primary is lost', async (t) => {
    const pool = openPool(t)
    const [one, other] = [await open(t, pool, {}), await open(t, pool, {})]
    const before = [one.latest(), other.acknowledgedPosition()]
    const version = other.tableVersion('things')
    await pool.query('CREATE TABLE things (name text)')
    one.noteUnknownOutcome()
    await waitUntil(() => other.tableVersion('things') !== version)
    assert.deepEqual([one.latest(), other.acknowledgedPosition()], before)
    const position = await one.announce(['things'])
    assert.ok(position)
    await waitUntil(() => other.acknowledgedPosition() >= position)
    assert.equal(one.acknowledgedPosition(), position)
  })

  it('require no earlier position than that of a write that a sibling announced while this process looked for writes', async (t) => {
    const pool = openPool(t)
    const folder = mkdtempSync(join(tmpdir(), 'octavo-versions-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'siblings')
    createSiblingsFile(file, 2)
    const polling = (slot: number) => {
      const siblings = openSiblingsFile(file, slot)
      t.after(siblings.close)
      return { canListen: false, siblings }
    }
    const socket = new Socket()
    const config = () => ({ connectionString: url, pipeline: true, stream: () => socket })
    const writer = await open(t, pool, polling(0))
    const reader = await open(t, pool, { ...polling(1), config })
    /** When the server began to look for writes on the connection of the reader, if it has ended. */
    const lastLook = async () => {
      const { rows } = await pool.query<{ start: string }>(
        `SELECT query_start::text AS start FROM pg_stat_activity WHERE client_port = $1 AND state = 'idle'`,
        [socket.localPort],
      )
      return rows[0]?.start
    }
    const before = await lastLook()
    assert.ok(before)
    // Holds the response back.
    socket.pause()
    const looking = reader.waitFor(FUTURE)
    await waitUntil(async () => ![undefined, before].includes(await lastLook()))
    await pool.query('CREATE TABLE things (name text)')
    writer.noteWrite(['things'])
    const position = await writer.announce(['things'])
    assert.ok(position)
    await reader.catchUp()
    socket.resume()
    await looking
    assert.ok(reader.requiredPosition(['things']) >= position)
  })
})
