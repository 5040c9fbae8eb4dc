/** What the admin app does with documents beyond the content API, and what it shows of the model to whom. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import type { TestServer } from '../support/server.ts'
import { join, type Method, type Person, REVIEWER, send, startTeamServer, type TeamResponse } from './team.ts'

onEachEngine((engine) => {
  let running: TestServer
  let admin: Person
  let editor: Person
  let author: Person
  let reviewer: Person

  before(async () => {
    running = await startTeamServer(engine)
    admin = await join(running, 'admin')
    editor = await join(running, 'editor')
    author = await join(running, 'author')
    reviewer = await join(running, 'reviewer')
  })
  after(() => running?.close())

  const as = (person: Person, method: Method, path: string, body?: unknown) =>
    send(running, method, path, person.cookie, body)
  const content = (person: Person, method: Method, path: string, body?: unknown) =>
    as(person, method, `/content${path}`, body)

  async function create(person: Person, type: string, data: object, query = ''): Promise<string> {
    const response = await content(person, 'POST', `/${type}${query}`, { data })
    assert.equal(response.status, 201, response.text)
    return String(response.at('data', 'documentId'))
  }

  const listAt = ({ at }: TeamResponse, ...path: string[]) => {
    const list = at(...path)
    assert.ok(Array.isArray(list))
    return list
  }

  it('a duplicate has the content of the original, and unique values of its own', async () => {
    const tag = await create(editor, 'tags', { name: 'Red' })
    const topic = await create(editor, 'topics', { name: 'Colours' })
    const original = await create(editor, 'articles', {
      ...{ title: 'Original', slug: 'original', code: 'A1', body: 'Text', topic, tags: [tag] },
      seo: { title: 'For search', tag },
    })
    const copy = await content(editor, 'POST', `/articles/${original}/actions/duplicate`, {
      data: { title: 'Copy' },
    })
    assert.equal(copy.status, 201, copy.text)
    assert.deepEqual(copy.at('meta', 'changed'), ['slug', 'code'])
    const id = String(copy.at('data', 'documentId'))
    assert.notEqual(id, original)
    const { at } = await content(
      editor,
      'GET',
      `/articles/${id}?populate[topic]=true&populate[tags]=true&populate[seo][populate]=tag`,
    )
    assert.equal(at('data', 'title'), 'Copy')
    assert.equal(at('data', 'body'), 'Text')
    assert.match(String(at('data', 'slug')), /^original-copy-/)
    assert.match(String(at('data', 'code')), /^A1-copy-/)
    assert.equal(at('data', 'topic', 'documentId'), topic)
    assert.equal(at('data', 'tags', 0, 'documentId'), tag)
    assert.equal(at('data', 'seo', 'title'), 'For search')
    assert.equal(at('data', 'seo', 'tag', 'documentId'), tag)
    assert.equal((await content(reviewer, 'POST', `/articles/${original}/actions/duplicate`, {})).status, 403)
    assert.equal(
      (await content(editor, 'POST', '/articles/aaaaaaaaaaaaaaaaaaaaaaaa/actions/duplicate')).status,
      404,
    )
  })

  it('a copy has only the attributes that its author may write', async () => {
    const original = await create(editor, 'articles', { title: 'Original', slug: 'limited', body: 'Text' })
    const allowed = ['find', 'findOne', 'readDrafts', { action: 'create', fields: ['title', 'slug'] }]
    const grant = (permissions: unknown) =>
      as(admin, 'PUT', '/roles/reviewer', { data: { permissions: { 'api::article.article': permissions } } })
    const granted = await grant(allowed)
    assert.equal(granted.status, 200, granted.text)
    const copy = await content(reviewer, 'POST', `/articles/${original}/actions/duplicate`, {})
    assert.equal(copy.status, 201, copy.text)
    assert.deepEqual([copy.at('data', 'title'), copy.at('data', 'body')], ['Original', null])
    assert.equal((await grant(REVIEWER)).status, 200)
  })

  it('a locale is filled from another one, all localized attributes or some', async () => {
    const id = await create(editor, 'articles', { title: 'Bread', body: 'Flour', code: 'B1' })
    const fill = (body: object) => content(editor, 'POST', `/articles/${id}/actions/fill-locale`, body)
    const filled = await fill({ from: 'en', to: 'fr', fields: ['title'] })
    assert.equal(filled.status, 200, filled.text)
    assert.deepEqual([filled.at('data', 'title'), filled.at('data', 'body')], ['Bread', null])
    assert.equal((await fill({ from: 'en', to: 'fr' })).at('data', 'body'), 'Flour')
    assert.equal((await fill({ from: 'en', to: 'fr', fields: ['code'] })).status, 400)
    assert.equal((await fill({ from: 'en', to: 'xx' })).status, 400)
    assert.equal((await fill({ from: 'en' })).status, 400)
  })

  it('a bulk action has a result for each document', async () => {
    const own = await create(author, 'articles', { title: 'Mine' })
    const other = await create(editor, 'articles', { title: 'Of the editor' })
    const invalid = await create(editor, 'articles', {})
    const bulk = (person: Person, body: object) => content(person, 'POST', '/articles/actions/bulk', body)
    const published = await bulk(editor, { action: 'publish', documentIds: [own, other, invalid] })
    assert.equal(published.status, 200, published.text)
    assert.deepEqual(published.at('meta'), { succeeded: 2, failed: 1 })
    assert.match(String(published.at('data', 2, 'error', 'message')), /title/)
    const deleted = await bulk(author, { action: 'delete', documentIds: [own, other] })
    assert.deepEqual(
      listAt(deleted, 'data').map(({ ok }) => ok),
      [true, false],
    )
    const refused = await bulk(author, { action: 'publish', documentIds: [other] })
    assert.equal(refused.at('data', 0, 'error', 'status'), 403)
    const updated = await bulk(editor, { action: 'update', documentIds: [other], data: { body: 'New' } })
    assert.deepEqual(updated.at('meta'), { succeeded: 1, failed: 0 })
    const copied = await bulk(editor, { action: 'duplicate', documentIds: [other] })
    assert.notEqual(copied.at('data', 0, 'result', 'documentId'), other)
    for (const body of [
      { action: 'explode', documentIds: [own] },
      { action: 'publish', documentIds: [] },
      { action: 'publish', documentIds: 'all' },
      { action: 'publish', documentIds: Array.from({ length: 101 }, (_, index) => `x${index}`) },
    ])
      assert.equal((await bulk(editor, body)).status, 400, JSON.stringify(body).slice(0, 60))
  })

  it('used by lists the documents that refer to one, as far as the person may read them', async () => {
    const topic = await create(editor, 'topics', { name: 'Food' })
    const tag = await create(editor, 'tags', { name: 'Green' })
    const article = await create(editor, 'articles', { title: 'Salad', topic, seo: { title: 'x', tag } })
    const list = await content(editor, 'GET', `/topics/${topic}/used-by`)
    const expected = {
      type: 'api::article.article',
      documentId: article,
      locale: 'en',
      title: 'Salad',
      status: 'draft',
    }
    assert.deepEqual(list.at('data'), [expected])
    assert.deepEqual((await content(editor, 'GET', `/tags/${tag}/used-by`)).at('data'), [expected])
    assert.equal((await content(reviewer, 'GET', `/tags/${tag}/used-by`)).status, 403)
    const { roles } = running.server.access
    const bodyOnly = [{ action: 'find', fields: ['body'] }]
    await roles.setPermissions('reviewer', { 'api::article.article': bodyOnly })
    try {
      const limited = await content(reviewer, 'GET', `/topics/${topic}/used-by`)
      assert.deepEqual([limited.status, limited.at('data')], [200, []], limited.text)
    } finally {
      await roles.setPermissions('reviewer', { 'api::article.article': REVIEWER })
    }
  })

  it('a list is exported with its filters, and no cell is a formula', async () => {
    await create(editor, 'tags', { name: '=1+1' })
    await create(editor, 'tags', { name: 'A "quoted", one' })
    const csv = await content(
      editor,
      'GET',
      '/tags/actions/export?format=csv&sort=name&filters[name][$contains]=1',
    )
    assert.equal(csv.headers['content-disposition'], 'attachment; filename="tags.csv"')
    const [head, row, ...rest] = csv.text.trim().split('\r\n')
    assert.equal(head, 'documentId,name,status,createdAt,updatedAt,publishedAt')
    assert.match(String(row), /^\w+,'=1\+1,published,/)
    assert.deepEqual(rest, [])
    const json = await content(
      editor,
      'GET',
      '/tags/actions/export?format=json&filters[name][$contains]=quoted',
    )
    assert.equal(JSON.parse(json.text)[0].name, 'A "quoted", one')
    assert.ok(!json.text.includes('__meta'))
    assert.equal((await content(editor, 'GET', '/tags/actions/export?format=xml')).status, 400)
    assert.equal((await content(reviewer, 'GET', '/tags/actions/export')).status, 403)
  })

  it('people who have the same document open see each other', async () => {
    const id = await create(editor, 'articles', { title: 'Open' })
    const report = (person: Person, editing: boolean) =>
      content(person, 'PUT', `/articles/${id}/presence`, { editing })
    assert.deepEqual((await report(editor, true)).at('data'), [])
    const seen = await report(author, false)
    assert.deepEqual(seen.at('data', 0, 'user'), { id: editor.id, name: 'editor' })
    assert.equal(seen.at('data', 0, 'editing'), true)
    assert.equal((await content(editor, 'DELETE', `/articles/${id}/presence`)).status, 204)
    assert.deepEqual((await report(author, false)).at('data'), [])
    assert.equal(
      (await content(editor, 'PUT', '/articles/aaaaaaaaaaaaaaaaaaaaaaaa/presence', {})).status,
      404,
    )
  })

  it('each person sees the model with what the role permits', async () => {
    const typesOf = async (person: Person) => {
      const response = await as(person, 'GET', '/me')
      assert.equal(response.status, 200, response.text)
      return { me: response, types: listAt(response, 'data', 'contentTypes') }
    }
    const names = (types: readonly { uid: string }[]) => types.map(({ uid }) => uid).sort()
    const all = ['api::article.article', 'api::homepage.homepage', 'api::tag.tag', 'api::topic.topic']
    assert.deepEqual(names((await typesOf(admin)).types), all)
    assert.deepEqual(names((await typesOf(editor)).types), all)
    const { types, me } = await typesOf(reviewer)
    assert.deepEqual(names(types), ['api::article.article', 'api::topic.topic'])
    const article = types.find(({ uid }) => uid === 'api::article.article')
    assert.deepEqual(article.actions, {
      ...{ find: true, create: false, update: true, delete: false },
      ...{ publish: true, unpublish: true, discard: true, readHistory: false, schedule: true },
    })
    const attribute = (name: string) => article.attributes.find((one: { name: string }) => one.name === name)
    assert.deepEqual(attribute('title').writable, { create: false, update: true })
    assert.equal(attribute('title').required, true)
    assert.deepEqual(attribute('slug').writable, { create: false, update: false })
    assert.equal(attribute('tags'), undefined)
    assert.deepEqual(attribute('notes').writable, { create: false, update: false })
    assert.equal(attribute('pin'), undefined)
    assert.deepEqual(me.at('data', 'permissions', 'upload'), {
      ...{ find: false, create: false, update: false, delete: false },
    })
    const own = (await typesOf(author)).types.find(({ uid }) => uid === 'api::article.article')
    assert.deepEqual([own.own, own.actions.publish, own.actions.update], [true, false, true])
    assert.equal(own.view.mainField, 'title')
    assert.deepEqual(own.view.columns, ['title', 'slug', 'code', 'status', 'locales', 'updatedAt'])
  })

  it('admins configure how content is shown, and everyone sees it', async () => {
    const uid = 'api::article.article'
    const put = (person: Person, data: object) => as(person, 'PUT', `/views/types/${uid}`, { data })
    const changed = await put(admin, {
      ...{ label: 'Stories', mainField: 'slug', columns: ['slug', 'status'] },
      fields: [{ name: 'body', label: 'Story', width: 12, help: 'The whole story' }],
    })
    assert.equal(changed.status, 200, changed.text)
    const { at } = await as(author, 'GET', '/me')
    const types = at('data', 'contentTypes')
    assert.ok(Array.isArray(types))
    const { view } = types.find((one) => one.uid === uid)
    assert.deepEqual([view.label, view.mainField, view.columns], ['Stories', 'slug', ['slug', 'status']])
    assert.deepEqual([view.fields[0].name, view.fields[0].label], ['body', 'Story'])
    assert.equal(view.fields.length, 11)
    assert.equal((await put(admin, { label: null })).at('data', 'label'), 'Articles')
    for (const data of [
      { mainField: 'tags' },
      { columns: ['nothing'] },
      { fields: [{ name: 'nothing' }] },
      { fields: [{ name: 'body', width: 5 }] },
      { fields: [{ name: 'body' }, { name: 'body' }] },
      { colour: 'red' },
      ...[
        'javascript:alert(1)',
        '//example.com',
        'https://',
        'https://{title}.example.com/',
        '/{nothing}',
      ].map((previewUrl) => ({ previewUrl })),
      { defaultSort: 'nothing:asc' },
      { defaultSort: 'tags' },
      { pageSize: 1000 },
    ])
      assert.equal((await put(admin, data)).status, 400, JSON.stringify(data))
    assert.equal((await put(editor, { label: 'No' })).status, 403)
    const groups = [{ name: 'Editorial', types: [uid, 'api::tag.tag'] }]
    assert.equal((await as(admin, 'PUT', '/views/navigation', { data: { groups } })).status, 200)
    const navigation = (await as(reviewer, 'GET', '/me')).at('data', 'navigation', 'groups')
    assert.deepEqual(navigation, [{ name: 'Editorial', types: [uid] }])
    const unknown = { groups: [{ name: 'x', types: ['api::none.none'] }] }
    assert.equal((await as(admin, 'PUT', '/views/navigation', { data: unknown })).status, 400)
  })

  it('saved views belong to a person unless an admin shares them', async () => {
    const save = (person: Person, data: object) => as(person, 'POST', '/saved-views', { data })
    const view = { type: 'api::article.article', name: 'Drafts', query: 'filters[title]=x' }
    const own = await save(editor, view)
    assert.equal(own.status, 201, own.text)
    assert.equal((await save(editor, { ...view, shared: true })).status, 403)
    assert.equal((await save(reviewer, { ...view, type: 'api::tag.tag' })).status, 400)
    const shared = await save(admin, { ...view, name: 'For all', shared: true })
    const seen = listAt(await as(author, 'GET', '/saved-views'), 'data')
    assert.deepEqual(
      seen.map(({ name, own: isOwn }) => [name, isOwn]),
      [['For all', false]],
    )
    const id = String(own.at('data', 'id'))
    assert.equal((await as(author, 'PUT', `/saved-views/${id}`, { data: { name: 'Taken' } })).status, 404)
    assert.equal(
      (await as(editor, 'PUT', `/saved-views/${id}`, { data: { name: 'Mine' } })).at('data', 'name'),
      'Mine',
    )
    assert.equal((await as(editor, 'DELETE', `/saved-views/${shared.at('data', 'id')}`)).status, 404)
    assert.equal((await as(editor, 'DELETE', `/saved-views/${id}`)).status, 204)
  })

  it('views follow renamed content-types and attributes', async () => {
    const uid = 'api::topic.topic'
    const view = {
      label: 'Subjects',
      mainField: 'name',
      columns: ['name'],
      defaultSort: 'name:desc',
      previewUrl: '/topics/{name}?id={documentId}',
      fields: [{ name: 'name', help: 'Short' }],
    }
    assert.equal((await as(admin, 'PUT', `/views/types/${uid}`, { data: view })).status, 200)
    const groups = [{ name: 'Reference', types: ['api::tag.tag', uid] }]
    assert.equal((await as(admin, 'PUT', '/views/navigation', { data: { groups } })).status, 200)
    const { data } = JSON.parse((await as(admin, 'GET', `/content-types/${uid}`)).text)
    const { name, ...others } = data.attributes
    const renamed = {
      ...data,
      attributes: { ...others, heading: { ...name, renamedFrom: 'name' } },
    }
    const changed = await as(admin, 'PUT', `/content-types/${uid}`, { data: renamed })
    assert.equal(changed.status, 200, changed.text)
    const moved = await as(admin, 'PUT', `/content-types/${uid}`, {
      data: { ...JSON.parse(changed.text).data, uid: 'api::subject.subject' },
    })
    assert.equal(moved.status, 200, moved.text)
    const types = listAt(await as(editor, 'GET', '/me'), 'data', 'contentTypes')
    const subject = types.find((one) => one.uid === 'api::subject.subject')
    assert.deepEqual(
      [subject.view.label, subject.view.mainField, subject.view.columns, subject.view.fields[0].help],
      ['Subjects', 'heading', ['heading'], 'Short'],
    )
    assert.deepEqual(
      [subject.view.defaultSort, subject.view.previewUrl],
      ['heading:desc', '/topics/{heading}?id={documentId}'],
    )
    assert.deepEqual((await as(admin, 'GET', '/me')).at('data', 'navigation', 'groups'), [
      { name: 'Reference', types: ['api::tag.tag', 'api::subject.subject'] },
    ])
  })
})
