/** Archives of content that is not served since localization or draft & publish was switched off. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { it, type TestContext } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { openMigratedProject } from '../migration/migrated-project.ts'
import { octavo } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { writeFiles } from '../support/project-folder.ts'
import {
  collection,
  openProject,
  type ProjectServer,
  projectFolder,
  string,
  typeFile,
} from '../support/project-server.ts'

const notes = (isOn: boolean) => ({
  'config/locales.json': { default: 'en', locales: ['en', 'fr'] },
  [typeFile('note')]: collection(
    'note',
    { text: string, like: { type: 'relation', relation: 'manyToMany', target: 'api::note.note' } },
    { options: { draftAndPublish: isOn }, pluginOptions: { i18n: { localized: isOn } } },
  ),
})

/** A target can have one owner. */
const essays = (draftAndPublish: boolean) => ({
  [typeFile('essay')]: collection(
    'essay',
    {
      text: string,
      owns: { type: 'relation', relation: 'oneToMany', target: 'api::essay.essay', mappedBy: 'owner' },
      owner: { type: 'relation', relation: 'manyToOne', target: 'api::essay.essay', inversedBy: 'owns' },
    },
    { options: { draftAndPublish } },
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

  /** Documents with drafts, and with changes and documents that came after draft & publish was switched off. */
  async function withHiddenDrafts(t: TestContext) {
    const project = await openMigratedProject(t, engine, essays(true))
    const make = (text: string) => project.create('essays', { text })
    const [kept, outdated, owned] = [await make('kept'), await make('outdated'), await make('owned')]
    await make('unchanged')
    const put = async (path: string, data: object) =>
      assert.equal((await project.server().request('PUT', `/api/essays/${path}`, { data })).status, 200)
    await put(`${kept}?status=draft`, { text: 'kept, changed', owns: [owned] })
    await put(`${outdated}?status=draft`, { text: 'outdated draft' })
    await project.apply(essays(false), 'everything')
    await put(outdated, { text: 'written since' })
    await project.create('essays', { text: 'new', owns: [owned] })
    const { folder } = project.server()
    const archive = path.join(folder, 'backup.octavo.jsonl.gz')
    const exported = await octavo(['export', archive, '--project', folder, '--database', project.url])
    assert.equal(exported.code, 0, exported.err)
    return { project, archive }
  }

  const importInto = async (archive: string, isOn: boolean) => {
    const folder = projectFolder(essays(isOn))
    const url = await engine.freshUrl()
    const imported = await octavo(['import', archive, '--project', folder, '--database', url])
    return { ...imported, open: () => openProject(folder, url) }
  }

  const read = ({ request }: Pick<ProjectServer, 'request'>) =>
    Promise.all(
      ['draft', 'published'].map(async (status) =>
        (await request('GET', `/api/essays?populate=owns&sort=text&status=${status}`)).text.replace(
          /"id":\d+,/g,
          '',
        ),
      ),
    )

  it('an import into a project with drafts has the drafts that switching them on would have', async (t) => {
    const { project, archive } = await withHiddenDrafts(t)
    const { code, err, open } = await importInto(archive, true)
    assert.equal(code, 0, err)
    const opened = await open()
    t.after(() => opened.remove())
    await project.apply(essays(true), 'everything')
    const [drafts = '', published = ''] = await read(opened)
    assert.deepEqual([drafts, published], await read(project.server()))
    assert.match(drafts, /"kept, changed".*"new".*"unchanged".*"written since"/)
    assert.doesNotMatch(drafts, /outdated/)
    assert.equal((await opened.request('POST', '/api/essays', { data: { text: 'later' } })).status, 201)
  })

  it('hidden drafts of an archive that does not mark them are imported into a project with the same model', async (t) => {
    const { archive } = await withHiddenDrafts(t)
    const lines = gunzipSync(readFileSync(archive)).toString()
    assert.match(lines, /"hidden":true,/)
    writeFileSync(archive, gzipSync(lines.replaceAll('"hidden":true,', '')))
    const { code, err, open } = await importInto(archive, false)
    assert.equal(code, 0, err)
    const opened = await open()
    t.after(() => opened.remove())
    assert.doesNotMatch((await read(opened)).join(), /kept, changed|outdated/)
    writeFileSync(
      archive,
      gzipSync(lines.replaceAll('"hidden":true,', '').replace(/"model":"[^"]+"/, '"model":"x"')),
    )
    const other = await importInto(archive, false)
    assert.match(other.err, /is a draft, but api::essay.essay has no drafts/)
  })
})
