/** What people see first in the admin app: their own work, what waits, what is planned, and what others did. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import type { TestServer } from '../support/server.ts'
import { join, type Method, type Person, send, startTeamServer } from './team.ts'

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
  const homeOf = async (person: Person) => {
    const response = await as(person, 'GET', '/home')
    assert.equal(response.status, 200, response.text)
    return JSON.parse(response.text).data
  }
  const titles = (list: readonly { title: string; name?: string }[]) =>
    list.map(({ title, name }) => title ?? name)

  it('a project without documents is new', async () => {
    const { isNew, ...lists } = await homeOf(editor)
    assert.deepEqual([isNew, lists], [true, { mine: [], waiting: [], planned: [], others: [] }])
    assert.equal((await send(running, 'GET', '/home', null)).status, 401)
  })

  it('people see their own work, and what others changed, the newest first', async () => {
    const first = await create(editor, 'articles', { title: 'First' })
    await create(editor, 'articles', { title: 'Second' })
    const french = { data: { title: 'Premier' } }
    assert.equal((await as(editor, 'PUT', `/content/articles/${first}?locale=fr`, french)).status, 200)
    await create(author, 'articles', { title: 'By the author' })
    await create(author, 'tags', { name: 'A tag' })
    const home = await homeOf(editor)
    assert.deepEqual(titles(home.mine), ['Premier', 'Second', 'First'])
    assert.deepEqual(titles(home.others), ['A tag', 'By the author'])
    assert.equal(home.isNew, false)
    const { at, ...change } = home.mine[0]
    assert.ok(Date.parse(at) <= Date.now())
    assert.deepEqual(change, {
      ...{ type: 'api::article.article', documentId: first, locale: 'fr', action: 'create' },
      by: { kind: 'user', id: editor.documentId, name: 'editor' },
      ...{ title: 'Premier', status: 'draft' },
    })
    assert.equal(home.others[0].status, null, 'tags have no drafts')
    assert.deepEqual(titles((await homeOf(author)).mine), ['A tag', 'By the author'])
  })

  it('drafts wait for those who may publish them, and for those who wrote them', async () => {
    const published = await create(editor, 'topics', { name: 'Published' })
    assert.equal((await as(editor, 'POST', `/content/topics/${published}/actions/publish`)).status, 200)
    const changed = await create(editor, 'topics', { name: 'Changed' })
    await as(editor, 'POST', `/content/topics/${changed}/actions/publish`)
    await as(editor, 'PUT', `/content/topics/${changed}`, { data: { name: 'Changed since' } })
    const { waiting } = await homeOf(editor)
    assert.deepEqual(titles(waiting), ['Changed since', 'By the author', 'Premier', 'Second', 'First'])
    assert.deepEqual([waiting[0].status, waiting[1].status], ['modified', 'draft'])
    assert.deepEqual(titles((await homeOf(author)).waiting), ['By the author'])
  })

  it('nobody sees what they may not find, or what no longer exists', async () => {
    assert.ok(titles((await homeOf(reviewer)).others).includes('Changed since'))
    await running.server.access.roles.setPermissions('reviewer', { 'api::topic.topic': [] })
    const home = await homeOf(reviewer)
    assert.doesNotMatch(JSON.stringify(home), /Changed since|A tag/)
    const deleted = await create(editor, 'articles', { title: 'Short-lived' })
    assert.equal((await as(editor, 'DELETE', `/content/articles/${deleted}`)).status, 204)
    assert.doesNotMatch(JSON.stringify(await homeOf(editor)), /Short-lived/)
  })

  it('what is planned is listed in the order of its times', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const topic = await create(editor, 'topics', { name: 'Later' })
    await as(editor, 'POST', `/content/topics/${topic}/actions/schedule`, { publishAt: inDays(3) })
    const entries = [{ type: 'topics', documentId: topic }]
    const data = { name: 'Together', entries, publishAt: inDays(2) }
    assert.equal((await as(editor, 'POST', '/releases', { data })).status, 201)
    const { planned } = await homeOf(editor)
    assert.deepEqual(
      planned.map(({ kind, action }: { kind: string; action?: string }) => [kind, action]),
      [
        ['release', undefined],
        ['document', 'publish'],
      ],
    )
    assert.deepEqual(titles(planned), ['Together', 'Later'])
    assert.doesNotMatch(JSON.stringify((await homeOf(reviewer)).planned), /Later/)
  })
})
