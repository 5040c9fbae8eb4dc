/** Passwords of drafts are checked in full when they are sent, because only their hash can be published later. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import {
  collection,
  component,
  componentFile,
  openProject,
  type ProjectServer,
  projectFolder,
  string,
  typeFile,
} from '../support/project-server.ts'

const secret = { type: 'password', minLength: 6, maxLength: 20, regex: '[0-9]' }

onEachEngine((engine) => {
  let project: ProjectServer
  before(async () => {
    const attributes = {
      name: { ...string, minLength: 6 },
      secret,
      door: { type: 'component', component: 'lock.door' },
    }
    const options = { options: { draftAndPublish: true } }
    const folder = projectFolder({
      [typeFile('lock')]: collection('lock', attributes, options),
      [componentFile('lock.door')]: component('lock.door', { secret }),
    })
    project = await openProject(folder, await engine.freshUrl())
  })
  after(() => project?.remove())

  const draft = (data: object) => project.request('POST', '/api/locks?status=draft', { data })

  for (const weak of ['1', 'no digit', `1${'x'.repeat(20)}`]) {
    it(`refuses ${weak} for a draft, and does not repeat it in the error`, async () => {
      const refused = await draft({ secret: weak, door: { secret: weak } })
      assert.equal(refused.status, 400, refused.text)
      const errors = refused.at('error', 'details', 'errors')
      assert.ok(Array.isArray(errors))
      assert.deepEqual(
        errors.map(({ path, value }) => [path.join('.'), value]),
        [
          ['secret', undefined],
          ['door.secret', undefined],
        ],
      )
    })
  }

  it('refuses a weak password when a draft is updated, but accepts other incomplete values', async () => {
    const made = await draft({ name: 'x', secret: 'strong 1' })
    assert.equal(made.status, 201, made.text)
    const path = `/api/locks/${String(made.at('data', 'documentId'))}`
    assert.equal(
      (await project.request('PUT', `${path}?status=draft`, { data: { secret: '1' } })).status,
      400,
    )
    assert.equal((await project.request('POST', `${path}/actions/publish`)).status, 400)
    assert.equal(
      (await project.request('PUT', `${path}?status=draft`, { data: { name: 'long enough' } })).status,
      200,
    )
    assert.equal((await project.request('POST', `${path}/actions/publish`)).status, 200)
  })
})
