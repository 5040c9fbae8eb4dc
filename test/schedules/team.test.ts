/** Schedules and releases of people who are signed in to the admin app: each sees and changes what the role permits. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Account } from '../../src/access/users/accounts.ts'
import { systemScope } from '../../src/query/scope.ts'
import { join, type Method, type Person, send, startTeamServer } from '../admin/team.ts'
import { onEachEngine } from '../support/engines.ts'
import type { TestServer } from '../support/server.ts'
import { waitUntil } from '../support/wait-until.ts'

const ARTICLE = 'api::article.article'
const TOPIC = 'api::topic.topic'

onEachEngine((engine) => {
  let running: TestServer
  let editor: Person
  let author: Person
  let reviewer: Person
  before(async () => {
    running = await startTeamServer(engine)
    editor = await join(running, 'editor')
    author = await join(running, 'author')
    reviewer = await join(running, 'reviewer')
  })
  after(() => running.close())

  const as = (person: Person, method: Method, path: string, body?: unknown) =>
    send(running, method, path, person.cookie, body)
  const create = async (person: Person, name: string, data: object) =>
    String((await as(person, 'POST', `/content/${name}`, { data })).at('data', 'documentId'))
  const inAYear = () => new Date(Date.now() + 365 * 86_400_000).toISOString()

  async function createRelease(person: Person, entries: readonly object[]): Promise<string> {
    const response = await as(person, 'POST', '/releases', { data: { name: 'Team', entries } })
    assert.equal(response.status, 201, response.text)
    return `/releases/${response.at('data', 'id')}`
  }

  it('a release is changed and published by those who may publish each of its documents', async () => {
    const article = await create(editor, 'articles', { title: 'An article' })
    const topic = await create(editor, 'topics', { name: 'A topic' })
    const path = await createRelease(editor, [
      { type: ARTICLE, documentId: article },
      { type: TOPIC, documentId: topic },
    ])
    const entry = { data: { type: ARTICLE, documentId: article, action: 'unpublish' } }
    for (const person of [author, reviewer]) {
      const opened = await as(person, 'GET', path)
      assert.deepEqual([opened.status, opened.at('meta', 'mayChange')], [200, false])
      assert.equal((await as(person, 'POST', `${path}/actions/publish`)).status, 403)
      assert.equal((await as(person, 'POST', `${path}/actions/cancel`)).status, 403)
      assert.equal((await as(person, 'PUT', path, { data: { name: 'Mine' } })).status, 403)
      assert.equal((await as(person, 'POST', `${path}/entries`, entry)).status, 403)
      assert.equal((await as(person, 'DELETE', path)).status, 403)
    }
    assert.equal(
      (await as(author, 'POST', '/releases', { data: { name: 'No', entries: [entry.data] } })).status,
      403,
    )
    const own = await createRelease(reviewer, [{ type: ARTICLE, documentId: article }])
    assert.equal((await as(reviewer, 'GET', own)).at('meta', 'mayChange'), true)
    const published = await as(editor, 'POST', `${path}/actions/publish`)
    assert.equal(published.at('data', 'state'), 'published', published.text)
    assert.deepEqual(published.at('data', 'publishedBy'), {
      ...{ kind: 'user', id: editor.documentId, name: 'editor' },
    })
  })

  it('nobody learns of documents that they may not find', async () => {
    const { roles } = running.server.access
    const article = await create(editor, 'articles', { title: 'Everyone knows' })
    const topic = await create(editor, 'topics', { name: 'A hidden topic' })
    const path = await createRelease(editor, [
      { type: ARTICLE, documentId: article },
      { type: TOPIC, documentId: topic },
    ])
    const publishAt = inAYear()
    await as(editor, 'POST', `/content/topics/${topic}/actions/schedule`, { publishAt })
    await as(editor, 'POST', `/content/articles/${article}/actions/schedule`, { publishAt })
    await roles.setPermissions('reviewer', { [ARTICLE]: ['find', 'findOne', 'publish'], [TOPIC]: [] })
    const opened = await as(reviewer, 'GET', path)
    assert.deepEqual(
      [opened.at('meta', 'omitted'), opened.at('data', 'entries', 0, 'title')],
      [1, 'Everyone knows'],
    )
    const schedules = await as(reviewer, 'GET', '/schedules')
    assert.equal(schedules.at('meta', 'total'), 1)
    const ruled = {
      [TOPIC]: [{ action: 'find', filters: { name: 'another' } }, 'publish'],
      [ARTICLE]: ['find'],
    }
    await roles.setPermissions('reviewer', ruled)
    for (const url of [path, '/schedules', '/notices', '/releases']) {
      const { text } = await as(reviewer, 'GET', url)
      for (const hidden of [topic, 'A hidden topic']) assert.ok(!text.includes(hidden), `${url}: ${text}`)
    }
    assert.equal((await as(reviewer, 'DELETE', `/schedules/${schedules.at('data', 0, 'id')}`)).status, 403)
  })

  it('who may create but not update publishes no existing document, alone or in a release', async () => {
    const { roles } = running.server.access
    await roles.setPermissions('reviewer', { [TOPIC]: ['find', 'findOne', 'create', 'update'] })
    const [topic, own] = [
      await create(editor, 'topics', { name: 'Not ready' }),
      await create(editor, 'topics', { name: 'Scheduled' }),
    ]
    const entries = [{ type: TOPIC, documentId: topic }]
    const release = await createRelease(reviewer, entries)
    const publishAt = new Date(Date.now() + 1_500).toISOString()
    const schedule = (documentId: string, time: string) =>
      as(reviewer, 'POST', `/content/topics/${documentId}/actions/schedule`, { publishAt: time })
    assert.equal((await schedule(own, publishAt)).status, 200)
    assert.equal((await schedule(topic, inAYear())).status, 200)
    const listed = await as(reviewer, 'GET', `/schedules?documentId=${topic}`)
    await roles.setPermissions('reviewer', { [TOPIC]: ['find', 'findOne', 'create'] })
    for (const [method, path, body] of [
      ['POST', `/content/topics/${topic}/actions/publish`],
      ['POST', '/releases', { data: { name: 'No', entries } }],
      ['POST', `${release}/entries`, { data: entries[0] }],
      ['POST', `${release}/actions/publish`],
      ['POST', `${release}/actions/schedule`, { data: { publishAt: inAYear() } }],
      ['DELETE', `/schedules/${listed.at('data', 0, 'id')}`],
    ] as const)
      assert.equal((await as(reviewer, method, path, body)).status, 403, `${method} ${path}`)
    assert.equal((await as(reviewer, 'GET', release)).at('meta', 'mayChange'), false)
    await waitUntil(async () => (await as(editor, 'GET', '/notices')).text.includes(own))
    const read = await as(editor, 'GET', '/content/topics?filters[name][$in][0]=Scheduled&status=published')
    assert.deepEqual(read.at('data'), [])
  })

  it('a row rule on publishing covers schedules and releases', async () => {
    const { roles } = running.server.access
    await roles.setPermissions('author', {
      [TOPIC]: [
        'find',
        'findOne',
        'create',
        'update',
        '-publish',
        { action: 'publish', filters: { name: 'Mine' } },
      ],
    })
    const [mine, other] = [
      await create(author, 'topics', { name: 'Mine' }),
      await create(author, 'topics', { name: 'Other' }),
    ]
    const schedule = (id: string) =>
      as(author, 'POST', `/content/topics/${id}/actions/schedule`, { publishAt: inAYear() })
    assert.equal((await schedule(other)).status, 403)
    assert.equal((await schedule(mine)).status, 200)
    const entries = (id: string) => ({ data: { name: 'A', entries: [{ type: TOPIC, documentId: id }] } })
    assert.equal((await as(author, 'POST', '/releases', entries(other))).status, 403)
    const path = await createRelease(author, [{ type: TOPIC, documentId: mine }])
    await as(author, 'PUT', `/content/topics/${mine}`, { data: { name: 'No longer mine' } })
    const refused = await as(author, 'POST', `${path}/actions/publish`)
    assert.equal(refused.status, 400, refused.text)
    assert.match(refused.text, /does not exist, or may not be changed/)
  })

  it('what a user has scheduled is not done once the user is blocked', async () => {
    const { accounts, users } = running.server.access
    const topic = await create(editor, 'topics', { name: 'Abandoned' })
    const publishAt = new Date(Date.now() + 1_500).toISOString()
    await as(editor, 'POST', `/content/topics/${topic}/actions/schedule`, { publishAt })
    const account: Account | null = await accounts.byDocumentId(editor.documentId)
    assert.ok(account)
    await users.update(account, { blocked: true }, { scope: systemScope, isAdmin: true }, async () => null)
    const admin = await join(running, 'admin')
    await waitUntil(async () => (await as(admin, 'GET', '/notices')).text.includes(topic))
    assert.match((await as(admin, 'GET', '/notices')).text, /The user that scheduled it is no longer valid/)
    const version = await as(admin, 'GET', `/content/topics/${topic}?status=published`)
    assert.equal(version.status, 404)
  })
})
