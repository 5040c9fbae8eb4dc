import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../../test/documents/test-database.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { createOwnTables } from '../../store/tables/own-tables.ts'
import { auditColumns } from '../audit/append.ts'
import { chainRecords } from '../audit/chain.ts'
import { readAuditPage } from '../audit/read.ts'
import { auditTables } from '../audit/tables.ts'
import { eventOutbox } from './outbox.ts'
import { readEventsAfter, readRange } from './read-events.ts'
import { deleteOldEvents } from './retention.ts'
import { eventTables } from './tables.ts'

const DAY = 86_400_000

onEachEngine((engine) => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase(engine, { sinks: [eventOutbox()] })
    await createOwnTables(database.store, eventTables)
    await database.documents.transaction(async (_, documents) => {
      for (let count = 0; count < 1_100; count++)
        await documents.create(database.request('tag'), { label: `tag ${count}` }, async () => null)
    })
  })
  after(() => database.close())

  const numbers = async () => (await readEventsAfter(database.store, 0, 5_000)).map(({ seq }) => seq)

  it('events beyond the maximum number are deleted, the oldest first', async () => {
    const { newest } = await readRange(database.store)
    const retention = { keepDays: 7, maxEvents: 50 }
    assert.equal(await deleteOldEvents(database.store, retention, Date.now()), 1_050)
    assert.equal(await deleteOldEvents(database.store, retention, Date.now()), 0)
    const left = await numbers()
    assert.deepEqual([left.length, left.at(-1)], [50, newest])
  })

  it('events that are too old are deleted, but for the last: numbers are never used again', async () => {
    const { newest } = await readRange(database.store)
    const retention = { keepDays: 7, maxEvents: 1_000 }
    assert.equal(await deleteOldEvents(database.store, retention, Date.now() + 6 * DAY), 0)
    assert.equal(await deleteOldEvents(database.store, retention, Date.now() + 8 * DAY), 49)
    assert.deepEqual(await numbers(), [newest])
    await database.create('tag', { label: 'next' })
    assert.deepEqual(await numbers(), [newest, newest + 1])
  })

  it('events are deleted only after the audit log has taken its records', async () => {
    const sinks = [eventOutbox(auditColumns)]
    const audited = await openTestDatabase(engine, { url: database.url, sinks })
    await createOwnTables(audited.store, auditTables)
    for (const label of ['a', 'b', 'c']) await audited.create('tag', { label })
    const everyEvent = { keepDays: 7, maxEvents: 1 }
    await deleteOldEvents(audited.store, everyEvent, Date.now(), () => chainRecords(audited.store))
    assert.equal((await numbers()).length, 1)
    const records = await readAuditPage(audited.store, {}, 10, null)
    assert.deepEqual(
      records.map(({ action, fields }) => [action, ...fields]),
      // Events that were stored while the log was off are not in it.
      ['c', 'b', 'a'].map(() => ['document.create', 'label']),
    )
    await audited.close()
  })
})
