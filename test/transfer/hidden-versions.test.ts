/** Archives of content that is not served since localization or draft & publish was switched off. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { it } from 'node:test'
import { openMigratedProject } from '../migration/migrated-project.ts'
import { octavo } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { writeFiles } from '../support/project-folder.ts'
import { collection, openProject, string, typeFile } from '../support/project-server.ts'

const notes = (isOn: boolean) => ({
  'config/locales.json': { default: 'en', locales: ['en', 'fr'] },
  [typeFile('note')]: collection(
    'note',
    { text: string, like: { type: 'relation', relation: 'manyToMany', target: 'api::note.note' } },
    { options: { draftAndPublish: isOn }, pluginOptions: { i18n: { localized: isOn } } },
  ),
})

const VERSIONS = '/api/notes?locale=*&populate=like&sort=text&status='

onEachEngine((engine) => {
  it('hidden locales and drafts survive a backup, and return when they are switched on again', async (t) => {
    const project = await openMigratedProject(t, engine, notes(true))
    const [first, id] = [await project.create('notes', { text: 'first' }), await project.create('notes', {})]
    const server = project.server()
    const put = async (query: string, data: object) =>
      assert.equal((await server.request('PUT', `/api/notes/${id}?${query}`, { data })).status, 200)
    await put('locale=fr', { text: 'French' })
    await put('locale=en', { text: 'English' })
    await put('status=draft', { text: 'changed', like: [first] })
    // Drafts that equal their published version are made again, with other ids.
    const read = async ({ request }: typeof server) =>
      Promise.all(
        ['draft', 'published'].map(async (status) =>
          (await request('GET', VERSIONS + status)).text.replace(/"id":\d+,/g, ''),
        ),
      )
    const was = await read(server)
    await project.apply(notes(false), 'everything')

    const { folder } = project.server()
    const archive = path.join(folder, 'backup.octavo.jsonl.gz')
    const exported = await octavo(['export', archive, '--project', folder, '--database', project.url])
    assert.equal(exported.code, 0, exported.err)
    const url = await engine.freshUrl()
    const imported = await octavo(['import', archive, '--project', folder, '--database', url])
    assert.equal(imported.code, 0, imported.err)

    const off = await openProject(folder, url)
    t.after(() => off.close())
    const served = await off.request('GET', '/api/notes?sort=text')
    await off.close()
    assert.match(served.text, /"English".*"first"/)
    assert.doesNotMatch(served.text, /French|changed/)
    writeFiles(folder, notes(true))
    const on = await openProject(folder, url)
    t.after(() => on.close())
    assert.deepEqual(await read(on), was)
  })
})
