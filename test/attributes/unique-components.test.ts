/** `unique` in a component: the entries of a published document must differ from each other. */
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

const step = { code: { ...string, unique: true }, secret: { ...string, unique: true, private: true } }
const plan = {
  steps: { type: 'component', component: 'plan.step', repeatable: true },
  first: { type: 'component', component: 'plan.step' },
  zone: { type: 'dynamiczone', components: ['plan.step', 'plan.group'] },
}

onEachEngine((engine) => {
  let project: ProjectServer
  before(async () => {
    const options = { options: { draftAndPublish: true } }
    const folder = projectFolder({
      [typeFile('plan')]: collection('plan', plan, options),
      [componentFile('plan.step')]: component('plan.step', step),
      [componentFile('plan.group')]: component('plan.group', { inside: plan.steps }),
    })
    project = await openProject(folder, await engine.freshUrl())
  })
  after(() => project?.remove())

  const make = (data: object, query = '') => project.request('POST', `/api/plans${query}`, { data })

  it('lists every entry that repeats a value, anywhere in the document', async () => {
    const refused = await make({
      steps: [{ code: 'a' }, { code: 'b' }, { code: 'a' }],
      first: { code: 'b' },
      zone: [{ __component: 'plan.group', inside: [{ code: 'c' }, { code: 'a' }] }],
    })
    assert.equal(refused.status, 400, refused.text)
    const errors = refused.at('error', 'details', 'errors')
    assert.ok(Array.isArray(errors))
    assert.deepEqual(errors.map(({ path }) => path.join('.')).sort(), [
      'first.code',
      'steps.2.code',
      'zone.0.inside.1.code',
    ])
  })

  it('does not apply to drafts and empty values, but to other documents', async () => {
    for (const code of ['', null]) assert.equal((await make({ steps: [{ code }, { code }] })).status, 201)
    const draft = await make({ steps: [{ code: 'a' }, { code: 'a' }] }, '?status=draft')
    assert.equal(draft.status, 201, draft.text)
    const path = `/api/plans/${String(draft.at('data', 'documentId'))}/actions/publish`
    assert.equal((await project.request('POST', path)).status, 400)
    for (const status of [201, 400]) {
      const made = await make({
        steps: [{ code: 'a' }, { code: null }, {}, { code: 'A' }, { code: '' }, { code: '' }],
      })
      assert.equal(made.status, status, made.text)
    }
  })

  it('does not show a repeated private value', async () => {
    const refused = await make({ steps: [{ secret: 'hush' }, { secret: 'hush' }] })
    assert.equal(refused.status, 400)
    assert.doesNotMatch(refused.text, /hush/)
  })
})
