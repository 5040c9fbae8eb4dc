/** Policies on `find` apply wherever documents of their type can be read. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { PolicyQuestion } from '../../src/http/extension/hooks-and-policies.ts'
import { request } from '../access/client.ts'
import { PROJECT } from '../access/project.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve } from '../support/server.ts'
import { ALBUM, NOTE, startPolicyServer, TOPIC } from './policy-server.ts'

onEachEngine((engine) => {
  const p = startPolicyServer(engine)

  describe('a policy on find', () => {
    let note: string
    let topic: string
    before(async () => {
      topic = await p.make('/api/topics', { name: 'hidden-name' })
      note = await p.make('/api/notes', { title: 'shown', topic, owner: p.ada.documentId })
    })

    it('omits its type from populated relations and names it in Octavo-Omitted', async () => {
      const url = '/api/notes?populate[0]=topic&populate[1]=owner'
      assert.match((await p.get(url)).text, /hidden-name/)
      p.refused.add(`${TOPIC} find`)
      for (const path of [url, `/api/notes/${note}?populate=*`, url.replace('=topic', '=topic.notes')]) {
        const response = await p.get(path)
        assert.equal(response.status, 200, response.text)
        assert.doesNotMatch(response.text, /hidden-name/)
        assert.match(String(response.headers['octavo-omitted']), /\btopic\b/)
      }
      const users = await p.get(`/api/users/${p.ada.id}?populate[notes][populate]=topic`)
      assert.match(users.text, /shown/)
      assert.doesNotMatch(users.text, /hidden-name/)
      p.refused.add(`${NOTE} find`)
      const own = await request(p.server, 'GET', '/api/users/me?populate=notes', { as: p.ada.jwt })
      assert.equal(own.status, 200)
      assert.doesNotMatch(own.text, /shown/)
    })

    it('refuses filters and sorts through its type', async () => {
      const urls = [
        '/api/notes?filters[topic][name][$startsWith]=hid',
        '/api/notes?filters[$or][0][topic][documentId]=x',
        '/api/notes?sort=topic.name',
        `/api/topics?filters[notes][topic][name]=x`,
        '/api/users?filters[notes][topic][name]=x',
        '/api/users/count?filters[notes][topic][name]=x',
      ]
      for (const url of urls) assert.equal((await p.get(url)).status, 200, url)
      p.refused.add(`${TOPIC} find`)
      for (const url of urls) {
        const { status, text } = await p.get(url)
        if (url.startsWith('/api/topics')) assert.equal(status, 403)
        else assert.deepEqual([status, /Invalid key topic/.test(text)], [400, true], url)
      }
    })

    it('applies to the results of writes and to relations in bodies', async () => {
      p.refused.add(`${TOPIC} find`)
      const change = (data: unknown) => p.full('PUT', `/api/notes/${note}?populate=topic`, { data })
      const response = await change({ title: 'shown again' })
      assert.equal(response.status, 200, response.text)
      assert.doesNotMatch(response.text, /hidden-name/)
      const named = await change({ topic: { connect: [topic] } })
      assert.match(String(named.at('error', 'message')), /Invalid key topic/)
    })

    it('applies to the documents that a file is attached to', async () => {
      const refId = await p.make('/api/albums', { title: 'shows a file' })
      const sent = await p.upload({ ref: ALBUM, refId, field: 'sheets' })
      const url = `/api/upload/files/${sent.at(0, 'id')}?populate=related`
      assert.match((await p.get(url)).text, /shows a file/)
      p.refused.add(`${ALBUM} find`)
      assert.doesNotMatch((await p.get(url)).text, /shows a file/)
    })

    it('runs once for each type that a request accesses, and for no other', async () => {
      await p.get(
        '/api/notes?populate[topic][populate][notes][populate]=topic&filters[topic][name]=x&sort=topic.name',
      )
      assert.deepEqual(p.calls.map(({ type, action }) => `${type} ${action}`).sort(), [
        `${NOTE} find`,
        `${TOPIC} find`,
      ])
      p.calls.splice(0)
      await p.get('/api/notes?fields=title')
      assert.deepEqual(
        p.calls.map(({ type }) => type),
        [NOTE],
      )
    })

    it('decides about each request, also when a response is cached', async () => {
      const url = '/api/notes?populate=topic'
      for (const isRefused of [false, true, true, false, false, true]) {
        if (isRefused) p.refused.add(`${TOPIC} find`)
        else p.refused.clear()
        assert.equal((await p.get(url)).text.includes('hidden-name'), !isRefused)
      }
    })

    it('decides about each caller, also with equal permissions', async (t) => {
      const [first, second] = ['another-full-token-of-these-tests-0', 'and-one-more-full-token-of-the-tests']
      const tokens = {
        first: { type: 'full-access', token: first },
        second: { type: 'full-access', token: second },
      }
      const find = ({ scope: { principal } }: PolicyQuestion) =>
        principal.kind === 'token' && principal.name === 'first'
      const project = new Map(PROJECT).set('config/tokens.json', tokens)
      const policies = { 'api::vault.vault': { find } }
      const other = await serve(project, await engine.freshUrl(), {}, { policies })
      t.after(() => other.close())
      const make = async (url: string, data: unknown) =>
        (await request(other.server, 'POST', url, { as: first, body: { data } })).at('data', 'documentId')
      await make('/api/notes', { title: 'map', vault: await make('/api/vaults', { content: 'gold' }) })
      for (const as of [first, second, second, first]) {
        const { text } = await request(other.server, 'GET', '/api/notes?populate=vault', { as })
        assert.equal(text.includes('gold'), as === first)
      }
    })
  })
})
