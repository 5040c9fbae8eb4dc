/** Edits of schema files on disk are applied while the server runs, or logged if they are invalid. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { writeFiles } from '../support/project-folder.ts'
import { waitUntil } from '../support/wait-until.ts'
import { collection, openWorld, projectFolder, string, typeFile, type World } from './world.ts'

onEachEngine((engine) => {
  let world: World
  before(async () => {
    const folder = projectFolder({ [typeFile('note')]: collection('note', { text: string }) })
    world = await openWorld(folder, await engine.freshUrl(), { watch: true })
  })
  after(() => world?.remove())

  const status = async (path: string) => (await world.ask('GET', path)).status
  const isLogged = (words: RegExp) => world.log.some((line) => words.test(line))
  const edit = (files: Readonly<Record<string, unknown>>) => writeFiles(world.folder, files)

  it('a new file and a new attribute are applied', async () => {
    edit({ [typeFile('book')]: collection('book', { title: string }) })
    await waitUntil(async () => (await status('/api/books')) === 200)
    edit({ [typeFile('note')]: collection('note', { text: string, color: string }) })
    await waitUntil(async () => (await status('/api/notes?filters[color]=red')) === 200)
    await waitUntil(() => isLogged(/api::note.note, attribute color: added as string/))
  })

  it('an invalid file changes nothing, and the log says what is wrong', async () => {
    edit({ [typeFile('note')]: '{ "kind": ' })
    await waitUntil(() => isLogged(/note\/schema.json: is not valid JSON/))
    edit({ [typeFile('note')]: collection('note', { text: { type: 'strng' } }) })
    await waitUntil(() => isLogged(/attributes.text.type: unknown attribute type/))
    assert.equal(await status('/api/notes?filters[color]=red'), 200)
    edit({
      [typeFile('note')]: collection('note', { text: string, shade: { ...string, renamedFrom: 'color' } }),
    })
    await waitUntil(async () => (await status('/api/notes?filters[shade]=red')) === 200)
  })

  it('an edit that deletes content is not applied, and the log names the command that does', async () => {
    await world.ask('POST', '/api/notes', { data: { text: 'a', shade: 'blue' } })
    edit({ [typeFile('note')]: collection('note', { text: string }) })
    await waitUntil(() => isLogged(/attribute shade: deleted.*octavo migrate --confirm/))
    assert.equal((await world.ask('GET', '/api/notes')).at('data', 0, 'shade'), 'blue')
  })

  it('files that the server writes are not applied again', async () => {
    const former = (await lastSchema()).number
    edit({ [typeFile('note')]: collection('note', { text: string, shade: string }) })
    await waitUntil(async () => (await lastSchema()).number > former)
    const data = collection('made', { text: string })
    assert.equal((await world.admin('POST', '/content-types', { data })).status, 201)
    const { number } = await lastSchema()
    await new Promise((resolve) => setTimeout(resolve, 500))
    assert.deepEqual([await status('/api/mades'), (await lastSchema()).number], [200, number])
    edit({ [typeFile('made')]: null })
    await waitUntil(async () => (await status('/api/mades')) === 404)
  })

  async function lastSchema() {
    const [row] = await world.server.store.read({
      sql: `SELECT value FROM octavo_meta WHERE key = 'number'`,
      parameters: [],
    })
    return { number: Number(row?.value) }
  }
})
