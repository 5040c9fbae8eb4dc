/** `unique` on a content-type: no two published documents have the same value, however long it may be. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { collection, openWorld, projectFolder, typeFile, type World } from '../live/world.ts'
import { onEachEngine } from '../support/engines.ts'

const paragraph = (text: string) => [{ type: 'paragraph', children: [{ type: 'text', text }] }]

/** By attribute: its description, and a value for a name. */
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
  let world: World
  before(async () => {
    const attributes = Object.entries(kinds).map(([name, [attribute]]) => [
      name,
      { ...attribute, unique: true },
    ])
    const folder = projectFolder({ [typeFile('one')]: collection('one', Object.fromEntries(attributes)) })
    world = await openWorld(folder, await engine.freshUrl())
  })
  after(() => world?.remove())

  const all = (word: string) =>
    Object.fromEntries(Object.entries(kinds).map(([name, [, value]]) => [name, value(word)]))
  const pathsOf = (answer: Awaited<ReturnType<World['ask']>>) => {
    const found = answer.at('error', 'details', 'errors')
    assert.ok(Array.isArray(found), answer.text)
    return found.map(({ path }) => path.join('.')).toSorted()
  }

  it('names every value that is taken, and every other mistake beside them', async () => {
    const names = Object.keys(kinds).toSorted()
    assert.equal((await world.ask('POST', '/api/ones', { data: all('every') })).status, 201)
    assert.deepEqual(pathsOf(await world.ask('POST', '/api/ones', { data: all('every') })), names)
    const mistaken = { ...all('every'), plain: 5 }
    assert.deepEqual(pathsOf(await world.ask('POST', '/api/ones', { data: mistaken })), names)
    const operations = [{ method: 'POST', path: '/api/ones', body: { data: all('every') } }]
    const batch = await world.ask('POST', '/api/batch', { operations })
    assert.equal(batch.status, 400, batch.text)
    assert.equal(pathsOf(batch).length, names.length, batch.text)
    const other = await world.ask('POST', '/api/ones', { data: all('elsewhere') })
    const put = { data: { plain: 'every', text: all('every').text, long: all('elsewhere').long } }
    const changed = await world.ask('PUT', `/api/ones/${other.at('data', 'documentId')}`, put)
    assert.deepEqual(pathsOf(changed), ['plain', 'text'])
  })

  for (const [name, [, value]] of Object.entries(kinds)) {
    it(`refuses a value of ${name} that another document has, and says which attribute it is`, async () => {
      const make = (word: string) => world.ask('POST', '/api/ones', { data: { [name]: value(word) } })
      assert.equal((await make('first')).status, 201)
      const refused = await make('first')
      assert.equal(refused.status, 400, refused.text)
      assert.deepEqual(refused.at('error', 'details', 'errors', 0, 'path'), [name])
      assert.match(String(refused.at('error', 'message')), new RegExp(`^${name} must be unique`))
      assert.equal((await make('other')).status, 201)
    })
  }
})
