import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../../test/documents/test-database.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import { createOwnTables } from '../../store/tables/own-tables.ts'
import { historySink } from './history-sink.ts'
import { type HistoryReader, historyQuery, listHistory } from './read-states.ts'
import { createHistoryRemover } from './retention.ts'
import { history, historyTables } from './tables.ts'

const DAY = 86_400_000

onEachEngine((engine) => {
  let database: TestDatabase
  let reader: HistoryReader
  before(async () => {
    database = await openTestDatabase(engine, { sinks: [historySink] })
    const { store, layout } = database
    await createOwnTables(store, historyTables)
    reader = { read: (query) => store.read(compile(store.dialect, query)), layout }
  })
  after(() => database.close())

  const page = (documentId: string) => ({ documentId, locale: '', includesDrafts: true, start: 0, limit: 50 })
  const historyOf = async (documentId: string) =>
    (await listHistory(reader, database.type('author'), page(documentId))).items
  const author = async (saves: number) => {
    const documentId = await database.create('author', { name: '1' }, { status: 'draft' })
    for (let count = 2; count <= saves; count++)
      await database.update('author', documentId, { name: String(count) }, { status: 'draft' })
    return documentId
  }

  it('only the newest states of each document are kept', async () => {
    const [many, few] = [await author(5), await author(2)]
    const newest = (await historyOf(many)).slice(0, 3)
    const remove = createHistoryRemover(database.store, { keepDays: 10, maxVersions: 3 })
    assert.equal(await remove(Date.now()), 2)
    assert.deepEqual(await historyOf(many), newest)
    assert.equal((await historyOf(few)).length, 2)
    await database.update('author', many, { name: 'again' }, { status: 'draft' })
    assert.equal(await remove(Date.now()), 1)
  })

  it('old states are deleted, but not the newest of a document that exists', async () => {
    const [existing, deleted] = [await author(3), await author(2)]
    const [newest] = await historyOf(existing)
    await database.remove('author', deleted)
    const remove = createHistoryRemover(database.store, { keepDays: 10, maxVersions: 100 })
    assert.equal(await remove(Date.now() + 9 * DAY), 0)
    await remove(Date.now() + 11 * DAY)
    assert.deepEqual(await historyOf(existing), [newest])
    assert.deepEqual(await historyOf(deleted), [])
  })

  it('the state before a change is kept for its time, however old it was', async () => {
    const documentId = await author(1)
    const { store } = database
    const longAgo = new Date(Date.now() - 500 * DAY).toISOString()
    await store.write(async (transaction) =>
      transaction.run(
        compile(store.dialect, sql`update ${history} set at = ${longAgo} where document_id = ${documentId}`),
      ),
    )
    await database.update('author', documentId, { name: 'changed' }, { status: 'draft' })
    const remove = createHistoryRemover(store, { keepDays: 10, maxVersions: 100 })
    await remove(Date.now() + 9 * DAY)
    assert.equal((await historyOf(documentId)).length, 2)
    await remove(Date.now() + 11 * DAY)
    assert.equal((await historyOf(documentId)).length, 1)
  })

  it('the list of one document reads the index of its states, however many others there are', async () => {
    const { store } = database
    const columns = sql.raw('type, locale, published, action, author, at, model, state')
    await store.write(async (transaction) => {
      const run = (query: ReturnType<typeof sql>) => transaction.run(compile(store.dialect, query))
      for (let doubling = 0; doubling < 10; doubling++)
        run(sql`insert into ${history} (document_id, ${columns})
          select cast(id as text) || 'x', ${columns} from ${history}`)
    })
    await store.write(async (transaction) => transaction.run(compile(store.dialect, sql`analyze ${history}`)))
    const statement = compile(store.dialect, historyQuery('api::author.author', page('any')))
    const { indexes, scans } = await store.explain(statement)
    assert.deepEqual([indexes, scans], [['octavo_history_document'], []])
  })
})
