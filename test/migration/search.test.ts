/** Search indexes that are added, changed and removed with the schema: a search finds the same before and after. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { collection, string, typeFile } from '../support/project-server.ts'
import { openMigratedProject } from './migrated-project.ts'

const files = (attributes: object, search?: unknown) => ({
  [typeFile('note')]: collection('note', attributes, { options: { draftAndPublish: false, search } }),
})

onEachEngine((engine) => {
  it('a search index follows the schema', async (t) => {
    const project = await openMigratedProject(t, engine, files({ title: string, tag: string }))
    const titles = async (query: string) => {
      const data = await project.data(`/api/notes?sort=id&${query}`)
      assert.ok(Array.isArray(data))
      return data.length
    }
    await project.create('notes', { title: 'Harbour at night', tag: 'north sea' })
    const plans = await project.apply(files({ title: string, tag: string }, true))
    assert.match(plans.map(({ description }) => description).join(), /search index on title, tag/)
    await project.create('notes', { title: 'Harbour by day', tag: 'baltic' })
    assert.deepEqual([await titles('_q=HARBOUR'), await titles('_q=north')], [2, 1])

    const renamed = { headline: { ...string, renamedFrom: 'title' }, tag: { type: 'text' } }
    await project.apply(files(renamed, true))
    await project.create('notes', { headline: 'Harbour again', tag: 'north' })
    assert.deepEqual([await titles('_q=harbour'), await titles('filters[tag][$contains]=north')], [3, 2])

    await project.apply(files({ headline: string }, ['headline']), 'everything')
    assert.deepEqual([await titles('_q=harbour'), await titles('_q=north')], [3, 0])

    await project.apply(files({ headline: string }))
    await project.create('notes', { headline: 'Last harbour' })
    assert.equal(await titles('_q=harbour'), 4)
    const left = engine.dialect.listColumnsAndIndexes
    const names = await project.withStore((store) => store.read({ sql: left.texts.join(''), parameters: [] }))
    assert.doesNotMatch(JSON.stringify(names), /octavo_search_notes/)
  })

  it('the names of search indexes do not collide, whatever the names of the tables', async (t) => {
    const title = { title: string }
    const note = { ...collection('note', title), options: { draftAndPublish: false, search: true } }
    const parts = ['words', 'rows', 'pairs', 'pending', 'add', 'note', 'data', 'config', 'pending_id']
    const others = Object.fromEntries(
      parts.map((part, index) => [
        typeFile(`other${index}`),
        {
          ...note,
          ...collection(`other${index}`, title),
          options: note.options,
          collectionName: `notes_${part}`,
        },
      ]),
    )
    const project = await openMigratedProject(t, engine, { [typeFile('note')]: note })
    await project.create('notes', { title: 'Harbour at night' })
    await project.apply({ [typeFile('note')]: note, ...others })
    await project.create('notes', { title: 'Harbour by day' })
    for (const plural of ['notes', ...parts.map((_, index) => `other${index}s`)]) {
      await project.create(plural, { title: 'Harbour again' })
      const found = await project.data(`/api/${plural}?_q=harbour`)
      assert.equal(Array.isArray(found) && found.length, plural === 'notes' ? 3 : 1, plural)
    }
  })

  it('a schema with an attribute that cannot be searched is refused', async (t) => {
    const project = await openMigratedProject(t, engine, files({ title: string }))
    const hidden = { title: string, secret: { ...string, private: true } }
    await assert.rejects(
      project.plan(files(hidden, ['secret'])),
      /array of text attributes that are not private/,
    )
  })
})
