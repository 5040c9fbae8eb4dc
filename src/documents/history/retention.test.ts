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

  it('what is published stays, however often its draft is saved, and counts as replaced from the next publication', async () => {
    const { store } = database
    const documentId = await database.create('author', { name: 'published' })
    const saveDrafts = async () => {
      for (let count = 1; count <= 5; count++)
        await database.update('author', documentId, { name: String(count) }, { status: 'draft' })
    }
    const remove = createHistoryRemover(store, { keepDays: 10, maxVersions: 3 })
    await saveDrafts()
    const [first] = (await historyOf(documentId)).filter(({ published }) => published)
    const published = async () => (await historyOf(documentId)).filter((item) => item.published)
    await remove(Date.now())
    assert.deepEqual([(await historyOf(documentId)).length, await published()], [4, [first]])
    await remove(Date.now() + 11 * DAY)
    assert.deepEqual([(await historyOf(documentId)).length, await published()], [2, [first]])
    await database.update('author', documentId, { name: 'published again' })
    await saveDrafts()
    await remove(Date.now() + 9 * DAY)
    assert.deepEqual(
      (await published()).map(({ version }) => version === first?.version),
      [false, true],
    )
    await remove(Date.now() + 11 * DAY)
    assert.equal((await published()).length, 1)
    await database.act('unpublish', 'author', documentId)
    await remove(Date.now() + 11 * DAY)
    assert.deepEqual(await published(), [])
  })

  it('states are kept and deleted as the rules say, in whatever order documents and times are mixed', async () => {
    const { store } = database
    const [maxVersions, keepDays] = [3, 10]
    const now = Date.now()
    const uid = 'api::author.author'
    const states = Array.from({ length: 60 }, (_, index) => ({
      documentId: `mixed${(index * 7) % 11}`,
      at: new Date(now - ((index * 13) % 20) * DAY).toISOString(),
      published: (index * 5) % 3 === 0,
      action: index % 10 === 9 ? 'unpublish' : 'update',
    }))
    await store.write(async (transaction) => {
      for (const { documentId, at, published, action } of states)
        transaction.run(
          compile(
            store.dialect,
            sql`insert into ${history} (type, document_id, locale, published, action, author, at, model, state)
              values (${uid}, ${documentId}, '', ${published ? 1 : 0}, ${action}, 'system', ${at}, 1, '{}')`,
          ),
        )
    })
    const before = new Date(now - keepDays * DAY).toISOString()
    const kept = states.filter(({ documentId, published }, index) => {
      const later = states
        .slice(index + 1)
        .filter((state) => state.documentId === documentId)
        .filter((state) => !published || state.published || state.action === 'unpublish')
      return later.length < maxVersions && later.every(({ at }) => at >= before)
    })
    await createHistoryRemover(store, { keepDays, maxVersions })(now)
    const left = await store.read(
      compile(
        store.dialect,
        sql`select document_id, at from ${history} where document_id like 'mixed%' order by id`,
      ),
    )
    assert.deepEqual(
      left.map((row) => ({ documentId: row.document_id, at: row.at })),
      kept.map(({ documentId, at }) => ({ documentId, at })),
    )
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
