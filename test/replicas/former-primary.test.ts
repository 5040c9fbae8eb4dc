import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openStore } from '../../src/store/open.ts'
import type { Statement } from '../../src/store/statement.ts'
import { waitUntil } from '../support/wait-until.ts'
import { startCluster } from './cluster.ts'

const plain = (sql: string, ...parameters: Statement['parameters']): Statement => ({ sql, parameters })

it('a replica that has replayed more of the former primary than the promoted standby serves no reads', async (t) => {
  const cluster = await startCluster(2)
  t.after(cluster.close)
  const { primary, standby: promoted, lastStandby: replica } = cluster
  const both = primary.url.replace(/\/postgres$/, `,${new URL(promoted.url).host}/postgres`)
  const store = await openStore(both, { replicas: [replica.url] })
  t.after(() => store.close())
  const add = (name: string) =>
    store.write(async (transaction) => {
      transaction.run(plain('INSERT INTO things VALUES ($1)', name))
      transaction.touch('things')
    })
  const read = async () => {
    const sql = 'SELECT name, pg_is_in_recovery()::int AS replica FROM things ORDER BY name'
    const rows = await store.read(plain(sql), ['things'])
    return { names: rows.map(({ name }) => name), isReplica: rows[0]?.replica === 1 }
  }
  await store.write(async (transaction) => transaction.run(plain('CREATE TABLE things (name text)')))
  await add('both')
  await cluster.caughtUp()
  await promoted.stop()
  // The position of the replica is further than that of the promoted server will be.
  await primary.query('SELECT pg_switch_wal()')
  await add('lost')
  await waitUntil(async () => {
    const { names, isReplica } = await read()
    return isReplica && names.includes('lost')
  })
  await primary.crash()
  await promoted.start()
  await promoted.query('SELECT pg_promote()')
  const isAdded = () =>
    add('new').then(
      () => true,
      () => false,
    )
  await waitUntil(isAdded)
  await waitUntil(async () => {
    assert.deepEqual(await read(), { names: ['both', 'new'], isReplica: false })
    return store.metrics().replicas[0]?.leftOut === 'it follows a former primary'
  })
})
