/** Events after migrations: those that a client has missed are about the content-types of today. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openTestStream } from '../events/event-stream.ts'
import { onEachEngine } from '../support/engines.ts'
import { collection, string, TOKEN, typeFile } from '../support/project-server.ts'
import { openMigratedProject } from './migrated-project.ts'

const LOCALIZED = { pluginOptions: { i18n: { localized: true } } }

onEachEngine((engine) => {
  it('of a content-type that was renamed or localized meanwhile are sent to clients that resume', async (t) => {
    const project = await openMigratedProject(t, engine, {
      [typeFile('book')]: collection('book', { title: string }),
    })
    const open = (query: string, last?: number) =>
      openTestStream(project.server().base, query, {
        authorization: `Bearer ${TOKEN}`,
        ...(last !== undefined && { 'last-event-id': String(last) }),
      })
    const { lastId: before, close } = await open('?types=books')
    close()
    const book = await project.create('books', { title: 'One' })
    await project.apply({
      [typeFile('volume')]: { ...collection('volume', { title: string }), renamedFrom: 'api::book.book' },
    })
    const resumed = await open('?types=volumes&include=document', before)
    const { name, data } = await resumed.until(({ data }) => data.documentId === book)
    resumed.close()
    assert.deepEqual([name, data.type, data.locale], ['document.create', 'api::volume.volume', null])
    await project.apply({ [typeFile('volume')]: collection('volume', { title: string }, LOCALIZED) })
    const localized = await open('', before)
    const told = await localized.until(({ data }) => data.documentId === book)
    localized.close()
    assert.equal(told.data.locale, 'en')
  })
})
