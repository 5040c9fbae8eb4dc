/** `octavo dev`: one command to serve a project while it is being made. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { collection, projectFolder, string, TOKEN, typeFile, until, writeFiles } from './world.ts'

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
    assert.doesNotMatch(said, /"level"|secret/)
  } finally {
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    const [code] = await exit
    rmSync(folder, { recursive: true, force: true })
    assert.equal(code, 0)
  }
})
