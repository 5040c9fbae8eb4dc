/** Values of json and blocks attributes are returned exactly as they were sent, or refused if that is impossible. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { sendRequest } from '../support/http-request.ts'
import { jsonAt } from '../support/json-body.ts'
import {
  collection,
  component,
  componentFile,
  openProject,
  type ProjectServer,
  projectFolder,
  TOKEN,
  typeFile,
} from '../support/project-server.ts'

const json = { type: 'json' }

onEachEngine((engine) => {
  let project: ProjectServer
  before(async () => {
    const attributes = {
      json,
      blocks: { type: 'blocks' },
      one: { type: 'component', component: 'a.part' },
      zone: { type: 'dynamiczone', components: ['a.part'] },
    }
    const options = { options: { draftAndPublish: true } }
    const folder = projectFolder({
      [typeFile('thing')]: collection('thing', attributes, options),
      [componentFile('a.part')]: component('a.part', { json }),
    })
    project = await openProject(folder, await engine.freshUrl())
  })
  after(() => project?.remove())

  /** Sends `data` as text, because its numbers have more digits than a JavaScript number. */
  const make = async (data: string, query = '') => {
    const headers = { authorization: `Bearer ${TOKEN}` }
    const { status, text } = await sendRequest(
      project.server,
      'POST',
      `/api/things${query}`,
      headers,
      `{"data":${data}}`,
    )
    return { status, text, at: jsonAt(text) }
  }

  const lost: readonly (readonly [data: string, path: string])[] = [
    ['{"json":{"id":12345678901234567890}}', 'json.id'],
    ['{"json":{"list":[1,-9007199254740993]}}', 'json.list.1'],
    ['{"json":99999999999999999999}', 'json'],
    ['{"json":{"x":1e400}}', 'json.x'],
    ['{"json":[-1e999]}', 'json.0'],
    ['{"one":{"json":{"id":12345678901234567890}}}', 'one.json.id'],
    ['{"zone":[{"__component":"a.part","json":[{"id":1e400}]}]}', 'zone.0.json.0.id'],
    [
      '{"blocks":[{"type":"image","image":{"url":"/a.png","size":12345678901234567890}}]}',
      'blocks.0.image.size',
    ],
  ]
  for (const [data, path] of lost) {
    it(`refuses the number at ${path} of ${data}, also in a draft`, async () => {
      for (const query of ['', '?status=draft']) {
        const refused = await make(data, query)
        assert.equal(refused.status, 400, refused.text)
        assert.deepEqual(refused.at('error', 'details', 'errors', 0, 'path'), path.split('.'))
        assert.match(String(refused.at('error', 'message')), /must be sent as a string/)
      }
    })
  }

  for (const value of [
    '{"id":"12345678901234567890"}',
    '[9007199254740991,-9007199254740991]',
    '[0.1,1.5e-7,1e+21,1e+300,-1.7976931348623157e+308]',
    '{"a":[null,true,"😀",{}]}',
  ]) {
    it(`returns ${value}`, async () => {
      const made = await make(`{"json":${value},"one":{"json":${value}}}`, '?populate=one')
      assert.equal(made.status, 201, made.text)
      assert.deepEqual(made.at('data', 'json'), JSON.parse(value))
      assert.deepEqual(made.at('data', 'one', 'json'), JSON.parse(value))
    })
  }
})
