/** Read hooks of users and files, which have their own routes. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Extension } from '../../src/http/extension/extension.ts'
import { request, signUp, type TestUser } from '../access/client.ts'
import { PROJECT, TOKENS } from '../access/project.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'

const mark = (data: unknown) =>
  Array.isArray(data) ? data.map((one) => ({ ...one, marked: true })) : { ...Object(data), marked: true }

const calls: string[] = []
const record = ({ action, documentId }: { action: string; documentId: string | null }) =>
  void calls.push(`${action} ${documentId}`)

const extend: Extension = {
  find: {
    'plugin::users-permissions.user': {
      before: (event) => {
        record(event)
        return event.action === 'find' ? { ...event.params, filters: { username: 'ada' } } : undefined
      },
      after: ({ data }) => mark(data),
    },
    'plugin::upload.file': {
      before: (event) => {
        record(event)
        return event.action === 'find' ? { ...event.params, filters: { name: 'b.csv' } } : undefined
      },
      after: ({ data }) => mark(data),
    },
  },
}

onEachEngine((engine) => {
  let running: TestServer
  let ada: TestUser
  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl(), {}, extend)
    ada = await signUp(running.server, 'ada')
    await signUp(running.server, 'bert')
  })
  after(() => running?.close())
  const get = (url: string, as: string = TOKENS.full) => request(running.server, 'GET', url, { as })

  it('read hooks change the query and the data of users', async () => {
    calls.splice(0)
    const list = await get('/api/users?start=0&limit=5')
    assert.deepEqual([list.at('length'), list.at(0, 'username'), list.at(0, 'marked')], [1, 'ada', true])
    assert.equal((await get('/api/users/count')).text, '1')
    assert.equal((await get(`/api/users/${ada.id}`)).at('marked'), true)
    assert.equal((await get('/api/users/me', ada.jwt)).at('marked'), true)
    const one = `findOne ${ada.documentId}`
    assert.deepEqual(calls, ['find null', 'find null', one, one])
  })

  it('read hooks change the query and the data of files', async () => {
    const part = (name: string) =>
      `--edge\r\ncontent-disposition: form-data; name="files"; filename="${name}"\r\n\r\na,b\r\n`
    const sent = await request(running.server, 'POST', '/api/upload', {
      as: TOKENS.full,
      headers: { 'content-type': 'multipart/form-data; boundary=edge' },
      body: `${part('a.csv')}${part('b.csv')}--edge--\r\n`,
    })
    assert.equal(sent.status, 201, sent.text)
    calls.splice(0)
    const list = await get('/api/upload/files')
    assert.deepEqual([list.at('length'), list.at(0, 'name'), list.at(0, 'marked')], [1, 'b.csv', true])
    const one = await get(`/api/upload/files/${sent.at(0, 'id')}`)
    assert.deepEqual([one.at('name'), one.at('marked')], ['a.csv', true])
    assert.deepEqual(calls, ['find null', `findOne ${sent.at(0, 'documentId')}`])
  })

  it('read hooks apply to the history of documents', async () => {
    const note = 'api::note.note'
    const token = 'history-token-0123456789abcdef0123456789abcdef'
    const text = { type: 'string' }
    const hiding: Extension = {
      find: {
        [note]: {
          before: ({ action, params }) =>
            action === 'find' ? { ...params, filters: { owner: 'ada' } } : undefined,
          after: ({ data }) => ({ ...Object(data), hidden: undefined }),
        },
      },
    }
    const files = new Map<string, unknown>([
      [
        'src/api/note/content-types/note/schema.json',
        {
          kind: 'collectionType',
          info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
          options: { history: true },
          attributes: { title: text, owner: text, hidden: text },
        },
      ],
      ['config/tokens.json', { full: { type: 'full-access', token } }],
    ])
    const kept = await serve(files, await engine.freshUrl(), {}, hiding)
    try {
      const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, data?: object) =>
        request(kept.server, method, `/api/notes${url}`, { as: token, ...(data && { body: { data } }) })
      for (const owner of ['ada', 'bert']) {
        const created = await send('POST', '', { title: 'first', owner, hidden: 'hidden before' })
        const path = `/${String(created.at('data', 'documentId'))}`
        await send('PUT', path, { title: 'second', hidden: 'hidden after' })
        const version = (await send('GET', `${path}/history`)).at('data', 0, 'version')
        const changes = await send('GET', `${path}/history/${String(version)}/changes`)
        assert.equal(changes.at('data', 0, 'after'), 'second')
        assert.doesNotMatch(changes.text, /hidden/)
        await send('DELETE', path)
      }
      const deleted = await send('GET', '/deleted')
      assert.equal(deleted.at('meta', 'pagination', 'total'), 1)
      assert.equal(deleted.at('data', 0, 'document', 'owner'), 'ada')
      assert.doesNotMatch(deleted.text, /bert|hidden/)
    } finally {
      await kept.close()
    }
  })

  it('the filters that a read hook adds apply to all requests for the history of a document', async () => {
    const token = 'history-token-0123456789abcdef0123456789abcdef'
    const filtering: Extension = {
      find: {
        'api::note.note': {
          before: ({ params }) => {
            const all = [params.filters, { owner: 'ada' }].filter((one) => one !== undefined)
            return { ...params, filters: { $and: all } }
          },
        },
        'api::motto.motto': { before: ({ params }) => ({ ...params, filters: { owner: 'ada' } }) },
      },
    }
    const schema = (kind: string, singularName: string) => ({
      kind,
      info: { singularName, pluralName: `${singularName}s`, displayName: singularName },
      options: { history: true },
      attributes: { title: { type: 'string' }, owner: { type: 'string' } },
    })
    const files = new Map<string, unknown>([
      ['src/api/note/content-types/note/schema.json', schema('collectionType', 'note')],
      ['src/api/motto/content-types/motto/schema.json', schema('singleType', 'motto')],
      ['config/tokens.json', { full: { type: 'full-access', token } }],
    ])
    const kept = await serve(files, await engine.freshUrl(), {}, filtering)
    try {
      const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, data?: object) =>
        request(kept.server, method, `/api/${url}`, { as: token, ...(data && { body: { data } }) })
      const note = async (...owners: readonly string[]) => {
        const made = await send('POST', 'notes', { title: 'first', owner: owners[0] })
        const path = `notes/${String(made.at('data', 'documentId'))}`
        for (const owner of owners.slice(1)) await send('PUT', path, { owner })
        return path
      }
      const versionsOf = async (path: string) => {
        const { text } = await send('GET', `${path}/history?filters[owner]=bert`)
        const list: readonly { version: number }[] = JSON.parse(text).data ?? []
        return list.map(({ version }) => version)
      }
      const mixed = await note('bert', 'ada', 'bert', 'ada')
      const visible = await versionsOf(mixed)
      assert.equal(visible.length, 2)
      const { text } = await send('GET', `${mixed}/history?pagination[pageSize]=1`)
      assert.equal(JSON.parse(text).meta.pagination.total, 2)
      // The state between the two belongs to bert.
      const [newest = 0] = visible
      for (const path of [
        `${newest - 1}`,
        `${newest - 1}/changes`,
        `${newest}/changes?against=${newest - 1}`,
      ])
        assert.equal((await send('GET', `${mixed}/history/${path}`)).status, 404, path)
      const changes = await send('GET', `${mixed}/history/${newest}/changes`)
      assert.equal(changes.at('meta', 'against'), null)
      assert.doesNotMatch(changes.text, /bert/)
      assert.equal((await send('POST', `${mixed}/history/${newest - 1}/restore`)).status, 404)
      const lost = await note('ada', 'bert')
      assert.equal((await send('GET', `${lost}/history`)).status, 404)
      assert.equal((await send('GET', `${lost}/history/${newest + 1}`)).status, 404)
      await send('PUT', 'motto', { title: 'first', owner: 'bert' })
      assert.equal((await send('GET', 'motto/history')).status, 404)
      await send('PUT', 'motto', { owner: 'ada' })
      assert.equal((await versionsOf('motto')).length, 1)
    } finally {
      await kept.close()
    }
  })
})
