import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, it } from 'node:test'
import type { OpenApiDocument } from '../../src/http/openapi/document.ts'
import { octavo } from '../support/command.ts'

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

  /** A project whose `routes` function has this body. */
  function projectWith(name: string, routes: string): string {
    const project = path.join(folder, name)
    mkdirSync(project)
    writeFileSync(
      path.join(project, 'octavo.config.ts'),
      `export default {
        database: { url: 'postgres://nobody:x@127.0.0.1:1/none' },
        upload: { directory: ${JSON.stringify(path.join(project, 'files'))} },
        extend: { routes(app, server) { ${routes} } },
      }`,
    )
    return project
  }

  it('octavo openapi includes the routes of the project, and changes neither database nor files', async () => {
    const project = projectWith(
      'added',
      `const { access } = server
       app.get('/api/hours', { schema: { summary: 'Opening hours' } }, async () => access.roles.types())`,
    )
    const { code, out, err } = await octavo(['openapi', '--project', project])
    assert.equal(code, 0)
    const { paths }: OpenApiDocument = JSON.parse(out)
    assert.equal(paths['/api/hours']?.get?.summary, 'Opening hours')
    assert.match(JSON.stringify(paths['/api/users']?.get?.parameters), /Position/)
    assert.doesNotMatch(out, /explain/i)
    assert.equal(err, '')
    assert.deepEqual(readdirSync(project), ['octavo.config.ts'])
  })

  it('octavo openapi omits the routes of the project if its code cannot be loaded', async () => {
    const project = projectWith('failing', `throw new Error('The till is closed')`)
    const { code, out, err } = await octavo(['openapi', '--project', project])
    assert.equal(code, 0)
    const { paths }: OpenApiDocument = JSON.parse(out)
    assert.ok(paths['/api/users'])
    assert.equal(err, "Warning: the project's own routes are left out: The till is closed\n")
  })

  it('octavo types writes a file and creates its folders', async () => {
    const file = path.join(folder, 'src/generated/schema.ts')
    const project = path.join(ROOT, 'test/reference/project')
    const ended = await octavo(['types', '--project', project, '--out', file])
    assert.deepEqual(ended, { code: 0, out: '', err: `Wrote ${file}\n` })
    assert.equal(readFileSync(file, 'utf8'), readFileSync(path.join(ROOT, 'test/client/schema.ts'), 'utf8'))
  })

  it('report a missing project and a file that cannot be written', async () => {
    const lost = await octavo(['types', '--project', path.join(folder, 'nowhere')])
    assert.equal(lost.code, 1)
    assert.match(lost.err, /nowhere/)
    const taken = path.join(ROOT, 'package.json', 'schema.ts')
    const unwritten = await octavo(['types', '--project', DEMO, '--out', taken])
    assert.equal(unwritten.code, 1)
    assert.match(unwritten.err, /^Cannot write /)
  })
})
