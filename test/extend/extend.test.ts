import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type DocumentEvent, type Extension, errors } from '../../src/index.ts'
import { onEachEngine } from '../support/engines.ts'
import { type Guide, openGuide } from '../support/reference-server.ts'

onEachEngine((engine) => {
  let guide: Guide
  const told: string[] = []
  const extend: Extension = {
    hooks: {
      'api::tag.tag': {
        before: {
          create: ({ data }) => ({ ...(data instanceof Object ? data : {}), color: 'green' }),
          update: ({ data }) => {
            if (data instanceof Object && 'label' in data && data.label === 'forbidden')
              throw errors.invalid('That label is taboo')
          },
        },
        after: {
          create: ({ documentId }: DocumentEvent) => void told.push(`made ${documentId}`),
          delete: () => {
            throw new Error('nobody hears this')
          },
        },
      },
      '*': { after: { update: ({ type, action }) => void told.push(`${action} ${type}`) } },
    },
    find: {
      'api::comment.comment': {
        before: ({ params, scope }) =>
          scope.principal.kind === 'token' ? { ...params, filters: { approved: 'true' } } : undefined,
        after: ({ data }) => (Array.isArray(data) ? data.map((one) => ({ ...one, seen: true })) : undefined),
      },
    },
    policies: {
      'api::dish.dish': {
        create: () => false,
        find: [() => true, ({ scope }) => scope.principal.kind === 'token'],
      },
      'api::article.article': { publish: () => false },
    },
    routes(app, server) {
      app.get('/api/tags/loudest', async (request) => {
        const scope = await server.access.scopeOf(request.headers.authorization)
        const type = server.layout().model.endpoints.get('tags')
        if (!type || !scope.may(type.uid, 'find')) throw errors.forbidden()
        const { data } = await server.reads().list(type, 'sort=label:desc&pagination[limit]=1', scope)
        return JSON.parse(data)
      })
    },
  }
  before(async () => {
    guide = await openGuide(await engine.freshUrl(), {}, extend)
  })
  after(() => guide.close())

  describe('hooks', () => {
    it('before a write may change what is written', async () => {
      const { data } = (await guide.ask('POST', '/api/tags', { data: { label: 'x', color: 'red' } })).json()
      assert.equal(data.color, 'green')
      assert.deepEqual(told.splice(0), [`made ${data.documentId}`])
    })

    it('before a write may refuse it', async () => {
      const { documentId } = (await guide.ask('POST', '/api/tags', { data: { label: 'y' } })).json().data
      const refused = await guide.ask('PUT', `/api/tags/${documentId}`, { data: { label: 'forbidden' } })
      assert.deepEqual([refused.status, refused.json().error.message], [400, 'That label is taboo'])
      assert.match((await guide.ask('GET', `/api/tags/${documentId}`)).text, /"label":"y"/)
    })

    it('after a write cannot undo it', async () => {
      const { documentId } = (await guide.ask('POST', '/api/tags', { data: { label: 'z' } })).json().data
      assert.equal((await guide.ask('DELETE', `/api/tags/${documentId}`)).status, 204)
      assert.equal((await guide.ask('GET', `/api/tags/${documentId}`)).status, 404)
    })

    it('of a batch are told when all of it is durable, and of none that failed', async () => {
      told.splice(0)
      const make = (label: unknown) => ({ method: 'POST', path: '/api/tags', body: { data: { label } } })
      await guide.ask('POST', '/api/batch', { operations: [make('one'), make(2)] })
      assert.deepEqual(told.splice(0), [])
      await guide.ask('POST', '/api/batch', { operations: [make('one'), make('two')] })
      assert.equal(told.splice(0).length, 2)
    })

    it('of all types hear of every type', async () => {
      await guide.ask('PUT', '/api/setting', { data: { site_name: 'Here', links: [{ label: 'a' }] } })
      assert.deepEqual(told.splice(0), ['update api::setting.setting'])
    })

    it('around reads change the question and the answer', async () => {
      await guide.ask('POST', '/api/comments', { data: { text: 'good', approved: true } })
      await guide.ask('POST', '/api/comments', { data: { text: 'bad' } })
      const { text } = await guide.ask('GET', '/api/comments')
      assert.match(text, /"text":"good".*"seen":true.*"total":1/)
      assert.doesNotMatch(text, /"bad"/)
    })
  })

  it('policies forbid what permissions allow', async () => {
    assert.equal((await guide.ask('POST', '/api/dishes', { data: { name: 'Soup' } })).status, 403)
    assert.equal((await guide.ask('GET', '/api/dishes')).status, 200)
  })

  it('a policy on publishing is asked whichever way something is published', async () => {
    const data = { title: 'Kept back' }
    assert.equal((await guide.ask('POST', '/api/articles', { data })).status, 403)
    const draft = await guide.ask('POST', '/api/articles?status=draft', { data })
    assert.equal(draft.status, 201)
    const url = `/api/articles/${draft.json().data.documentId}`
    assert.equal((await guide.ask('PUT', url, { data })).status, 403)
    assert.equal((await guide.ask('POST', `${url}/actions/publish`)).status, 403)
    assert.equal((await guide.ask('PUT', `${url}?status=draft`, { data })).status, 200)
    assert.equal((await guide.ask('GET', url)).status, 404)
  })

  it('routes have the reads and the scope of the caller at hand, and answer errors like all others', async () => {
    const loudest = await guide.ask('GET', '/api/tags/loudest')
    assert.equal(loudest.status, 200)
    assert.equal(JSON.parse(loudest.text).length, 1)
    const refused = await guide.ask('GET', '/api/tags/loudest', undefined, {
      authorization: 'Bearer nonsense',
    })
    assert.deepEqual([refused.status, refused.json().error.name], [401, 'UnauthorizedError'])
  })
})
