import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../../test/documents/test-database.ts'
import { onEachEngine, type TestEngine } from '../../../test/support/engines.ts'
import type { ChangeSink } from '../../documents/changes/change-record.ts'
import { compile } from '../../store/compile.ts'
import { openStore } from '../../store/open.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Store } from '../../store/store.ts'
import { createOwnTables } from '../../store/tables/own-tables.ts'
import { eventOutbox } from '../outbox/outbox.ts'
import { eventTables } from '../outbox/tables.ts'
import { auditColumns, auditSink, createAuditLog } from './append.ts'
import { type Actor, type AuditRecord, SYSTEM } from './audit-record.ts'
import { chainRecords } from './chain.ts'
import { type AuditFilter, readAuditInOrder, readAuditPage } from './read.ts'
import { deleteOldRecords } from './retention.ts'
import { audit, auditTables, chain } from './tables.ts'
import { verifyAudit } from './verify.ts'

const DRAFT = { status: 'draft' } as const
const DAY = 86_400_000
const someone: Actor = {
  by: { kind: 'user', id: 7, documentId: 'someone', role: 'admin' },
  origin: { requestId: 'r-1', address: '192.0.2.1', userAgent: 'test' },
}

onEachEngine((engine) => {
  describe('with records of content from events', () => auditSuite(engine, eventOutbox(auditColumns)))
  describe('without events', () => auditSuite(engine, auditSink))
})

function auditSuite(engine: TestEngine, sink: ChangeSink) {
  let database: TestDatabase
  let other: Store
  before(async () => {
    database = await openTestDatabase(engine, { sinks: [sink] })
    await createOwnTables(database.store, auditTables, eventTables)
    other = await openStore(database.url)
  })
  after(async () => {
    await other.close()
    await database.close()
  })

  const read = (filter: AuditFilter = {}, limit = 100) => readAuditPage(database.store, filter, limit, null)
  const run = (statement: Sql) =>
    database.store.write(async (transaction) => transaction.run(compile(database.store.dialect, statement)))

  /** The records of some work as `action field,field`. */
  async function recordsOf(work: () => Promise<unknown>): Promise<string[]> {
    const [last] = await read({}, 1)
    await work()
    const made: AuditRecord[] = []
    for await (const some of readAuditInOrder(database.store, {}, last?.seq ?? 0)) made.push(...some)
    return made.map(({ action, fields }) => [action, ...fields].join(' '))
  }

  describe('a change of content has a record with the names of what changed', () => {
    it('scalars, without their values', async () => {
      let id = ''
      const create = async () => {
        id = await database.create('tag', { label: 'hidden value' })
      }
      assert.deepEqual(await recordsOf(create), ['document.create label'])
      const update = () => database.update('tag', id, { label: 'another' })
      assert.deepEqual(await recordsOf(update), ['document.update label'])
      assert.deepEqual(await recordsOf(update), ['document.update'])
      assert.deepEqual(await recordsOf(() => database.remove('tag', id)), ['document.delete'])
      assert.equal(JSON.stringify(await read()).includes('hidden value'), false)
    })

    it('components, relations, and relations inside components', async () => {
      const tag = await database.create('tag', { label: 'a' })
      const parts = [{ title: 'Part' }]
      const id = await database.create('article', { title: 'One', parts }, DRAFT)
      const update = (values: object) => () => database.update('article', id, values, DRAFT)
      assert.deepEqual(await recordsOf(update({ title: 'Two', parts: [{ title: 'Other' }] })), [
        'document.update title parts',
      ])
      assert.deepEqual(await recordsOf(update({ tags: [tag] })), ['document.update tags'])
      assert.deepEqual(await recordsOf(update({ tags: { connect: [] } })), ['document.update'])
      const publish = () => database.act('publish', 'article', id)
      assert.deepEqual(await recordsOf(publish), ['document.publish'])
      await update({ title: 'Three' })()
      assert.deepEqual(await recordsOf(publish), ['document.publish title'])
    })
  })

  it('a record says who did what, from where, and can be found by each of these', async () => {
    const log = createAuditLog(database.store, { enabled: true })
    await log.add(someone, { action: 'token.create', details: { name: 'ci' } })
    await log.add(SYSTEM, {
      action: 'user.block',
      type: 'plugin::user',
      documentId: 'u1',
      fields: ['blocked'],
    })
    const [blocked, created] = await read({}, 2)
    assert.deepEqual(
      { ...created, seq: 0, at: '', hash: '' },
      {
        ...{ seq: 0, at: '', action: 'token.create', by: { kind: 'user', id: 'someone' }, type: null },
        ...{ documentId: null, locale: null, fields: [], details: { name: 'ci' }, address: '192.0.2.1' },
        ...{ userAgent: 'test', requestId: 'r-1', hash: '' },
      },
    )
    const actions = async (filter: AuditFilter) => (await read(filter)).map(({ action }) => action)
    assert.deepEqual(await actions({ by: 'user:someone' }), ['token.create'])
    assert.deepEqual(await actions({ action: 'user.block' }), ['user.block'])
    assert.deepEqual(await actions({ type: 'plugin::user', documentId: 'u1' }), ['user.block'])
    assert.deepEqual(await actions({ documentId: 'u2' }), [])
    assert.deepEqual(await actions({ from: blocked?.at ?? '', by: 'system', type: 'plugin::user' }), [
      'user.block',
    ])
    assert.deepEqual(await actions({ to: '2020-01-01T00:00:00.000Z' }), [])
    assert.deepEqual(await actions({ from: '2999-01-01T00:00:00.000Z' }), [])
    const older = await readAuditPage(database.store, {}, 1, blocked?.seq ?? 0)
    assert.deepEqual(
      older.map(({ action }) => action),
      ['token.create'],
    )
  })

  it('records of content and others are in the order of their times', async () => {
    const log = createAuditLog(database.store, { enabled: true })
    const pause = () => new Promise((resolve) => setTimeout(resolve, 2))
    const records = await recordsOf(async () => {
      for (const label of ['first', 'second']) {
        await database.create('tag', { label })
        await pause()
        await log.add(someone, { action: 'token.create' })
        await pause()
      }
    })
    const both = ['document.create label', 'token.create']
    assert.deepEqual(records, [...both, ...both])
  })

  it('a log that is off records nothing', async () => {
    const log = createAuditLog(database.store, { enabled: false })
    assert.deepEqual(await recordsOf(() => log.add(someone, { action: 'token.create' })), [])
  })

  it('processes that chain at the same time number every record once, in one chain', async () => {
    const log = createAuditLog(database.store, { enabled: true })
    for (let round = 0; round < 5; round++) {
      await Promise.all(Array.from({ length: 60 }, () => log.add(someone, { action: 'token.create' })))
      await Promise.all([chainRecords(database.store), chainRecords(other), chainRecords(other)])
    }
    const { problems, records } = await verifyAudit(other)
    assert.deepEqual(problems, [])
    const numbers = (await read({}, 10_000)).map((record) => record.seq)
    assert.deepEqual(
      numbers,
      Array.from({ length: records }, (_, index) => records - index),
    )
  })

  describe('verifying finds', () => {
    /** Undoes the change by restoring the rows that it affects. */
    async function problemsAfter(number: number, change: Sql): Promise<readonly string[]> {
      const rows = await database.store.read(
        compile(engine.dialect, sql`select * from ${audit} where id >= ${number}`),
      )
      await run(change)
      const { problems } = await verifyAudit(other)
      await run(sql`delete from ${audit} where id >= ${number}`)
      for (const row of rows) {
        const columns = sql.join(Object.keys(row).map((name) => sql.id(name)))
        await run(sql`insert into ${audit} (${columns}) ${engine.dialect.overridingIds}
          values (${sql.join(Object.values(row))})`)
      }
      assert.deepEqual((await verifyAudit(other)).problems, [])
      return problems
    }
    const last = async () => (await verifyAudit(other)).last

    it('a record that was changed', async () => {
      const number = (await last()).seq - 5
      for (const column of ['author', 'action', 'at', 'fields', 'address', 'user_agent', 'details'])
        assert.deepEqual(
          await problemsAfter(
            number,
            sql`update ${audit} set ${sql.id(column)} = '{"a":1}' where id = ${number}`,
          ),
          [`Record ${number} was changed, or the record before it was replaced`],
        )
    })

    it('a record that was inserted before the first', async () => {
      for (const number of [0, -7]) {
        const columns = sql.raw('at, action, author, fields, hash')
        await run(sql`insert into ${audit} (id, ${columns})
          select ${number}, ${columns} from ${audit} where id = 1`)
        assert.deepEqual((await verifyAudit(other)).problems, [`Record ${number} was inserted`])
        await run(sql`delete from ${audit} where id = ${number}`)
      }
    })

    it('records that were removed, at the beginning, in the middle and at the end', async () => {
      const { seq: end } = await last()
      const removed = (from: number, to: number) =>
        problemsAfter(from, sql`delete from ${audit} where id >= ${from} and id <= ${to}`)
      assert.deepEqual(await removed(1, 2), ['Records 1 to 2 are missing'])
      assert.deepEqual(await removed(end - 1, end - 1), [`Record ${end - 1} is missing`])
      assert.deepEqual(await removed(end - 1, end), [`Records ${end - 1} to ${end} at the end are missing`])
    })

    it('a removed end, also if the state of the chain was changed, by a checkpoint', async () => {
      const checkpoint = await last()
      const before = checkpoint.seq - 1
      const [kept] = await readAuditPage(database.store, {}, 1, checkpoint.seq)
      await run(sql`delete from ${audit} where id = ${checkpoint.seq}`)
      await run(sql`update ${chain} set last_seq = ${before}, last_hash = ${kept?.hash ?? ''}`)
      assert.deepEqual((await verifyAudit(other)).problems, [])
      const missing = `Records ${checkpoint.seq} to ${checkpoint.seq} at the end are missing`
      assert.deepEqual((await verifyAudit(other, checkpoint)).problems, [missing])
      await createAuditLog(database.store, { enabled: true }).add(SYSTEM, { action: 'forged' })
      assert.deepEqual((await verifyAudit(other, checkpoint)).problems, [
        `Record ${checkpoint.seq} does not have the hash of the checkpoint`,
      ])
    })
  })

  it('retention deletes the oldest records in steps, and the rest still verifies', async () => {
    const log = createAuditLog(database.store, { enabled: true })
    await database.store.write(async (transaction) => {
      for (let count = 0; count < 600; count++) log.record(transaction, SYSTEM, { action: 'test.many' })
    })
    const { last, records } = await verifyAudit(other)
    const keep = (keepDays: number, maxRecords: number) => ({ keepDays, maxRecords })
    assert.equal(await deleteOldRecords(database.store, keep(90, records), Date.now()), 0)
    assert.equal(await deleteOldRecords(database.store, keep(90, 20), Date.now()), records - 20)
    const { problems, ...verified } = await verifyAudit(other)
    assert.deepEqual([problems, verified.records, verified.from.seq], [[], 20, last.seq - 20])
    assert.equal(await deleteOldRecords(database.store, keep(90, 20), Date.now() + 91 * DAY), 19)
    await log.add(SYSTEM, { action: 'test.next' })
    assert.deepEqual((await verifyAudit(other)).last.seq, last.seq + 1)
    assert.deepEqual((await verifyAudit(other, last)).problems, [])
    await run(sql`delete from ${audit} where id = ${last.seq}`)
    assert.deepEqual((await verifyAudit(other)).problems, [`Record ${last.seq} is missing`])
  })
}
