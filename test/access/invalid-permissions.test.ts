/** Permissions that do not fit the model are rejected when they are created, and grant nothing when the model changes. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, it } from 'node:test'
import { octavo } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { writeFiles } from '../support/project-folder.ts'
import { collection, openProject, projectFolder, string, typeFile } from '../support/project-server.ts'
import { serve, type TestServer } from '../support/server.ts'
import { request } from './client.ts'
import { PROJECT } from './project.ts'

const NOTE = 'api::note.note'

/** Invalid permissions for notes, and their error messages. */
const INVALID: readonly [unknown, RegExp][] = [
  [{ action: 'find', filters: { titel: 'x' } }, /filters of find: Invalid key titel; did you mean "title"\?/],
  [{ action: 'find', filters: { $or: [{ title: { $equals: 'x' } }] } }, /Invalid key \$equals/],
  [{ action: 'find', filters: { level: 'high' } }, /filters of find: Invalid filters at level/],
  [{ action: 'find', filters: { owner: { id: '$user.username' } } }, /Invalid filters at owner\.id/],
  [{ action: 'update', fields: ['titel'] }, /has no attribute titel; did you mean "title"\?/],
  [{ action: '-publish' }, /has no action -publish; did you mean "publish"\?/],
  ['fnd', /has no action fnd; did you mean "find"\?/],
]

/** Unusual but valid. */
const VALID = [
  { action: 'find', filters: { secret: 'x', owner: '$user.documentId' }, fields: ['title', 'createdAt'] },
  { action: 'update', filters: { $not: { topic: { key: '$user.role' } } } },
  'create',
  '-publish',
]

onEachEngine((engine) => {
  let running: TestServer
  let admin: string
  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl())
    admin = (await running.server.access.tokens.create({ name: 'the admin', kind: 'admin' })).secret
  })
  after(() => running?.close())

  it('a server does not start with an invalid permission in its configuration', async () => {
    const token = { type: 'custom', token: 'a-token-of-the-permission-tests-0123456789' }
    for (const [permission, expected] of INVALID) {
      const permissions = { [NOTE]: [permission] }
      const inRoles = new Map(PROJECT).set('config/roles.json', { author: permissions })
      const inTokens = new Map(PROJECT).set('config/tokens.json', { robot: { ...token, permissions } })
      for (const [project, where] of [
        [inRoles, /roles\.author\.api::note\.note\.-?\w+: api::note\.note/],
        [inTokens, /tokens\.robot\.permissions\.api::note\.note\.-?\w+: api::note\.note/],
      ] as const)
        await assert.rejects(serve(project, await engine.freshUrl()), ({ message }: Error) => {
          assert.match(message, where)
          assert.match(message, expected)
          return true
        })
    }
    const valid = new Map(PROJECT).set('config/roles.json', { author: { [NOTE]: VALID } })
    await (await serve(valid, await engine.freshUrl())).close()
  })

  it('the admin API rejects an invalid permission of a role or token', async () => {
    for (const [permission, expected] of INVALID) {
      const permissions = { [NOTE]: [permission] }
      const data = { name: 'robot', type: 'custom', permissions }
      for (const [method, path, body] of [
        ['PUT', '/admin/api/roles/author', { data: { permissions } }],
        ['POST', '/admin/api/tokens', { data }],
      ] as const) {
        const response = await request(running.server, method, path, { as: admin, body })
        assert.equal(response.status, 400, response.text)
        assert.match(String(response.at('error', 'message')), expected)
      }
    }
    const body = { data: { permissions: { [NOTE]: VALID } } }
    const response = await request(running.server, 'PUT', '/admin/api/roles/author', { as: admin, body })
    assert.equal(response.status, 200, response.text)
  })

  it('a rule about a removed attribute grants nothing, and a warning is logged', async (t) => {
    const tag = { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag' }
    const note = (attributes: object) => collection('note', { text: string, tag, ...attributes })
    const folder = projectFolder({
      [typeFile('note')]: note({ open: { type: 'boolean' } }),
      [typeFile('tag')]: collection('tag', { name: string, shown: { type: 'boolean' } }),
    })
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const url = await engine.freshUrl()
    let project = await openProject(folder, url)
    const put = (type: string, permissions: unknown[]) =>
      project.adminRequest('PUT', '/roles/public', { data: { permissions: { [type]: permissions } } })
    await put(NOTE, ['findOne', { action: 'find', filters: { open: true } }])
    await put('api::tag.tag', [{ action: 'find', filters: { shown: true } }])
    const made = await project.request('POST', '/api/tags', { data: { name: 'hidden', shown: false } })
    const data = { text: 'closed', open: false, tag: made.at('data', 'documentId') }
    const id = String((await project.request('POST', '/api/notes', { data })).at('data', 'documentId'))
    const get = (path: string) => request(project.server, 'GET', path)
    assert.equal((await get('/api/notes')).status, 200)
    const plan = async () => (await octavo(['migrate', '--plan', '--project', folder, '--database', url])).out
    assert.doesNotMatch(await plan(), /will be invalid/)

    const without = await project.adminRequest('PUT', '/schema?confirm=true', {
      data: {
        contentTypes: [
          { uid: NOTE, ...note({}) },
          { uid: 'api::tag.tag', ...collection('tag', { name: string }) },
        ],
      },
    })
    assert.equal(without.status, 200, without.text)
    const refused = async () => {
      const list = await get('/api/notes')
      assert.deepEqual([list.status, list.text.includes('closed')], [403, false])
      const populated = await get(`/api/notes/${id}?populate=*`)
      assert.equal(populated.status, 200, populated.text)
      assert.equal(populated.headers['octavo-omitted'], 'tag')
      assert.ok(!populated.text.includes('hidden'))
    }
    await refused()
    const warnings = () =>
      project.log.filter((line) =>
        /Invalid permission of the role public: .*filters of find: Invalid key open/.test(line),
      )
    await project.server.access.settled()
    assert.equal(warnings().length, 1)
    await project.close()

    project = await openProject(folder, url)
    await refused()
    assert.equal(warnings().length, 1)
    assert.match(
      await plan(),
      /will be invalid after this migration:\n {2}Invalid permission of the role public: .*Invalid key open/,
    )
    await project.close()
  })

  it('a migration plan lists permissions that become invalid, but not those that are renamed', async (t) => {
    const folder = projectFolder({ [typeFile('note')]: collection('note', { text: string, code: string }) })
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const url = await engine.freshUrl()
    const project = await openProject(folder, url)
    await project.server.access.roles.setPermissions('public', {
      [NOTE]: [{ action: 'find', filters: { code: 'a' } }],
    })
    await project.close()
    const plan = async (attributes: object) => {
      writeFiles(folder, { [typeFile('note')]: collection('note', { text: string, ...attributes }) })
      return (await octavo(['migrate', '--plan', '--project', folder, '--database', url])).out
    }
    assert.match(
      await plan({}),
      /will be invalid after this migration:\n {2}Invalid permission of the role public: .*Invalid key code/,
    )
    assert.doesNotMatch(await plan({ sign: { ...string, renamedFrom: 'code' } }), /will be invalid/)
  })
})
