import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type DocumentEvent, type Extension, errors } from '../../src/index.ts'
import { onEachEngine } from '../support/engines.ts'
import { type ReferenceServer, startReferenceServer } from '../support/reference-server.ts'

onEachEngine((engine) => {
  let api: ReferenceServer
  const calls: string[] = []
  const extend: Extension = {
    hooks: {
      'api::tag.tag': {
        before: {
          create: ({ data }) => ({ ...(data instanceof Object ? data : {}), color: 'green' }),
          update: ({ data }) => {
            if (data instanceof Object && 'label' in data && data.label === 'forbidden')
              throw errors.invalid('That label is not allowed')
          },
        },
        after: {
          create: ({ documentId }: DocumentEvent) => void calls.push(`create ${documentId}`),
          delete: () => {
            throw new Error('this error is only logged')
          },
        },
      },
      '*': { after: { update: ({ type, action }) => void calls.push(`${action} ${type}`) } },
    },
    find: {
      'api::comment.comment': {
        before: ({ params, scope }) =>
          scope.principal.kind === 'token' ? { ...params, filters: { approved: 'true' } } : undefined,
        after: ({ data }) =>
          Array.isArray(data) ? data.map((one) => ({ ...one, checked: true })) : undefined,
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
        const { data } = await server
          .reads()
          .list(type, { sort: 'label:desc', pagination: { limit: 1 } }, scope)
        return JSON.parse(data)
      })
    },
  }
  before(async () => {
    api = await startReferenceServer(await engine.freshUrl(), {}, extend)
  })
  after(() => api.close())

  describe('hooks', () => {
    it('before a write can change the data', async () => {
      const { data } = (await api.send('POST', '/api/tags', { data: { label: 'x', color: 'red' } })).json()
      assert.equal(data.color, 'green')
      assert.deepEqual(calls.splice(0), [`create ${data.documentId}`])
    })

    it('before a write can refuse it', async () => {
      const { documentId } = (await api.send('POST', '/api/tags', { data: { label: 'y' } })).json().data
      const refused = await api.send('PUT', `/api/tags/${documentId}`, { data: { label: 'forbidden' } })
      assert.deepEqual([refused.status, refused.json().error.message], [400, 'That label is not allowed'])
      assert.match((await api.send('GET', `/api/tags/${documentId}`)).text, /"label":"y"/)
    })

    it('after a write cannot undo it', async () => {
      const { documentId } = (await api.send('POST', '/api/tags', { data: { label: 'z' } })).json().data
      assert.equal((await api.send('DELETE', `/api/tags/${documentId}`)).status, 204)
      assert.equal((await api.send('GET', `/api/tags/${documentId}`)).status, 404)
    })

    it('after a write run when its batch is durable, and not when the batch failed', async () => {
      calls.splice(0)
      const make = (label: unknown) => ({ method: 'POST', path: '/api/tags', body: { data: { label } } })
      await api.send('POST', '/api/batch', { operations: [make('one'), make(2)] })
      assert.deepEqual(calls.splice(0), [])
      await api.send('POST', '/api/batch', { operations: [make('one'), make('two')] })
      assert.equal(calls.splice(0).length, 2)
    })

    it('for all types run for every type', async () => {
      await api.send('PUT', '/api/setting', { data: { site_name: 'Here', links: [{ label: 'a' }] } })
      assert.deepEqual(calls.splice(0), ['update api::setting.setting'])
    })

    it('around reads can change the query and the data', async () => {
      await api.send('POST', '/api/comments', { data: { text: 'good', approved: true } })
      await api.send('POST', '/api/comments', { data: { text: 'bad' } })
      const { text } = await api.send('GET', '/api/comments')
      assert.match(text, /"text":"good".*"checked":true.*"total":1/)
      assert.doesNotMatch(text, /"bad"/)
    })
  })

  it('policies refuse what permissions allow', async () => {
    assert.equal((await api.send('POST', '/api/dishes', { data: { name: 'Soup' } })).status, 403)
    assert.equal((await api.send('GET', '/api/dishes')).status, 200)
  })

  it('a publish policy applies to every way of publishing', async () => {
    const data = { title: 'Unpublished' }
    assert.equal((await api.send('POST', '/api/articles', { data })).status, 403)
    const draft = await api.send('POST', '/api/articles?status=draft', { data })
    assert.equal(draft.status, 201)
    const url = `/api/articles/${draft.json().data.documentId}`
    assert.equal((await api.send('PUT', url, { data })).status, 403)
    assert.equal((await api.send('POST', `${url}/actions/publish`)).status, 403)
    assert.equal((await api.send('PUT', `${url}?status=draft`, { data })).status, 200)
    assert.equal((await api.send('GET', url)).status, 404)
  })

  it('routes can read as the caller, and their errors have the common format', async () => {
    const loudest = await api.send('GET', '/api/tags/loudest')
    assert.equal(loudest.status, 200)
    assert.equal(JSON.parse(loudest.text).length, 1)
    const refused = await api.send('GET', '/api/tags/loudest', undefined, {
      authorization: 'Bearer nonsense',
    })
    assert.deepEqual([refused.status, refused.json().error.name], [401, 'UnauthorizedError'])
  })
})
