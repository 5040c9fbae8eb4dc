import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { OpenApiDocument } from '../../src/http/openapi/document.ts'

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

  /** A project with this text as the body of its `routes`. */
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

  it('octavo openapi has the routes that a project adds, and touches neither database nor files', async () => {
    const project = projectWith(
      'added',
      `const { access } = server
       app.get('/api/hours', { schema: { summary: 'Opening hours' } }, async () => access.roles.types())`,
    )
    const { stdout, stderr } = await octavo('openapi', '--project', project)
    const { paths }: OpenApiDocument = JSON.parse(stdout)
    assert.equal(paths['/api/hours']?.get?.summary, 'Opening hours')
    assert.match(JSON.stringify(paths['/api/users']?.get?.parameters), /Position/)
    assert.doesNotMatch(stdout, /explain/i)
    assert.equal(stderr, '')
    assert.deepEqual(readdirSync(project), ['octavo.config.ts'])
  })

  it('octavo openapi writes what it can when the routes of a project cannot be had', async () => {
    const project = projectWith('failing', `throw new Error('The till is closed')`)
    const { stdout, stderr } = await octavo('openapi', '--project', project)
    const { paths }: OpenApiDocument = JSON.parse(stdout)
    assert.ok(paths['/api/users'])
    assert.equal(stderr, 'The routes that the project adds are left out: The till is closed\n')
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
