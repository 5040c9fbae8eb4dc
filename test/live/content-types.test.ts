/** Content-types and components are created, changed and dropped over HTTP, and are active when the response arrives. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
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

const NOTE = collection('note', { text: string })

onEachEngine((engine) => {
  let project: ProjectServer
  before(async () => {
    const folder = projectFolder({ [typeFile('note')]: NOTE })
    project = await openProject(folder, await engine.freshUrl())
  })
  after(() => project?.remove())

  const create = async (path: string, data: object) => {
    const response = await project.request('POST', `/api/${path}`, { data })
    assert.equal(response.status, 201, response.text)
    return String(response.at('data', 'documentId'))
  }

  it('logs a warning when the configuration refers to a renamed content-type', async () => {
    const roles = { public: { 'api::note.note': ['find'] } }
    const folder = projectFolder({ [typeFile('note')]: NOTE, 'config/roles.json': roles })
    const named = await openProject(folder, await engine.freshUrl())
    try {
      const data = { uid: 'api::memo.memo', ...collection('memo', { text: string }) }
      await named.adminRequest('PUT', '/content-types/api::note.note', { data })
      assert.match(
        named.log.join(''),
        /config\/roles still refers to api::note\.note: rename it to api::memo\.memo/,
      )
    } finally {
      await named.remove()
    }
  })

  it('refuses names that are too long for a URL', async () => {
    const project = await openProject(projectFolder({}), await engine.freshUrl())
    const create = (pluralName: string) => {
      const schema = collection('book', { title: { type: 'string' } })
      const info = { singularName: 'book', pluralName, displayName: 'Book' }
      return project.adminRequest('POST', '/content-types', { data: { ...schema, info } })
    }
    try {
      const refused = await create('b'.repeat(201))
      assert.equal(refused.status, 400)
      assert.match(refused.text, /pluralName.*at most 100 characters/)
      const longest = 'b'.repeat(100)
      assert.equal((await create(longest)).status, 201)
      assert.equal((await project.request('GET', `/api/${longest}`)).status, 200)
    } finally {
      await project.remove()
    }
  })

  it('keeps the formatting of the schema file, so that a diff shows only the change', async () => {
    const text = `{
  "kind": "collectionType",
  "info": { "singularName": "leaf", "pluralName": "leaves", "displayName": "Leaf" },
  "attributes": {
    "form": { "type": "string" },
    "veins": { "type": "integer" }
  }
}
`
    const folder = projectFolder({ [typeFile('leaf')]: text })
    const laid = await openProject(folder, await engine.freshUrl())
    try {
      const { attributes, ...leaf } = JSON.parse(text)
      const data = { attributes: { ...attributes, age: { type: 'integer' } }, ...leaf }
      const changed = await laid.adminRequest('PUT', '/content-types/api::leaf.leaf', { data })
      assert.equal(changed.status, 200, changed.text)
      const added = '    "veins": { "type": "integer" },\n    "age": { "type": "integer" }\n'
      assert.equal(laid.read(typeFile('leaf')), text.replace(/ {4}"veins".*\n/, added))
    } finally {
      await laid.remove()
    }
  })

  describe('a content-type', () => {
    it('is served as soon as it is created, and written to its file', async () => {
      assert.equal((await project.request('GET', '/api/books')).status, 404)
      const schema = collection('book', { title: { type: 'string', required: true } })
      const made = await project.adminRequest('POST', '/content-types', { data: schema })
      assert.equal(made.status, 201, made.text)
      assert.deepEqual(made.at('data'), { uid: 'api::book.book', ...schema })
      assert.deepEqual(made.at('meta', 'changes', 0, 'kind'), 'addType')
      await create('books', { title: 'Dune' })
      assert.equal((await project.request('GET', '/api/books')).at('data', 0, 'title'), 'Dune')
      assert.equal(project.read(typeFile('book')), `${JSON.stringify(schema, null, 2)}\n`)
    })

    it('is returned in the JSON of its file, and the list includes built-in types', async () => {
      const list = await project.adminRequest('GET', '/content-types')
      assert.match(list.text, /"uid":"api::note.note"/)
      assert.match(list.text, /"uid":"plugin::users-permissions.user","builtIn":true/)
      const one = await project.adminRequest('GET', '/content-types/api::note.note')
      assert.deepEqual(one.at('data'), { uid: 'api::note.note', ...NOTE })
      assert.equal((await project.adminRequest('GET', '/content-types/api::none.none')).status, 404)
    })

    it('keeps its content and the key order of its file when it gets an attribute', async () => {
      const id = await create('notes', { text: 'kept' })
      const { uid, ...schema } = Object(
        (await project.adminRequest('GET', '/content-types/api::note.note')).at('data'),
      )
      const attributes = { text: { type: 'string', maxLength: 50 }, pages: { type: 'integer' } }
      const turned = Object.fromEntries(Object.entries({ ...schema, attributes }).reverse())
      const changed = await project.adminRequest('PUT', `/content-types/${uid}`, { data: turned })
      assert.equal(changed.status, 200, changed.text)
      const note = await project.request('GET', `/api/notes/${id}`)
      assert.deepEqual([note.at('data', 'text'), note.at('data', 'pages')], ['kept', null])
      assert.equal(project.read(typeFile('note')), `${JSON.stringify({ ...NOTE, attributes }, null, 2)}\n`)
    })

    it('refuses duplicates after its unique attribute has become a text', async () => {
      const schema = (type: string) => collection('label', { name: { type, unique: true } })
      const made = await project.adminRequest('POST', '/content-types', { data: schema('string') })
      assert.equal(made.status, 201, made.text)
      const write = (name: string) => project.request('POST', '/api/labels', { data: { name } })
      // Prepared statements are those that have run before.
      for (const name of ['first', 'second', 'third']) assert.equal((await write(name)).status, 201)
      for (const name of ['first', 'second', 'third']) assert.equal((await write(name)).status, 400)
      const changed = await project.adminRequest('PUT', '/content-types/api::label.label', {
        data: schema('text'),
      })
      assert.equal(changed.status, 200, changed.text)
      for (const name of ['first', 'second', 'third']) {
        const refused = await write(name)
        assert.equal(refused.status, 400, refused.text)
        assert.match(refused.text, /unique/)
      }
      assert.equal((await write('fourth')).status, 201)
      const longName = 'long '.repeat(2_000)
      assert.deepEqual([(await write(longName)).status, (await write(longName)).status], [201, 400])
    })

    it('is not changed with dryRun', async () => {
      const data = collection('note', { text: string, more: string })
      const planned = await project.adminRequest('PUT', '/content-types/api::note.note?dryRun=true', { data })
      assert.equal(planned.status, 200, planned.text)
      const changes = planned.at('meta', 'changes')
      assert.ok(Array.isArray(changes))
      assert.deepEqual(
        changes.map(({ kind, effect, rows }) => [kind, effect, rows]),
        [
          ['dropAttribute', 'empty', 0],
          ['addAttribute', 'safe', 1],
        ],
      )
      assert.equal(planned.at('data'), null)
      assert.equal((await project.request('GET', '/api/notes?filters[more]=x')).status, 400)
      assert.doesNotMatch(project.read(typeFile('note')), /more/)
    })

    it('is not changed if a flag is misspelt', async () => {
      const data = { ...collection('note', { text: string }), attributes: {} }
      for (const flag of ['dryrun=true', 'dry=1', 'confirmed=true']) {
        const refused = await project.adminRequest('PUT', `/content-types/api::note.note?${flag}`, { data })
        assert.equal(refused.status, 400, flag)
        assert.match(refused.text, /Invalid key/)
      }
      const meant = await project.adminRequest('DELETE', '/content-types/api::note.note?dryrun=true')
      assert.match(meant.text, /did you mean \\"dryRun\\"/)
    })

    it('loses content only with confirm', async () => {
      await create('notes', { text: 'a', pages: 7 })
      const data = collection('note', { text: string })
      const refused = await project.adminRequest('PUT', '/content-types/api::note.note', { data })
      assert.deepEqual([refused.status, refused.at('error', 'name')], [400, 'ApplicationError'])
      assert.match(refused.text, /attribute pages: deleted/)
      assert.match(refused.text, /confirm=true/)
      assert.match(project.read(typeFile('note')), /pages/)
      const confirmed = await project.adminRequest('PUT', '/content-types/api::note.note?confirm=true', {
        data,
      })
      assert.equal(confirmed.status, 200, confirmed.text)
      assert.doesNotMatch((await project.request('GET', '/api/notes')).text, /pages/)
    })

    it('is renamed with its content, its permissions and the relations to it', async () => {
      const attributes = { notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note' } }
      await project.adminRequest('POST', '/content-types', { data: collection('box', attributes) })
      const id = await create('notes', { text: 'moved' })
      const box = await create('boxs', { notes: [id] })
      await project.server.access.roles.setPermissions('public', { 'api::note.note': ['find'] })
      const data = { uid: 'api::memo.memo', ...collection('memo', { text: string }) }
      const renamed = await project.adminRequest('PUT', '/content-types/api::note.note', { data })
      assert.equal(renamed.status, 200, renamed.text)
      assert.equal((await project.request('GET', '/api/notes')).status, 404)
      assert.equal((await project.request('GET', `/api/memos/${id}`)).at('data', 'text'), 'moved')
      assert.equal(
        (await project.request('GET', `/api/boxs/${box}?populate=notes`)).at(
          'data',
          'notes',
          0,
          'documentId',
        ),
        id,
      )
      assert.equal((await fetch(`${project.base}/api/memos`)).status, 200)
      assert.match(project.read(typeFile('memo')), /"renamedFrom": "api::note.note"/)
      assert.match(project.read(typeFile('box')), /"target": "api::memo.memo"/)
      assert.ok(!existsSync(join(project.folder, 'src/api/note')))
    })

    it('does not inherit permissions that a role has for its uid, whether it is created or renamed', async () => {
      const { roles } = project.server.access
      // Permissions that were granted while the content-type was being dropped.
      const left = { 'api::made.made': ['delete'], 'api::latter.latter': ['delete'] }
      await project.adminRequest('POST', '/content-types', { data: collection('former', { text: string }) })
      await roles.setPermissions('public', { ...left, 'api::former.former': ['find'] })
      const made = await project.adminRequest('POST', '/content-types', {
        data: collection('made', { text: string }),
      })
      assert.equal(made.status, 201, made.text)
      const data = { uid: 'api::latter.latter', ...collection('latter', { text: string }) }
      const renamed = await project.adminRequest('PUT', '/content-types/api::former.former', { data })
      assert.equal(renamed.status, 200, renamed.text)
      const { 'api::made.made': ofMade, 'api::latter.latter': ofLatter } = await roles.permissionsOf('public')
      assert.deepEqual([ofMade, ofLatter], [undefined, ['find']])
    })

    it('renames its attributes in permission filters that reach them through a relation or a component', async () => {
      const { roles } = project.server.access
      const mark = (name: string) => ({ uid: 'shared.mark', ...component('shared.mark', attribute(name)) })
      const attribute = (name: string) => ({
        [name]: { ...string, ...(name === 'now' && { renamedFrom: 'old' }) },
      })
      const owner = (name: string) => ({ uid: 'api::owner.owner', ...collection('owner', attribute(name)) })
      const target = { type: 'relation', relation: 'manyToOne', target: 'api::owner.owner' }
      const owned = collection('owned', {
        owner: target,
        mark: { type: 'component', component: 'shared.mark' },
      })
      const put = (contentTypes: object[], components: object[]) =>
        project.adminRequest('PUT', '/schema', { data: { contentTypes, components } })
      const made = await put([owner('old'), owned], [mark('old')])
      assert.equal(made.status, 200, made.text)
      const filters = (name: string) => ({
        $or: [{ owner: { $not: { [name]: { $eq: 'a' } } } }, { mark: { [name]: 'b' } }],
      })
      const find = (name: string) => ({ 'api::owned.owned': [{ action: 'find', filters: filters(name) }] })
      await roles.setPermissions('public', find('old'))
      const renamed = await put([owner('now')], [mark('now')])
      assert.equal(renamed.status, 200, renamed.text)
      const { 'api::owned.owned': rules } = await roles.permissionsOf('public')
      assert.deepEqual(rules, find('now')['api::owned.owned'])
      const remove = ['api::owned.owned', 'api::owner.owner', 'shared.mark']
      assert.equal((await project.adminRequest('PUT', '/schema', { data: { remove } })).status, 200)
    })

    it('can be planned while other requests change it', async () => {
      await project.adminRequest('POST', '/content-types', { data: collection('busy', { a: string }) })
      await create('busys', { a: 'x' })
      const renamedTo = (name: string, previous: string) =>
        collection(
          'busy',
          { [name]: { ...string, renamedFrom: previous } },
          { collectionName: `busy_${name}` },
        )
      const url = '/content-types/api::busy.busy'
      const statuses = new Set<number>()
      let isChanging = true
      const change = async () => {
        for (let turn = 0; turn < 20; turn++) {
          const [previous = '', name = ''] = turn % 2 === 0 ? ['a', 'b'] : ['b', 'a']
          const changed = await project.adminRequest('PUT', url, { data: renamedTo(name, previous) })
          assert.equal(changed.status, 200, changed.text)
        }
        isChanging = false
      }
      const planRepeatedly = async () => {
        const data = collection('busy', { a: { type: 'integer' }, b: { type: 'integer' } })
        while (isChanging)
          statuses.add((await project.adminRequest('PUT', `${url}?dryRun=true`, { data })).status)
      }
      await Promise.all([change(), planRepeatedly(), planRepeatedly()])
      assert.deepEqual([...statuses], [200])
    })

    it('may get the previous uid of a renamed one', async () => {
      const made = await project.adminRequest('POST', '/content-types', { data: NOTE })
      assert.equal(made.status, 201, made.text)
      assert.equal((await project.request('GET', '/api/notes')).at('meta', 'pagination', 'total'), 0)
      assert.notEqual((await project.request('GET', '/api/memos')).at('meta', 'pagination', 'total'), 0)
      assert.doesNotMatch(project.read(typeFile('memo')), /renamedFrom/)
      assert.equal((await project.adminRequest('DELETE', '/content-types/api::note.note')).status, 204)
    })

    it('is dropped with confirm if nothing refers to it', async () => {
      const pointed = await project.adminRequest('DELETE', '/content-types/api::memo.memo?confirm=true')
      assert.equal(pointed.status, 400)
      assert.match(pointed.text, /unknown content-type \\"api::memo.memo\\"/)
      assert.equal((await project.adminRequest('DELETE', '/content-types/api::box.box')).status, 400)
      assert.equal(
        (await project.adminRequest('DELETE', '/content-types/api::box.box?dryRun=true')).status,
        200,
      )
      assert.equal(
        (await project.adminRequest('DELETE', '/content-types/api::box.box?confirm=true')).status,
        204,
      )
      assert.equal((await project.request('GET', '/api/boxs')).status, 404)
      assert.ok(!existsSync(join(project.folder, 'src/api/box')))
      const removed = await project.adminRequest('GET', '/content-types/api::box.box')
      assert.deepEqual(
        [removed.status, removed.at('error', 'message')],
        [404, 'There is no content-type api::box.box'],
      )
      const misspelt = await project.adminRequest('PUT', '/content-types/api::meno.meno', { data: {} })
      assert.equal(misspelt.status, 404)
      assert.match(misspelt.text, /did you mean \\"api::memo\.memo\\"\?/)
    })

    it('with errors is refused with a list of them, and changes nothing', async () => {
      const data = collection('bad', {
        a: { type: 'strng' },
        b: { type: 'relation', relation: 'oneToOne', target: 'x' },
      })
      const refused = await project.adminRequest('POST', '/content-types', { data })
      assert.deepEqual([refused.status, refused.at('error', 'name')], [400, 'ValidationError'])
      assert.deepEqual(refused.at('error', 'details', 'errors', 0, 'path'), ['attributes', 'a', 'type'])
      assert.match(refused.text, /strng/)
      assert.ok(!existsSync(join(project.folder, 'src/api/bad')))
      for (const wrong of [
        undefined,
        {},
        { info: {} },
        { uid: 'plugin::a.b' },
        { uid: 'api::../../x.y' },
        7,
      ]) {
        const response = await project.adminRequest('POST', '/content-types', { data: wrong })
        assert.equal(response.status, 400, JSON.stringify(wrong))
      }
      const again = await project.adminRequest('POST', '/content-types', { data: collection('memo', {}) })
      assert.deepEqual([again.status, again.at('error', 'name')], [400, 'ApplicationError'])
      const builtIn = await project.adminRequest('DELETE', '/content-types/plugin::upload.file?confirm=true')
      assert.deepEqual([builtIn.status, builtIn.at('error', 'name')], [400, 'ApplicationError'])
      assert.equal((await project.adminRequest('POST', '/content-types?dryRun=maybe', { data })).status, 400)
    })
  })

  describe('a component', () => {
    it('is created, used, changed and dropped', async () => {
      const seo = { uid: 'shared.seo', ...component('shared.seo', { title: string, hint: string }) }
      assert.equal((await project.adminRequest('POST', '/components', { data: seo })).status, 201)
      const page = collection('page', { seo: { type: 'component', component: 'shared.seo' } })
      assert.equal((await project.adminRequest('POST', '/content-types', { data: page })).status, 201)
      const id = await create('pages', { seo: { title: 'T', hint: 'H' } })
      const renamed = component('shared.seo', { heading: { ...string, renamedFrom: 'title' }, hint: string })
      const changed = await project.adminRequest('PUT', '/components/shared.seo', { data: renamed })
      assert.equal(changed.status, 200, changed.text)
      const shown = async () =>
        (await project.request('GET', `/api/pages/${id}?populate=*`)).at('data', 'seo')
      const before = Object(await shown())
      assert.deepEqual([before.heading, before.hint], ['T', 'H'])
      const smaller = component('shared.seo', { heading: { ...string, renamedFrom: 'title' } })
      assert.equal(
        (await project.adminRequest('PUT', '/components/shared.seo', { data: smaller })).status,
        400,
      )
      await project.adminRequest('PUT', '/components/shared.seo?confirm=true', { data: smaller })
      assert.deepEqual(Object.keys(Object(await shown())), ['id', 'documentId', 'heading'])
      assert.match(project.read(componentFile('shared.seo')), /"renamedFrom": "title"/)
      assert.equal((await project.adminRequest('DELETE', '/components/shared.seo?confirm=true')).status, 400)
      assert.equal(
        (await project.adminRequest('DELETE', '/content-types/api::page.page?confirm=true')).status,
        204,
      )
      assert.equal((await project.adminRequest('DELETE', '/components/shared.seo')).status, 204)
      assert.deepEqual((await project.adminRequest('GET', '/components')).at('data'), [])
      assert.ok(!existsSync(join(project.folder, 'src/components/shared')))
    })
  })

  describe('several content-types', () => {
    it('are changed in one request, as the two sides of a relation require', async () => {
      const author = collection('author', {
        name: string,
        poems: { type: 'relation', relation: 'oneToMany', target: 'api::poem.poem', mappedBy: 'author' },
      })
      const poem = collection('poem', {
        author: {
          type: 'relation',
          relation: 'manyToOne',
          target: 'api::author.author',
          inversedBy: 'poems',
        },
      })
      assert.equal((await project.adminRequest('POST', '/content-types', { data: author })).status, 400)
      const together = await project.adminRequest('PUT', '/schema', {
        data: { contentTypes: [author, poem] },
      })
      assert.equal(together.status, 200, together.text)
      const id = await create('authors', { name: 'Sappho' })
      await create('poems', { author: id })
      const shown = await project.request('GET', `/api/authors/${id}?populate=poems`)
      assert.equal(Array.isArray(shown.at('data', 'poems')), true)
      const remove = { remove: ['api::author.author', 'api::poem.poem'] }
      assert.equal((await project.adminRequest('PUT', '/schema', { data: remove })).status, 400)
      assert.equal((await project.adminRequest('PUT', '/schema?confirm=true', { data: remove })).status, 200)
      assert.equal((await project.request('GET', '/api/poems')).status, 404)
      assert.equal(
        (await project.adminRequest('PUT', '/schema', { data: { remove: ['api::a.a'] } })).status,
        400,
      )
    })
  })

  it('reports when a change was applied but its files could not be written, and writes them with the next change', async () => {
    const project = await openProject(projectFolder({}), await engine.freshUrl())
    const blocking = join(project.folder, typeFile('late'))
    mkdirSync(blocking, { recursive: true })
    const create = (name: string) =>
      project.adminRequest('POST', '/content-types', { data: collection(name, { text: string }) })
    const made = await create('late')
    assert.equal(made.status, 201)
    assert.match(
      String(made.at('meta', 'unwritten')),
      /The change was applied, but the schema files could not be written/,
    )
    assert.equal((await project.request('POST', '/api/lates', { data: { text: 'here' } })).status, 201)
    assert.ok(project.log.some((line) => line.includes('could not be written')))
    assert.deepEqual(readdirSync(dirname(blocking)), ['schema.json'])

    rmdirSync(blocking)
    const next = await create('early')
    assert.deepEqual([next.status, next.at('meta', 'unwritten')], [201, undefined])
    for (const name of ['late', 'early']) assert.match(project.read(typeFile(name)), /"text"/)
    await project.remove()
  })

  it('reports when the file of a dropped content-type could not be deleted', async () => {
    const files = { [typeFile('going')]: collection('going', { text: string }) }
    const project = await openProject(projectFolder(files), await engine.freshUrl())
    const file = join(project.folder, typeFile('going'))
    rmSync(file)
    mkdirSync(file)
    const removed = await project.adminRequest('DELETE', '/content-types/api::going.going?confirm=true')
    assert.equal(removed.status, 200)
    assert.match(String(removed.at('meta', 'unwritten')), /The change was applied/)
    assert.equal((await project.request('GET', '/api/goings')).status, 404)
    await project.remove()
  })

  it('refuses a change if the schema files cannot be written', async () => {
    const folder = projectFolder({ 'src/api/taken': 'a file where a folder should be' })
    const blocked = await openProject(folder, await engine.freshUrl())
    const data = collection('taken', { text: string })
    const refused = await blocked.adminRequest('POST', '/content-types', { data })
    assert.deepEqual([refused.status, refused.at('error', 'name')], [400, 'ApplicationError'])
    assert.match(refused.text, /The schema files cannot be written/)
    assert.equal((await blocked.request('GET', '/api/takens')).status, 404)
    await blocked.remove()
  })

  describe('in production', () => {
    it('changes over HTTP are refused unless the configuration allows them', async () => {
      const folder = projectFolder({ [typeFile('note')]: NOTE })
      const url = await engine.freshUrl()
      const locked = await openProject(folder, url, { production: true })
      const data = collection('extra', { text: string })
      const refused = await locked.adminRequest('POST', '/content-types', { data })
      assert.deepEqual([refused.status, refused.at('error', 'name')], [403, 'ForbiddenError'])
      assert.match(refused.text, /octavo migrate.*schema.editable/)
      assert.equal((await locked.adminRequest('GET', '/content-types')).status, 200)
      await locked.close()

      const editable = { production: true, config: { schema: { editable: true } } }
      const open = await openProject(folder, url, editable)
      assert.equal((await open.adminRequest('POST', '/content-types', { data })).status, 201)
      await open.request('POST', '/api/extras', { data: { text: 'stays' } })
      assert.ok(!existsSync(join(folder, 'src/api/extra')), 'the files of the deployment stay unchanged')
      await open.close()

      const again = await openProject(folder, url, editable)
      assert.equal((await again.request('GET', '/api/extras')).at('data', 0, 'text'), 'stays')
      await again.close()
      await assert.rejects(openProject(folder, url, { production: true }), /api::extra.extra: deleted/)
      rmSync(folder, { recursive: true })
    })
  })
})
