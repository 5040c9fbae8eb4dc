/** When an index is created for which writes have to wait. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../../../test/support/engines.ts'
import { compile } from '../../store/compile.ts'
import { openStore } from '../../store/open.ts'
import { sql } from '../../store/sql.ts'
import type { Store } from '../../store/store.ts'
import { momentFor } from './quiet-moment.ts'

const PATIENCE = { longest: 10_000, acceptable: 2_000, unnoticed: 100, quiet: 200, wait: 1_000 }

onEachEngine((engine) => {
  let store: Store
  before(async () => {
    store = await openStore(await engine.freshUrl())
    await store.write(async (transaction) =>
      transaction.run(compile(store.dialect, sql`CREATE TABLE things (name text)`)),
    )
  })
  after(() => store?.close())

  const decide = (waitMs: number) => momentFor(store, waitMs, undefined, PATIENCE)

  it('an index that holds up writes for a moment is created at once, and one for very long never', async () => {
    assert.equal(await decide(0), 'now')
    assert.equal(await decide(100), 'now')
    assert.equal(await decide(10_001), 'never')
  })

  it('any other is created when no writes come', async () => {
    assert.equal(await decide(5_000), 'now')
  })

  it('if writes keep coming, an index is created after some time, and a slow one later', async () => {
    const versions = { version: store.globalVersion() }
    const busy = { globalVersion: () => ++versions.version }
    assert.equal(await momentFor(busy, 1_500, undefined, PATIENCE), 'now')
    assert.equal(await momentFor(busy, 5_000, undefined, PATIENCE), 'later')
  })

  it('a write begins the wait for a quiet moment again', async () => {
    const before = store.globalVersion()
    const waiting = decide(5_000)
    await store.write(async (transaction) => {
      transaction.run(compile(store.dialect, sql`INSERT INTO things VALUES ('a')`))
      transaction.touch('things')
    })
    assert.equal(await waiting, 'now')
    assert.notEqual(store.globalVersion(), before)
  })

  it('does not wait when the server closes', async () => {
    await assert.rejects(momentFor(store, 5_000, AbortSignal.abort(), PATIENCE))
  })
})
