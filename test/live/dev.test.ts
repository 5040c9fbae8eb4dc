/** `octavo dev`: one command to serve a project while it is being made. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeFiles } from '../folder.ts'
import { until } from '../until.ts'
import { collection, projectFolder, string, TOKEN, typeFile } from './world.ts'

test('octavo dev follows edits of schema files, and its log is for people', async () => {
  const folder = projectFolder({ [typeFile('note')]: collection('note', { text: string }) })
  const command = join(import.meta.dirname, '../../bin/octavo.js')
  const child = spawn(process.execPath, [command, 'dev', '--project', folder, '--port', '0'])
  try {
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        said += String(chunk)
      })
    }
    const address = () => /http:\/\/[\d.]+:\d+/.exec(said)?.[0] ?? ''
    await until(() => address() !== '', 20_000)
    const headers = { authorization: `Bearer ${TOKEN}` }
    const status = async (path: string) => (await fetch(address() + path, { headers })).status
    assert.equal(await status('/api/books'), 404)
    writeFiles(folder, { [typeFile('book')]: collection('book', { title: string }) })
    await until(async () => (await status('/api/books')) === 200)
    writeFiles(folder, { [typeFile('book')]: '{' })
    await until(() => /book\/schema.json: is not JSON/.test(said))
    assert.equal(await status('/api/books?code=secret'), 200)
    await until(() => /GET \/api\/books\?code=… 200 in/.test(said))
    assert.match(said, /INFO.*api::book.book: a new content-type/)

    writeFiles(folder, { [typeFile('book')]: null })
    const visit = async () => (await fetch(`${address()}/api/notes`)).status
    assert.equal(await visit(), 403)
    const roles = (permissions: object) => ({ 'config/roles.json': { public: permissions } })
    writeFiles(folder, roles({ 'api::note.note': ['find'] }))
    await until(async () => (await visit().catch(() => 0)) === 200, 20_000)
    writeFiles(folder, roles({ 'api::nte.note': ['find'] }))
    await until(() => /nothing was changed:.*did you mean "api::note\.note"/s.test(said), 20_000)
    assert.equal(await visit(), 200)
    const limit = (size: number) =>
      `export default { api: { rest: { defaultLimit: ${size} } }, schema: { editable: false } }\n`
    writeFiles(folder, { ...roles({ 'api::note.note': ['find'] }), 'octavo.config.mjs': limit(3) })
    const pageSize = async () =>
      /"pageSize":(\d+)/.exec(await (await fetch(`${address()}/api/notes`)).text())?.[1]
    await until(async () => (await pageSize().catch(() => '')) === '3', 20_000)
    writeFiles(folder, { 'octavo.config.mjs': limit(4) })
    await until(async () => (await pageSize().catch(() => '')) === '4', 20_000)
    assert.doesNotMatch(said, /"level"|secret/)
  } finally {
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    const [code] = await exit
    rmSync(folder, { recursive: true, force: true })
    assert.equal(code, 0)
  }
})
