import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, it } from 'node:test'
import { octavo } from '../command.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const DEMO = path.join(ROOT, 'examples/restaurants')

describe('the commands for front-end developers', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-out-'))
  after(() => rmSync(folder, { recursive: true }))

  it('octavo openapi prints the whole document, with the address of the server', async () => {
    const { code, out } = await octavo(['openapi', '--project', DEMO])
    assert.equal(code, 0)
    const document: { openapi: string; servers: { url: string }[]; paths: object } = JSON.parse(out)
    assert.match(document.openapi, /^3\.1\./)
    assert.deepEqual(document.servers, [{ url: 'http://127.0.0.1:1337' }])
    assert.ok('/api/restaurants/{documentId}/actions/publish' in document.paths)
  })

  it('octavo types writes a file, and the folders on the way', async () => {
    const file = path.join(folder, 'src/generated/schema.ts')
    const project = path.join(ROOT, 'test/reference/project')
    const ended = await octavo(['types', '--project', project, '--out', file])
    assert.deepEqual(ended, { code: 0, out: '', err: `Wrote ${file}\n` })
    assert.equal(readFileSync(file, 'utf8'), readFileSync(path.join(ROOT, 'test/client/schema.ts'), 'utf8'))
  })

  it('say what is wrong when there is no project, or no way to write', async () => {
    const lost = await octavo(['types', '--project', path.join(folder, 'nowhere')])
    assert.equal(lost.code, 1)
    assert.match(lost.err, /nowhere/)
    const taken = path.join(ROOT, 'package.json', 'schema.ts')
    const unwritten = await octavo(['types', '--project', DEMO, '--out', taken])
    assert.equal(unwritten.code, 1)
    assert.match(unwritten.err, /^Cannot write /)
  })
})
