/** `unique` on a content-type: no two published documents have the same value, however long it is. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import {
  collection,
  openProject,
  type ProjectServer,
  projectFolder,
  typeFile,
} from '../support/project-server.ts'

const paragraph = (text: string) => [{ type: 'paragraph', children: [{ type: 'text', text }] }]

/** For each attribute its definition, and a value made from a name. */
const kinds: Readonly<Record<string, readonly [attribute: object, value: (name: string) => unknown]>> = {
  plain: [{ type: 'string' }, (name) => name],
  Mixed_Case: [{ type: 'text' }, (name) => name],
  text: [{ type: 'text' }, (name) => name.repeat(3_000)],
  richtext: [{ type: 'richtext' }, (name) => `# ${name}`],
  json: [{ type: 'json' }, (name) => ({ name, list: [1, 'a=b', '(c)=(d)'] })],
  blocks: [{ type: 'blocks' }, paragraph],
  long: [{ type: 'string', maxLength: 601 }, (name) => name.padEnd(601, '.')],
}

onEachEngine((engine) => {
  let project: ProjectServer
  before(async () => {
    const attributes = Object.entries(kinds).map(([name, [attribute]]) => [
      name,
      { ...attribute, unique: true },
    ])
    const folder = projectFolder({ [typeFile('one')]: collection('one', Object.fromEntries(attributes)) })
    project = await openProject(folder, await engine.freshUrl())
  })
  after(() => project?.remove())

  const all = (word: string) =>
    Object.fromEntries(Object.entries(kinds).map(([name, [, value]]) => [name, value(word)]))
  const pathsOf = (response: Awaited<ReturnType<ProjectServer['request']>>) => {
    const found = response.at('error', 'details', 'errors')
    assert.ok(Array.isArray(found), response.text)
    return found.map(({ path }) => path.join('.')).toSorted()
  }

  it('lists every value that is taken, together with all other problems', async () => {
    const names = Object.keys(kinds).toSorted()
    assert.equal((await project.request('POST', '/api/ones', { data: all('every') })).status, 201)
    assert.deepEqual(pathsOf(await project.request('POST', '/api/ones', { data: all('every') })), names)
    const alsoInvalid = { ...all('every'), plain: 5 }
    assert.deepEqual(pathsOf(await project.request('POST', '/api/ones', { data: alsoInvalid })), names)
    const operations = [{ method: 'POST', path: '/api/ones', body: { data: all('every') } }]
    const batch = await project.request('POST', '/api/batch', { operations })
    assert.equal(batch.status, 400, batch.text)
    assert.equal(pathsOf(batch).length, names.length, batch.text)
    const other = await project.request('POST', '/api/ones', { data: all('elsewhere') })
    const put = { data: { plain: 'every', text: all('every').text, long: all('elsewhere').long } }
    const changed = await project.request('PUT', `/api/ones/${other.at('data', 'documentId')}`, put)
    assert.deepEqual(pathsOf(changed), ['plain', 'text'])
  })

  for (const [name, [, value]] of Object.entries(kinds)) {
    it(`refuses a value of ${name} that another document has, and names the attribute`, async () => {
      const make = (word: string) => project.request('POST', '/api/ones', { data: { [name]: value(word) } })
      assert.equal((await make('first')).status, 201)
      const refused = await make('first')
      assert.equal(refused.status, 400, refused.text)
      assert.deepEqual(refused.at('error', 'details', 'errors', 0, 'path'), [name])
      assert.match(String(refused.at('error', 'message')), new RegExp(`^${name} must be unique`))
      assert.equal((await make('other')).status, 201)
    })
  }

  it('lets documents share an empty string, in every kind of write', async () => {
    const empty = { plain: '', Mixed_Case: '', text: '', richtext: '', long: '' }
    const operations = [1, 2].map(() => ({ method: 'POST', path: '/api/ones', body: { data: empty } }))
    const batch = await project.request('POST', '/api/batch', { operations })
    assert.equal(batch.status, 200, batch.text)
    const made = await project.request('POST', '/api/ones', { data: { ...empty, json: { name: 'third' } } })
    assert.equal(made.status, 201, made.text)
    const changed = await project.request('PUT', `/api/ones/${made.at('data', 'documentId')}`, {
      data: { ...empty, plain: 'filled' },
    })
    assert.equal(changed.status, 200, changed.text)
    const refused = await project.request('POST', '/api/ones', {
      data: { ...empty, json: { name: 'third' } },
    })
    assert.deepEqual(pathsOf(refused), ['json'])
    for (const name of Object.keys(empty)) {
      const found = await project.request('GET', `/api/ones?filters[${name}][$eq]=&sort=${name}`)
      const values = found.at('data')
      assert.ok(Array.isArray(values) && values.length === (name === 'plain' ? 2 : 3), found.text)
    }
  })

  it('refuses a duplicate after the attribute has become a text while the server runs', async () => {
    const type = (attribute: object) =>
      collection('turned', { name: { ...attribute, unique: true }, rank: { type: 'integer' } })
    const created = await project.adminRequest('POST', '/content-types', {
      data: { uid: 'api::turned.turned', ...type({ type: 'string' }) },
    })
    assert.equal(created.status, 201, created.text)
    const assertTaken = async () => {
      for (const rank of [1, 'not a number']) {
        const refused = await project.request('POST', '/api/turneds', { data: { name: 'same', rank } })
        assert.equal(refused.status, 400, refused.text)
        assert.ok(pathsOf(refused).includes('name'), refused.text)
      }
    }
    assert.equal((await project.request('POST', '/api/turneds', { data: { name: 'same' } })).status, 201)
    await assertTaken()
    const changed = await project.adminRequest('PUT', '/content-types/api::turned.turned', {
      data: type({ type: 'text' }),
    })
    assert.equal(changed.status, 200, changed.text)
    await assertTaken()
  })
})
