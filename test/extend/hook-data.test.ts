/** Data returned by hooks is validated like data sent by callers. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Extension } from '../../src/index.ts'
import { onEachEngine } from '../support/engines.ts'
import { collection, component, componentFile, string, TOKEN, typeFile } from '../support/project-server.ts'
import { serve, type TestServer } from '../support/server.ts'

const circular: Record<string, unknown> = {}
circular.again = { circular }
const nested = (levels: number): unknown => (levels === 0 ? 'bottom' : [nested(levels - 1)])
const hostile: unknown = JSON.parse('{"__proto__":{"polluted":true}}')

/** By name: what a hook returns, and the path of the problem in the response, if it has one. */
const refused: Readonly<Record<string, readonly [data: () => unknown, path?: string]>> = {
  'a NUL in json': [() => ({ json: { deep: ['a\0b'] } })],
  'a NUL in a key of json': [() => ({ json: { 'a\0b': 1 } })],
  'a NUL in text': [() => ({ label: 'a\0b' })],
  'half a surrogate pair in json': [() => ({ json: ['\ud83c'] })],
  'half a surrogate pair in a component': [() => ({ part: { json: '\udf55' } })],
  'a prototype key': [() => ({ json: hostile })],
  'nesting without end': [() => ({ json: nested(150) })],
  'a circular value in json': [() => ({ json: circular })],
  'a circular value for text': [() => ({ label: circular })],
  'circular data': [() => circular],
  'a function in json': [() => ({ json: { list: [1, () => 1] } }), 'json.list.1'],
  'a function as json': [() => ({ json: () => 1 }), 'json'],
  'a symbol in json': [() => ({ json: { s: Symbol('s') } }), 'json.s'],
  'undefined in json': [() => ({ json: { u: undefined } }), 'json.u'],
  'a number without end in json': [() => ({ json: { n: Number.NaN } }), 'json.n'],
  'a BigInt in json': [() => ({ json: { big: 1n } }), 'json.big'],
  'a BigInt in json of a component': [() => ({ part: { json: [1n] } }), 'part.json.0'],
  'a BigInt in blocks': [
    () => ({ blocks: [{ type: 'image', image: { url: '/a.png', n: 1n } }] }),
    'blocks.0.image.n',
  ],
  'a BigInt for text': [() => ({ label: 1n }), 'label'],
  'a BigInt for an integer': [() => ({ number: 1n }), 'number'],
  'a BigInt of more than 64 bits': [() => ({ big: 2n ** 63n }), 'big'],
  'a BigInt past a bound': [() => ({ big: -1n }), 'big'],
  'a BigInt for a relation': [() => ({ other: 1n }), 'other'],
  'a function for text': [() => ({ label: () => 1 }), 'label'],
  'a symbol for a relation': [() => ({ other: Symbol('s') }), 'other'],
  'a function as data': [() => () => 1],
  'a BigInt as data': [() => 1n],
  'null as data': [() => null],
}

const json = { type: 'json' }
const PROJECT = new Map<string, unknown>([
  ['config/tokens.json', { full: { type: 'full-access', token: TOKEN } }],
  [
    typeFile('note'),
    collection('note', {
      label: string,
      number: { type: 'integer' },
      big: { type: 'biginteger', min: 0 },
      json,
      blocks: { type: 'blocks' },
      part: { type: 'component', component: 'a.part' },
      other: { type: 'relation', relation: 'manyToOne', target: 'api::note.note' },
    }),
  ],
  [componentFile('a.part'), component('a.part', { json, big: { type: 'biginteger' } })],
])

onEachEngine((engine) => {
  let running: TestServer
  /** Called by the hook for the next write. */
  let hook: (data: unknown) => unknown = () => undefined
  const extend: Extension = {
    hooks: {
      'api::note.note': { before: { create: ({ data }) => hook(data), update: ({ data }) => hook(data) } },
    },
  }
  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl(), {}, extend)
  })
  after(() => running.close())

  /** Over the network, on the fast path. */
  const send = async (method: string, path: string, body: unknown) => {
    const response = await fetch(`${running.base}/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, text, body: JSON.parse(text) }
  }
  const create = (made: (data: unknown) => unknown) => {
    hook = made
    return send('POST', 'notes?populate=part', { data: { label: 'sent' } })
  }

  describe('what a hook returns', () => {
    for (const [what, [data, path]] of Object.entries(refused)) {
      it(`is refused with ${what}`, async () => {
        const alone = await create(data)
        assert.equal(alone.status, 400, alone.text)
        if (path) assert.equal(alone.body.error.details.errors[0].path.join('.'), path)
        const together = await send('POST', 'batch', {
          operations: [{ method: 'POST', path: '/api/notes', body: { data: {} } }],
        })
        assert.deepEqual([together.status, together.body.error.details.operation], [400, 0], together.text)
        assert.equal(together.body.error.message, alone.body.error.message)
      })
    }

    it('is refused when it modifies its argument, and on update', async () => {
      const spoil = (data: unknown) => void (data instanceof Object && Object.assign(data, { json: ['\0'] }))
      assert.equal((await create(spoil)).status, 400)
      const made = await create(() => undefined)
      assert.equal(made.status, 201, made.text)
      hook = spoil
      const changed = await send('PUT', `notes/${made.body.data.documentId}`, { data: { label: 'x' } })
      assert.equal(changed.status, 400, changed.text)
    })

    it('may be a BigInt for a biginteger, and anything that JSON can represent', async () => {
      const when = new Date()
      const made = await create(() => ({
        big: 2n ** 62n,
        part: { big: 0n },
        json: { when, list: [null, 1.5, 'text'] },
        number: undefined,
      }))
      assert.equal(made.status, 201, made.text)
      assert.equal(made.body.data.big, String(2n ** 62n))
      assert.equal(made.body.data.part.big, '0')
      assert.deepEqual(made.body.data.json, { when: when.toISOString(), list: [null, 1.5, 'text'] })
    })
  })
})
