import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'

const ROOT = path.join(import.meta.dirname, '../..')
const octavo = (...args: string[]) =>
  promisify(execFile)(process.execPath, [path.join(ROOT, 'bin/octavo.js'), ...args], {
    cwd: ROOT,
    maxBuffer: 10_000_000,
  })

describe('the commands for front-end developers', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-out-'))
  after(() => rmSync(folder, { recursive: true }))

  it('octavo openapi prints the whole document, with the address of the server', async () => {
    const { stdout } = await octavo('openapi', '--project', 'examples/restaurants')
    const document: { openapi: string; servers: { url: string }[]; paths: object } = JSON.parse(stdout)
    assert.match(document.openapi, /^3\.1\./)
    assert.deepEqual(document.servers, [{ url: 'http://127.0.0.1:1337' }])
    assert.ok('/api/restaurants/{documentId}/actions/publish' in document.paths)
  })

  it('octavo types writes a file, and the folders on the way', async () => {
    const out = path.join(folder, 'src/generated/schema.ts')
    const { stdout, stderr } = await octavo('types', '--project', 'test/reference/project', '--out', out)
    assert.deepEqual([stdout, stderr], ['', `Wrote ${out}\n`])
    assert.equal(readFileSync(out, 'utf8'), readFileSync(path.join(ROOT, 'test/client/schema.ts'), 'utf8'))
  })

  it('say what is wrong when there is no project, or no way to write', async () => {
    await assert.rejects(octavo('types', '--project', path.join(folder, 'nowhere')), {
      code: 1,
      stderr: /nowhere/,
    })
    const taken = path.join(ROOT, 'package.json', 'schema.ts')
    await assert.rejects(octavo('types', '--project', 'examples/restaurants', '--out', taken), {
      code: 1,
      stderr: /^Cannot write /,
    })
  })
})
