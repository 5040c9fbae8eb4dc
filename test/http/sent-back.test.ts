/** Clients may send back what they received: whole documents in relations, entries with ids, options of other servers. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { onEachEngine, type TestEngine } from '../support/engines.ts'
import {
  collection,
  component,
  componentFile,
  openProject,
  type ProjectServer,
  projectFolder,
  string,
  typeFile,
} from '../support/project-server.ts'

const relation = (kind: string, target: string) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
})

const LOCALIZED = { i18n: { localized: true } }

const FILES = {
  [componentFile('page.link')]: component('page.link', { url: string, key: { ...string, unique: true } }),
  'config/locales.json': { default: 'en', locales: ['en', 'fr'] },
  [typeFile('report')]: collection(
    'report',
    { title: { ...string, pluginOptions: LOCALIZED } },
    { options: { draftAndPublish: true }, pluginOptions: LOCALIZED },
  ),
  [typeFile('tag')]: collection('tag', { name: string, position: { type: 'integer' } }),
  [typeFile('page')]: collection('page', {
    title: string,
    origin: { ...string, writable: false },
    code: { ...string, unique: true },
    body: { type: 'text', unique: true },
    remark: { ...string, searchable: false },
    tags: relation('manyToMany', 'tag'),
    main: relation('oneToOne', 'tag'),
    links: { type: 'component', component: 'page.link', repeatable: true },
    needed: { type: 'component', component: 'page.link', repeatable: true, required: true },
    blocks: { type: 'dynamiczone', components: ['page.link'] },
  }),
}

/** With and without the shape of Strapi's responses. */
const FORMS = ['none', 'strapi'] as const

onEachEngine((engine) => {
  for (const compat of FORMS) describe(`with api.rest.compat: ${compat}`, () => sentBack(engine, compat))
})

function sentBack(engine: TestEngine, compat: (typeof FORMS)[number]) {
  let project: ProjectServer
  let tags: Record<string, unknown>[]
  before(async () => {
    project = await openProject(
      projectFolder({ ...FILES, 'config/api.json': { rest: { compat } } }),
      await engine.freshUrl(),
    )
    for (const name of ['a', 'b', 'c'])
      await project.request('POST', '/api/tags', { data: { name, position: 7 } })
    tags = list((await project.request('GET', '/api/tags')).at('data'))
  })
  after(() => project?.remove())

  const list = (value: unknown) => {
    assert.ok(Array.isArray(value), JSON.stringify(value))
    return value
  }
  const create = async (data: object) => {
    const created = await project.request('POST', '/api/pages?populate=*', { data: { needed: [], ...data } })
    assert.equal(created.status, 201, created.text)
    return created
  }
  const update = (documentId: unknown, data: object) =>
    project.request('PUT', `/api/pages/${documentId}?populate=*`, { data })
  const names = (value: unknown) => list(value).map(({ name }) => name)

  describe('relations', () => {
    it('take whole documents, as responses show them, in a list, for one, and in connect', async () => {
      const [a, b, c] = tags
      const page = await create({ tags: [a, b], main: c })
      assert.deepEqual(names(page.at('data', 'tags')), ['a', 'b'])
      assert.equal(page.at('data', 'main', 'name'), 'c')
      const id = page.at('data', 'documentId')
      const changed = await update(id, {
        tags: { connect: [{ ...c, position: { before: b?.documentId } }], disconnect: [a] },
      })
      assert.deepEqual(names(changed.at('data', 'tags')), ['c', 'b'])
      const same = await update(id, { tags: changed.at('data', 'tags'), main: changed.at('data', 'main') })
      assert.deepEqual(same.at('data', 'tags'), changed.at('data', 'tags'))
    })

    it('still refuse unknown keys of an object that names no document', async () => {
      const refused = await project.request('POST', '/api/pages', {
        data: { needed: [], tags: [{ nme: 'a' }] },
      })
      assert.equal(refused.status, 400, refused.text)
      assert.match(refused.text, /nme/)
    })

    it('accept the option strict, which decides what a position beside an absent document means', async () => {
      const [a, b, c] = tags
      const { documentId } = { documentId: (await create({ tags: [a] })).at('data', 'documentId') }
      const beside = (strict: unknown) =>
        update(documentId, {
          tags: { connect: [{ id: b?.id, position: { before: c?.documentId } }], options: { strict } },
        })
      assert.equal((await beside(true)).status, 400)
      assert.deepEqual(names((await beside(false)).at('data', 'tags')), ['a', 'b'])
      const invalid = await beside('yes')
      assert.equal(invalid.status, 400)
      assert.match(invalid.text, /strict/)
    })

    it('are unchanged when a numeric id to disconnect does not exist', async () => {
      const page = await create({ tags: [tags[0]] })
      const changed = await update(page.at('data', 'documentId'), { tags: { disconnect: [999_999] } })
      assert.equal(changed.status, 200, changed.text)
      assert.deepEqual(names(changed.at('data', 'tags')), ['a'])
    })
  })

  describe('components', () => {
    it('of a copied document get ids of their own', async () => {
      const links = [{ url: '/one' }, { url: '/two' }]
      const blocks = [{ __component: 'page.link', url: '/three' }]
      const first = await create({ links, blocks })
      const copy = await create({ links: first.at('data', 'links'), blocks: first.at('data', 'blocks') })
      for (const name of ['links', 'blocks']) {
        const [before, after] = [list(first.at('data', name)), list(copy.at('data', name))]
        assert.deepEqual(
          after.map(({ url }) => url),
          before.map(({ url }) => url),
        )
        for (const { id } of before) assert.ok(!after.some((entry) => entry.id === id))
      }
    })

    it('have unique attributes that no other document may repeat, except for an empty string', async () => {
      await create({ links: [{ key: 'taken' }, { key: '' }] })
      const blocks = [{ __component: 'page.link', key: 'taken' }]
      const refused = await project.request('POST', '/api/pages', { data: { needed: [], blocks } })
      assert.equal(refused.status, 400, refused.text)
      assert.match(refused.text, /key must be unique/)
      await create({ links: [{ key: 'free' }, { key: '' }] })
    })

    it('that are required may be an empty list, but not absent', async () => {
      assert.equal((await project.request('POST', '/api/pages', { data: { needed: [] } })).status, 201)
      assert.equal((await project.request('POST', '/api/pages', { data: {} })).status, 400)
      assert.equal((await project.request('POST', '/api/pages', { data: { needed: null } })).status, 400)
    })
  })

  it('a document may be sent back with everything that was populated', async () => {
    const [a, b, c] = tags
    const page = await create({
      ...{ title: 'whole', tags: [b, a], main: c, links: [{ url: '/one' }, { url: '/two' }] },
      ...{ needed: [{ url: '/three' }], blocks: [{ __component: 'page.link', url: '/four' }] },
    })
    const received = Object(page.at('data'))
    const { title, main, links, needed, blocks } = received
    const content = { title, tags: received.tags, main, links, needed, blocks }
    const changed = await update(received.documentId, content)
    assert.equal(changed.status, 200, changed.text)
    for (const [name, value] of Object.entries(content)) assert.deepEqual(changed.at('data', name), value)
  })

  it('an attribute with writable: false is refused in a body', async () => {
    const refused = await project.request('POST', '/api/pages', { data: { needed: [], origin: 'x' } })
    assert.equal(refused.status, 400, refused.text)
    assert.match(refused.text, /Invalid key origin/)
  })

  it('an attribute with searchable: false is not searched by _q', async () => {
    await create({ title: 'needle-in-title' })
    await create({ remark: 'needle-in-remark' })
    const found = list((await project.request('GET', '/api/pages?_q=needle')).at('data'))
    assert.deepEqual(
      found.map(({ title }) => title),
      ['needle-in-title'],
    )
  })

  it('hasPublishedVersion considers the document in all locales', async () => {
    const made = await project.request('POST', '/api/reports?status=draft', { data: { title: 'in French' } })
    const path = `/api/reports/${made.at('data', 'documentId')}?locale=fr`
    assert.equal((await project.request('PUT', path, { data: { title: 'publié' } })).status, 200)
    await project.request('POST', '/api/reports?status=draft', { data: { title: 'nowhere' } })
    for (const [has, title] of [
      ['true', 'in French'],
      ['false', 'nowhere'],
    ]) {
      const found = await project.request('GET', `/api/reports?status=draft&hasPublishedVersion=${has}`)
      assert.deepEqual(
        list(found.at('data')).map((one) => one.title),
        [title],
      )
    }
  })

  it('a list inside $or is a group of conditions that must all hold', async () => {
    await create({ title: 'group', remark: 'one' })
    await create({ title: 'group', remark: 'two' })
    await create({ title: 'single', remark: 'three' })
    const query =
      'filters[$or][0][0][title]=group&filters[$or][0][1][remark]=two&filters[$or][1][title]=single'
    const found = list((await project.request('GET', `/api/pages?${query}&sort=remark`)).at('data'))
    assert.deepEqual(
      found.map(({ remark }) => remark),
      ['three', 'two'],
    )
  })
}
