/** The content of the admin app: what a session may read and write, and what `__meta` contains. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { PolicyQuestion } from '../../src/http/extension/hooks-and-policies.ts'
import { onEachEngine } from '../support/engines.ts'
import type { TestServer } from '../support/server.ts'
import { join, type Method, type Person, send, startTeamServer } from './team.ts'

onEachEngine((engine) => {
  let running: TestServer
  let admin: Person
  let editor: Person
  let author: Person

  before(async () => {
    running = await startTeamServer(engine)
    admin = await join(running, 'admin')
    editor = await join(running, 'editor')
    author = await join(running, 'author')
  })
  after(() => running?.close())

  const as = (person: Person) => (method: Method, path: string, body?: unknown) =>
    send(running, method, `/content${path}`, person.cookie, body)

  const create = async (person: Person, type: string, data: object) => {
    const response = await as(person)('POST', `/${type}`, { data })
    assert.equal(response.status, 201, response.text)
    return String(response.at('data', 'documentId'))
  }

  it('a document is a draft, then published, then modified, in each locale by itself', async () => {
    const send = as(editor)
    const id = await create(editor, 'articles', { title: 'One' })
    const meta = async () => (await send('GET', `/articles/${id}`)).at('data', '__meta')
    const person = { id: editor.id, name: 'editor' }
    const draft = {
      status: 'draft',
      createdBy: person,
      updatedBy: person,
      locales: { en: 'draft' },
      usedBy: 0,
    }
    assert.deepEqual(await meta(), draft)
    assert.equal((await send('POST', `/articles/${id}/actions/publish`)).status, 200)
    assert.deepEqual(await meta(), { ...draft, status: 'published', locales: { en: 'published' } })
    await send('PUT', `/articles/${id}?locale=fr`, { data: { title: 'Une' } })
    await as(admin)('PUT', `/articles/${id}`, { data: { title: 'Uno' } })
    assert.deepEqual(await meta(), {
      ...draft,
      status: 'modified',
      updatedBy: { id: admin.id, name: 'admin' },
      locales: { en: 'modified', fr: 'draft' },
    })
  })

  it('a list shows the same, also of related documents, and how often a document is used', async () => {
    const topic = await create(editor, 'topics', { name: 'News' })
    await create(author, 'articles', { title: 'By the author', topic })
    const list = await as(editor)(
      'GET',
      '/articles?filters[title]=By the author&populate=topic'.replaceAll(' ', '%20'),
    )
    assert.deepEqual(list.at('data', 0, '__meta', 'createdBy'), { id: author.id, name: 'author' })
    assert.deepEqual(list.at('data', 0, 'topic', '__meta'), {
      status: 'draft',
      createdBy: { id: editor.id, name: 'editor' },
      updatedBy: { id: editor.id, name: 'editor' },
    })
    assert.equal((await as(editor)('GET', `/topics/${topic}`)).at('data', '__meta', 'usedBy'), 1)
  })

  it('an author writes own documents, and neither those of others nor a published version', async () => {
    const own = await create(author, 'articles', { title: 'Mine' })
    const other = await create(editor, 'articles', { title: 'Not mine' })
    const send = as(author)
    assert.equal((await send('PUT', `/articles/${own}`, { data: { title: 'Still mine' } })).status, 200)
    assert.equal((await send('GET', `/articles/${other}`)).status, 200)
    for (const [method, path] of [
      ['PUT', `/articles/${other}`],
      ['DELETE', `/articles/${other}`],
      ['POST', `/articles/${own}/actions/publish`],
      ['PUT', `/articles/${own}?status=published`],
    ] as const) {
      const response = await send(method, path, { data: { title: 'No' } })
      assert.ok([403, 404].includes(response.status), `${method} ${path} ${response.text}`)
    }
    assert.equal((await as(editor)('GET', `/articles/${other}`)).at('data', 'title'), 'Not mine')
    assert.equal((await send('DELETE', `/articles/${own}`)).status, 204)
  })

  it('documents can be filtered by who created them', async () => {
    const { at } = await as(admin)(
      'GET',
      `/articles?filters[createdBy][$eq]=${author.id}&pagination[pageSize]=100`,
    )
    const list = at('data')
    assert.ok(Array.isArray(list) && list.length > 0)
    for (const one of list) assert.equal(one.__meta.createdBy.id, author.id)
    const invalid = await as(admin)('GET', '/articles?filters[createdBy][$eq]=me')
    assert.equal(invalid.status, 400)
  })

  it('private attributes are shown to editors, and to no other caller', async () => {
    const id = await create(editor, 'articles', { title: 'Internal', notes: 'For "us" only', rank: 7 })
    const one = await as(editor)('GET', `/articles/${id}`)
    assert.deepEqual([one.at('data', 'notes'), one.at('data', 'rank')], ['For "us" only', 7])
    const some = await as(editor)('GET', `/articles/${id}?fields=notes,checked`)
    assert.deepEqual([some.at('data', 'notes'), some.at('data', 'checked')], ['For "us" only', null])
    const found = await as(editor)('GET', '/articles?filters[notes][$contains]=us&fields=title')
    assert.equal(found.at('data', 0, 'documentId'), id)
    assert.equal((await as(editor)('GET', '/articles?fields=pin')).status, 400)
    const { secret } = await running.server.access.tokens.create({ name: 'api', kind: 'full-access' })
    const response = await fetch(`${running.base}/api/articles/${id}?status=draft`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    assert.equal(response.status, 200)
    assert.doesNotMatch(await response.text(), /notes|rank|For/)
  })

  it('a policy that hides a related content-type takes nothing else from what editors see', async () => {
    const find = ({ scope }: PolicyQuestion) => scope.principal.kind !== 'user'
    const limited = await startTeamServer(engine, {}, { policies: { 'api::tag.tag': { find } } })
    try {
      const { cookie } = await join(limited, 'editor')
      const content = (method: Method, path: string, body?: unknown) =>
        send(limited, method, `/content${path}`, cookie, body)
      const topic = await content('POST', '/topics', { data: { name: 'News' } })
      const data = { title: 'Internal', notes: 'For us', topic: topic.at('data', 'documentId') }
      const created = await content('POST', '/articles', { data })
      const id = created.at('data', 'documentId')
      const read = await content('GET', `/articles/${id}?populate=*`)
      for (const { at, text } of [created, read]) {
        assert.equal(at('data', 'notes'), 'For us', text)
        assert.equal(at('data', '__meta', 'status'), 'draft', text)
      }
      const usedBy = await content('GET', `/topics/${topic.at('data', 'documentId')}/used-by`)
      assert.equal(usedBy.at('data', 0, 'documentId'), id, usedBy.text)
    } finally {
      await limited.close()
    }
  })

  it('`__meta` reveals nothing about drafts to people who may not read them', async () => {
    const reviewer = await join(running, 'reviewer')
    const { roles } = running.server.access
    const published = ['find', 'findOne', 'update', '-readDrafts']
    await roles.setPermissions('reviewer', {
      'api::article.article': published,
      'api::topic.topic': published,
      'api::tag.tag': ['find', 'findOne'],
    })
    const tag = await create(editor, 'tags', { name: 'Rare' })
    const topic = await create(editor, 'topics', { name: 'Quiet' })
    const id = await create(editor, 'articles', { title: 'Shown', topic })
    for (const path of [`/topics/${topic}`, `/articles/${id}`])
      assert.equal((await as(editor)('POST', `${path}/actions/publish`)).status, 200)
    await as(editor)('PUT', `/topics/${topic}`, { data: { name: 'Changed' } })
    await as(editor)('PUT', `/articles/${id}`, { data: { title: 'Changed', tags: [tag] } })
    await as(editor)('PUT', `/articles/${id}?locale=fr`, { data: { title: 'Caché' } })
    const read = await as(reviewer)('GET', `/articles/${id}?status=published&populate=topic`)
    assert.equal(read.at('data', '__meta', 'status'), 'published', read.text)
    assert.deepEqual(read.at('data', '__meta', 'locales'), { en: 'published' })
    assert.equal(read.at('data', 'topic', '__meta', 'status'), 'published')
    assert.equal((await as(reviewer)('GET', `/tags/${tag}`)).at('data', '__meta', 'usedBy'), 0)
    assert.equal((await as(editor)('GET', `/tags/${tag}`)).at('data', '__meta', 'usedBy'), 1)
    const written = await as(reviewer)('PUT', `/articles/${id}?status=draft`, { data: { title: 'Mine' } })
    assert.equal(written.at('data', '__meta'), undefined, written.text)
  })

  it('a file in a folder has the same `__meta` as in the list of all files', async () => {
    const form = new FormData()
    form.append('files', new Blob(['text']), 'note.txt')
    form.append('path', '/letters')
    const headers = { origin: running.base, cookie: editor.cookie }
    await fetch(`${running.base}/admin/api/upload`, { method: 'POST', headers, body: form })
    const list = (query: string) =>
      send(running, 'GET', `/upload/files/page?fields=name&${query}`, editor.cookie)
    const meta = { folder: '/letters', crop: null }
    for (const query of ['filters[name]=note.txt', 'folder=/letters'])
      assert.deepEqual((await list(query)).at('data', 0, '__meta'), meta, query)
  })

  it('users can be listed for relations to them, by their names only', async () => {
    const list = await as(editor)('GET', '/users?_q=auth&fields=username')
    assert.deepEqual(
      [list.status, list.at('data', 0, 'username'), list.at('data', 0, 'email')],
      [200, 'author', undefined],
    )
    assert.equal((await as(editor)('GET', '/users?fields=email')).status, 400)
    assert.doesNotMatch((await as(editor)('GET', '/users')).text, /@example|password/)
  })

  it('a single type is written and read without an id', async () => {
    assert.equal((await as(editor)('GET', '/homepage')).status, 404)
    assert.equal((await as(editor)('PUT', '/homepage', { data: { headline: 'Hello' } })).status, 200)
    assert.equal((await as(editor)('GET', '/homepage')).at('data', 'headline'), 'Hello')
  })

  it('people see by name who saved each state of a document, and who deleted it', async () => {
    const id = await create(author, 'articles', { title: 'Saved twice' })
    await as(editor)('PUT', `/articles/${id}`, { data: { title: 'Saved by another' } })
    const authors = JSON.parse((await as(author)('GET', `/articles/${id}/history`)).text).data.map(
      ({ by }: { by: object }) => by,
    )
    const [byEditor, byAuthor] = [
      { kind: 'user', id: editor.documentId, name: 'editor' },
      { kind: 'user', id: author.documentId, name: 'author' },
    ]
    assert.deepEqual(authors, [byEditor, byAuthor])
    assert.equal((await as(editor)('DELETE', `/articles/${id}`)).status, 204)
    const deleted = await as(editor)('GET', '/articles/deleted')
    assert.deepEqual(deleted.at('data', 0, 'by'), byEditor)
    assert.equal(deleted.at('data', 0, 'document', 'title'), 'Saved by another')
  })

  it('the content API shows nothing of it', async () => {
    const { secret } = await running.server.access.tokens.create({ name: 'reader', kind: 'full-access' })
    const response = await fetch(`${running.base}/api/articles?status=draft`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    assert.ok(!(await response.text()).includes('__meta'))
    const filtered = await fetch(`${running.base}/api/articles?filters[createdBy]=${author.id}`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    assert.equal(filtered.status, 400)
  })
})
