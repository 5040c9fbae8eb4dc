/** Edits of schema files on disk are applied while the server runs, or logged if they are invalid. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
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

onEachEngine((engine) => {
  let project: ProjectServer
  before(async () => {
    const folder = projectFolder({ [typeFile('note')]: collection('note', { text: string }) })
    project = await openProject(folder, await engine.freshUrl(), { watch: true })
  })
  after(() => project?.remove())

  const status = async (path: string) => (await project.request('GET', path)).status
  const edit = (files: Readonly<Record<string, unknown>>) => writeFiles(project.folder, files)

  it('a new file and a new attribute are applied', async () => {
    edit({ [typeFile('book')]: collection('book', { title: string }) })
    await project.logged(/api::book.book: new content-type/)
    assert.equal(await status('/api/books'), 200)
    edit({ [typeFile('note')]: collection('note', { text: string, color: string }) })
    await project.logged(/api::note.note, attribute color: added as string/)
    assert.equal(await status('/api/notes?filters[color]=red'), 200)
  })

  it('an invalid file changes nothing, and the log says what is wrong', async () => {
    edit({ [typeFile('note')]: '{ "kind": ' })
    await project.logged(/note\/schema.json: is not valid JSON/)
    edit({ [typeFile('note')]: collection('note', { text: { type: 'strng' } }) })
    await project.logged(/attributes.text.type: unknown attribute type/)
    assert.equal(await status('/api/notes?filters[color]=red'), 200)
    edit({
      [typeFile('note')]: collection('note', { text: string, shade: { ...string, renamedFrom: 'color' } }),
    })
    await project.logged(/attribute shade: renamed from color/)
    assert.equal(await status('/api/notes?filters[shade]=red'), 200)
  })

  it('an edit that deletes content is not applied, and the log names the command that does', async () => {
    await project.request('POST', '/api/notes', { data: { text: 'a', shade: 'blue' } })
    edit({ [typeFile('note')]: collection('note', { text: string }) })
    await project.logged(/attribute shade: deleted.*npm run octavo -- migrate --confirm/)
    assert.equal((await project.request('GET', '/api/notes')).at('data', 0, 'shade'), 'blue')
  })

  it('files that the server writes are not applied again', async () => {
    edit({ [typeFile('note')]: collection('note', { text: string, shade: string, size: string }) })
    await project.logged(/attribute size: added as string/)
    const data = collection('made', { text: string })
    assert.equal((await project.adminRequest('POST', '/content-types', { data })).status, 201)
    const created = await schemaVersion()
    // Applying the file that the server wrote, or the older state of the folder, would be another version.
    edit({
      [typeFile('note')]: collection('note', { text: string, shade: string, size: string, more: string }),
    })
    await project.logged(/attribute more: added as string/)
    assert.deepEqual([await status('/api/mades'), await schemaVersion()], [200, created + 1])
    edit({ [typeFile('made')]: null })
    await project.logged(/api::made.made: deleted/)
    assert.equal(await status('/api/mades'), 404)
  })

  async function schemaVersion(): Promise<number> {
    const [row] = await project.server.store.read({
      sql: `SELECT value FROM octavo_meta WHERE key = 'number'`,
      parameters: [],
    })
    return Number(row?.value)
  }
})
