/** Several content-types and components are checked, planned and changed together, as the model editor of the admin app does. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { sendRequest } from '../support/http-request.ts'
import {
  collection,
  component,
  openProject,
  type ProjectServer,
  projectFolder,
  string,
  TOKEN,
  typeFile,
} from '../support/project-server.ts'

onEachEngine((engine) => {
  let project: ProjectServer
  before(async () => {
    const folder = projectFolder({
      [typeFile('note')]: collection('note', { text: string }),
      'src/extensions/users-permissions/content-types/user/schema.json': {
        attributes: { note: { type: 'relation', relation: 'oneToOne', target: 'api::note.note' } },
      },
    })
    project = await openProject(folder, await engine.freshUrl())
  })
  after(() => project?.remove())

  const noteWith = (attributes: object) => ({ uid: 'api::note.note', ...collection('note', attributes) })
  const version = async () => (await project.adminRequest('GET', '/schema')).at('meta', 'version')

  it('lists all schemas with their version, and the reason when they cannot be changed', async () => {
    const { text, at } = await project.adminRequest('GET', '/schema')
    assert.match(text, /"uid":"api::note.note"/)
    assert.deepEqual(at('data', 'components'), [])
    assert.equal(at('meta', 'editable'), true)
    assert.equal(at('meta', 'reason'), null)
    assert.equal(typeof at('meta', 'version'), 'number')
  })

  it('says which option of which schema is invalid, without changing anything', async () => {
    const data = {
      contentTypes: [noteWith({ text: { ...string, minLength: 9, maxLength: 3 } })],
      components: [{ uid: 'shared.part', ...component('shared.part', { many: { type: 'strng' } }) }],
    }
    const before = await version()
    const response = await project.adminRequest('POST', '/schema/check', { data })
    assert.equal(response.status, 400)
    const problems = [0, 1].map((index) => [
      response.at('error', 'details', 'errors', index, 'uid'),
      response.at('error', 'details', 'errors', index, 'path'),
      response.at('error', 'details', 'errors', index, 'problem'),
    ])
    assert.deepEqual(problems.sort(), [
      ['api::note.note', ['attributes', 'text', 'minLength'], 'is more than maxLength (3)'],
      [
        'shared.part',
        ['attributes', 'many', 'type'],
        'unknown attribute type "strng"; did you mean "string"?',
      ],
    ])
    const valid = await project.adminRequest('POST', '/schema/check', {
      data: { contentTypes: [noteWith({})] },
    })
    assert.equal(valid.status, 204)
    assert.equal(await version(), before)
  })

  it('lists what clients of the API will notice', async () => {
    const data = { contentTypes: [noteWith({ text: string, stars: { type: 'integer' } })] }
    const planned = await project.adminRequest('PUT', '/schema?dryRun=true', { data })
    assert.deepEqual(planned.at('meta', 'clients'), [
      {
        kind: 'field',
        breaking: false,
        uid: 'api::note.note',
        words: '/api/notes: stars is new (integer, as number)',
      },
    ])
  })

  it('refuses a change that was made for another version of the schema', async () => {
    const send = async (ifMatch: string) => {
      const headers = { authorization: `Bearer ${await adminToken()}`, 'if-match': ifMatch }
      const body = JSON.stringify({ data: { contentTypes: [noteWith({ text: string, more: string })] } })
      return sendRequest(project.server, 'PUT', '/admin/api/schema', headers, body)
    }
    const before = Number(await version())
    assert.equal((await send(`"${before - 1}"`)).status, 412)
    assert.equal((await send('latest')).status, 400)
    assert.equal((await send(`"${before}"`)).status, 200)
    assert.equal(await version(), before + 1)
  })

  it('renames a content-type together with other changes, with its content and the references to it', async () => {
    const created = await project.request('POST', '/api/notes', { data: { text: 'kept' } })
    assert.equal(created.status, 201, created.text)
    const memo = {
      uid: 'api::memo.memo',
      ...collection('memo', { body: { ...string, renamedFrom: 'text' } }),
    }
    const data = { rename: [{ from: 'api::note.note', to: 'api::memo.memo' }], contentTypes: [memo] }
    const changed = await project.adminRequest('PUT', '/schema?confirm=true', { data })
    assert.equal(changed.status, 200, changed.text)
    assert.equal((await project.request('GET', '/api/memos')).at('data', 0, 'body'), 'kept')
    assert.match(
      project.read('src/extensions/users-permissions/content-types/user/schema.json'),
      /api::memo\.memo/,
    )
    const unknown = await project.adminRequest('PUT', '/schema', {
      data: { rename: [{ from: 'api::nte.nte', to: 'a' }] },
    })
    assert.equal(unknown.status, 400)
    assert.match(unknown.text, /Cannot rename api::nte\.nte/)
  })

  it('tells everyone the version, and nobody but admins the schemas', async () => {
    const get = (path: string, headers: Record<string, string> = {}) =>
      sendRequest(project.server, 'GET', `/admin/api${path}`, headers)
    const open = await get('/schema-version')
    assert.equal(open.status, 200)
    assert.deepEqual(JSON.parse(open.text), { data: { version: await version() } })
    assert.equal((await get('/schema')).status, 403)
    const full = { authorization: `Bearer ${TOKEN}` }
    assert.equal((await get('/schema', full)).status, 403)
    const check = await sendRequest(project.server, 'POST', '/admin/api/schema/check', full, '{"data":{}}')
    assert.equal(check.status, 403)
  })

  const adminToken = async () =>
    (await project.server.access.tokens.create({ name: `admin ${Math.random()}`, kind: 'admin' })).secret
})
