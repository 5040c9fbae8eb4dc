import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../../test/documents/test-database.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { compile } from '../../store/compile.ts'
import { createOwnTables } from '../../store/tables/own-tables.ts'
import { existingContentHistory, saveExistingContent } from './existing-content.ts'
import { type HistoryReader, listHistory } from './read-states.ts'
import { historyTables } from './tables.ts'

onEachEngine((engine) => {
  let database: TestDatabase
  let reader: HistoryReader
  before(async () => {
    // Without a sink, no change saves a state.
    database = await openTestDatabase(engine)
    const { store, layout } = database
    await createOwnTables(store, historyTables)
    reader = { read: (query) => store.read(compile(store.dialect, query)), layout }
  })
  after(() => database.close())

  const actions = async (type: string, documentId: string, locale = '') => {
    const page = { documentId, locale, includesDrafts: true, start: 0, limit: 50 }
    const { items } = await listHistory(reader, database.type(type), page)
    return items.map(({ action, published }) => `${action}${published ? ' published' : ''}`)
  }

  it('documents without a saved state get one for each locale, and two if the draft has changed', async () => {
    const draft = await database.create('author', { name: 'draft' }, { status: 'draft' })
    const published = await database.create('author', { name: 'published' })
    const modified = await database.create('author', { name: 'published' })
    await database.update('author', modified, { name: 'modified' }, { status: 'draft' })
    const translated = await database.create('article', { title: 'Title' }, { status: 'draft' })
    await database.update('article', translated, { title: 'Titre' }, { status: 'draft', locale: 'fr' })

    assert.equal(await saveExistingContent(database.store, database.layout), 6)
    assert.deepEqual(await actions('author', draft), ['create'])
    assert.deepEqual(await actions('author', published), ['publish published'])
    assert.deepEqual(await actions('author', modified), ['update', 'publish published'])
    assert.equal((await actions('article', translated, 'en')).length, 1)
    assert.equal((await actions('article', translated, 'fr')).length, 1)

    assert.equal(await saveExistingContent(database.store, database.layout), 0, 'again')
    const later = await database.create('author', { name: 'later' })
    assert.equal(await saveExistingContent(database.store, database.layout), 1)
    assert.deepEqual(await actions('author', later), ['publish published'])
  })

  it('the job examines the documents once for each model', async () => {
    let { layout } = database
    const job = existingContentHistory(database.store, () => layout)
    const taken = { id: 1, kind: job.kind, key: null, payload: null, runAt: '', attempt: 1 }
    const run = () => job.run({ ...taken, completeIn: async () => {} })
    await run()
    const later = await database.create('author', { name: 'after the first run' })
    await run()
    assert.deepEqual(await actions('author', later), [])
    layout = { ...layout }
    await run()
    assert.deepEqual(await actions('author', later), ['publish published'])
  })
})
