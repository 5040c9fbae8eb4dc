/** Options of `populate` for each kind of a zone or polymorphic relation, publication filters below it, and creators. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { encodedPath, sendRequest } from '../support/http-request.ts'
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

const WITH_DRAFTS = { options: { draftAndPublish: true } }
const text = (value: string) => ({ __component: 'block.text', value })
const number = (value: number) => ({ __component: 'block.number', value })

const FILES = {
  'config/roles.json': {
    public: { 'api::page.page': ['find'], 'api::note.note': ['find', '-readDrafts'] },
    authenticated: { 'api::note.note': ['find', 'create', 'update'] },
  },
  [componentFile('block.text')]: component('block.text', { value: string }),
  [componentFile('block.number')]: component('block.number', { value: { type: 'integer' } }),
  [typeFile('note')]: collection(
    'note',
    { title: string },
    { options: { draftAndPublish: true, populateCreatorFields: true } },
  ),
  [typeFile('person')]: collection('person', { name: string }),
  [typeFile('page')]: collection(
    'page',
    {
      title: string,
      notes: { type: 'relation', relation: 'manyToMany', target: 'api::note.note' },
      about: { type: 'relation', relation: 'morphToMany' },
      blocks: { type: 'dynamiczone', components: ['block.text', 'block.number'] },
    },
    WITH_DRAFTS,
  ),
}

onEachEngine((engine) => {
  let project: ProjectServer
  before(async () => {
    project = await openProject(projectFolder(FILES), await engine.freshUrl())
    const create = async (path: string, data: object) => {
      const made = await project.request('POST', `/api/${path}`, { data })
      assert.equal(made.status, 201, made.text)
      return String(made.at('data', 'documentId'))
    }
    const changed = await create('notes', { title: 'changed' })
    const unchanged = await create('notes', { title: 'unchanged' })
    const draft = await create('notes?status=draft', { title: 'draft' })
    const ann = await create('persons', { name: 'Ann' })
    const bob = await create('persons', { name: 'Bob' })
    await create('pages', {
      title: 'page',
      notes: [changed, draft, unchanged],
      about: [
        { __type: 'api::person.person', documentId: ann },
        { __type: 'api::note.note', documentId: changed },
        { __type: 'api::person.person', documentId: bob },
      ],
      blocks: [number(3), text('b'), number(1), text('a'), number(2)],
    })
    // The millisecond of a change is that of the publication if both are fast.
    await new Promise((resolve) => setTimeout(resolve, 5))
    await project.request('PUT', `/api/notes/${changed}?status=draft`, { data: { title: 'changed' } })
  })
  after(() => project?.remove())

  const page = async (query: string) => {
    const { status, text: body, at } = await project.request('GET', `/api/pages?${query}`)
    assert.equal(status, 200, body)
    return at('data', 0)
  }
  const shown = async (attribute: string, query: string, key: string) => {
    const found = Object.entries(Object(await page(query))).find(([name]) => name === attribute)?.[1]
    assert.ok(Array.isArray(found), JSON.stringify(found))
    return found.map((one) => one[key])
  }

  describe('the options of a component in a zone', () => {
    const blocks = (query: string) => shown('blocks', query, 'value')

    it('filter its entries', async () => {
      const small = 'populate[blocks][on][block.number][filters][value][$lt]=3'
      assert.deepEqual(await blocks(small), [1, 2])
      assert.deepEqual(await blocks(`${small}&populate[blocks][on][block.text]=true`), ['b', 1, 'a', 2])
    })

    it('sort its entries, which then follow those of the component before it', async () => {
      const sorted =
        'populate[blocks][on][block.text][sort]=value&populate[blocks][on][block.number][sort]=value:desc'
      assert.deepEqual(await blocks(sorted), ['a', 'b', 3, 2, 1])
      assert.deepEqual(
        await blocks('populate[blocks][on][block.number]=true&populate[blocks][on][block.text][sort]=value'),
        [3, 1, 2, 'a', 'b'],
      )
    })

    it('select its fields', async () => {
      const [first] = await shown('blocks', 'populate[blocks][on][block.text][fields]=value', 'documentId')
      assert.equal(typeof first, 'string')
    })

    it('filter the entries that are counted', async () => {
      const query = 'populate[blocks][count]=true&populate[blocks][on][block.number][filters][value][$gt]=1'
      assert.deepEqual(Object(await page(query)).blocks, { count: 2 })
    })

    it('are refused if they name what the component does not have', async () => {
      for (const option of ['filters][name', 'sort', 'limit']) {
        const { status, text: body } = await project.request(
          'GET',
          `/api/pages?populate[blocks][on][block.number][${option}]=name`,
        )
        assert.equal(status, 400, body)
      }
    })
  })

  describe('the options of a content-type in a polymorphic relation', () => {
    const on = (type: string) => `populate[about][on][api::${type}.${type}]`

    it('filter and sort its documents', async () => {
      assert.deepEqual(await shown('about', `${on('person')}[filters][name]=Bob`, 'name'), ['Bob'])
      assert.deepEqual(await shown('about', `${on('person')}[sort]=name:desc`, 'name'), ['Bob', 'Ann'])
      assert.deepEqual(await shown('about', `${on('note')}=true&${on('person')}[sort]=name:desc`, '__type'), [
        'api::note.note',
        'api::person.person',
        'api::person.person',
      ])
    })

    it('apply to the number of its documents too', async () => {
      assert.deepEqual(Object(await page('populate[about][count]=true')).about, { count: 3 })
      const query = `populate[about][count]=true&${on('person')}[filters][name]=Bob`
      assert.deepEqual(Object(await page(query)).about, { count: 1 })
    })
  })

  describe('filters on the publication', () => {
    const notes = (query: string) => shown('notes', `populate=notes&${query}`, 'title')

    it('apply to populated documents', async () => {
      const draft = 'status=draft&publicationFilter='
      assert.deepEqual(await notes(`${draft}has-published-version`), ['changed', 'unchanged'])
      assert.deepEqual(await notes('status=draft&hasPublishedVersion=true'), ['changed', 'unchanged'])
      assert.deepEqual(await notes(`${draft}unmodified`), ['unchanged'])
      assert.deepEqual(await notes('status=draft'), ['changed', 'draft', 'unchanged'])
    })

    it('take true and false only for hasPublishedVersion', async () => {
      for (const word of ['1', '0', 'yes', 't', '', 'TRUE']) {
        const { status } = await project.request('GET', `/api/notes?hasPublishedVersion=${word}`)
        assert.equal(status, 400, word)
      }
    })

    it('omit populated documents whose drafts the caller may not read', async () => {
      const {
        status,
        text: body,
        headers,
      } = await sendRequest(
        project.server,
        'GET',
        encodedPath('/api/pages?publicationFilter=unmodified&populate=notes'),
      )
      assert.equal(status, 200, body)
      assert.equal(headers['octavo-omitted'], 'notes')
      assert.ok(!body.includes('unchanged'), body)
    })
  })

  describe('populateCreatorFields', () => {
    it('lets callers populate who created a document and changed it last, by name and without the e-mail address', async () => {
      const registered = await project.request('POST', '/api/auth/local/register', {
        ...{ username: 'writer', email: 'writer@example.test', password: 'A long passphrase 9' },
      })
      const authorization = `Bearer ${registered.at('jwt')}`
      const created = await sendRequest(
        project.server,
        'POST',
        '/api/notes?populate=createdBy',
        { authorization },
        JSON.stringify({ data: { title: 'mine' } }),
      )
      assert.equal(created.status, 201, created.text)
      const { createdBy } = JSON.parse(created.text).data
      assert.deepEqual(Object.keys(createdBy), ['id', 'documentId', 'username'])
      assert.equal(createdBy.username, 'writer')
      const all = await project.request('GET', '/api/notes?populate=*&filters[title]=mine')
      assert.deepEqual(all.at('data', 0, 'updatedBy'), createdBy)
      assert.ok(!all.text.includes('writer@example.test'))
    })

    it('shows null for documents that a token created', async () => {
      const { at } = await project.request('GET', '/api/notes?populate=createdBy&filters[title]=changed')
      assert.equal(at('data', 0, 'createdBy'), null)
    })

    it('allows no filters by creators, and nothing for other content-types', async () => {
      for (const path of [
        'notes?filters[createdBy][id]=1',
        'notes?sort=createdBy',
        'pages?populate=createdBy',
      ]) {
        const { status, text: body } = await project.request('GET', `/api/${path}`)
        assert.equal(status, 400, body)
      }
    })
  })
})
