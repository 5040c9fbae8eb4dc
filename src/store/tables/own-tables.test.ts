import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../../../test/support/engines.ts'
import { compile } from '../compile.ts'
import { openStore } from '../open.ts'
import { sql } from '../sql.ts'
import type { Store } from '../store.ts'
import { createOwnTables, type OwnTables } from './own-tables.ts'

const table = sql.table('octavo_things')
const things: OwnTables = () => [
  sql`create table if not exists ${table} (id integer primary key)`,
  sql`create index if not exists octavo_things_id on ${table} (id)`,
  sql`insert into ${table} (id) values (1) on conflict (id) do nothing`,
]

onEachEngine((engine) => {
  let store: Store
  let writes = 0
  before(async () => {
    const opened = await openStore(await engine.freshUrl())
    const write: Store['write'] = (work, ...more) => {
      writes++
      return opened.write(work, ...more)
    }
    store = { ...opened, write }
  })
  after(() => store?.close())

  it('are created once, with their first rows, and not touched when they exist', async () => {
    await createOwnTables(store, things)
    assert.equal(writes, 1)
    assert.deepEqual(await store.read(compile(store.dialect, sql`select id from ${table}`)), [{ id: 1 }])
    await createOwnTables(store, things)
    assert.equal(writes, 1)
  })

  it('get an index that a newer version adds', async () => {
    const newer: OwnTables = (dialect) => [
      ...things(dialect),
      sql`create unique index if not exists octavo_things_unique on ${table} (id)`,
    ]
    await createOwnTables(store, newer)
    await createOwnTables(store, newer)
    assert.equal(writes, 2)
  })

  it('can be created by several processes at the same time', async () => {
    const other: OwnTables = () => [
      sql`create table if not exists ${sql.table('octavo_others')} (id integer)`,
    ]
    await Promise.all([1, 2, 3].map(() => createOwnTables(store, other)))
    assert.deepEqual(await store.read(compile(store.dialect, sql`select id from octavo_others`)), [])
  })
})
