/** The command `octavo dev`. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { launch } from '../support/command.ts'
import { writeFiles } from '../support/project-folder.ts'
import { collection, projectFolder, string, TOKEN, typeFile } from '../support/project-server.ts'
import { waitUntil } from '../support/wait-until.ts'

test('octavo dev applies edits of schema files and configuration, and logs in readable form', async () => {
  const folder = projectFolder({ [typeFile('note')]: collection('note', { text: string }) })
  const server = launch(['dev', '--project', folder, '--port', '0'])
  const { output } = server
  try {
    const address = await server.address()
    const headers = { authorization: `Bearer ${TOKEN}` }
    const status = async (path: string) => (await fetch(address + path, { headers })).status
    assert.equal(await status('/api/books'), 404)
    writeFiles(folder, { [typeFile('book')]: collection('book', { title: string }) })
    await waitUntil(() => /INFO.*api::book.book: new content-type/.test(output()))
    assert.equal(await status('/api/books'), 200)
    writeFiles(folder, { [typeFile('book')]: '{' })
    await waitUntil(() => /book\/schema.json: is not valid JSON/.test(output()))
    assert.equal(await status('/api/books?code=secret'), 200)
    await waitUntil(() => /GET \/api\/books\?code=… 200 in/.test(output()))

    writeFiles(folder, { [typeFile('book')]: null })
    const visit = async () => (await fetch(`${address}/api/notes`)).status
    assert.equal(await visit(), 403)
    const roles = (permissions: object) => ({ 'config/roles.json': { public: permissions } })
    writeFiles(folder, roles({ 'api::note.note': ['find'] }))
    await waitUntil(async () => (await visit().catch(() => 0)) === 200)
    writeFiles(folder, roles({ 'api::nte.note': ['find'] }))
    await waitUntil(() => /Configuration change not applied:.*did you mean "api::note\.note"/s.test(output()))
    assert.equal(await visit(), 200)
    const limit = (size: number) =>
      `export default { api: { rest: { defaultLimit: ${size} } }, schema: { editable: false } }\n`
    writeFiles(folder, { ...roles({ 'api::note.note': ['find'] }), 'octavo.config.mjs': limit(3) })
    const pageSize = async () =>
      /"pageSize":(\d+)/.exec(await (await fetch(`${address}/api/notes`)).text())?.[1]
    await waitUntil(async () => (await pageSize().catch(() => '')) === '3')
    writeFiles(folder, { 'octavo.config.mjs': limit(4) })
    await waitUntil(async () => (await pageSize().catch(() => '')) === '4')
    writeFiles(folder, { 'config/server.json': { host: '192.0.2.1' } })
    await waitUntil(() => /not applied: Cannot listen on 192\.0\.2\.1/.test(output()))
    assert.equal(await visit(), 200)
    assert.doesNotMatch(output(), /"level"|secret/)
  } finally {
    const code = await server.stop()
    rmSync(folder, { recursive: true, force: true })
    assert.equal(code, 0)
  }
})
