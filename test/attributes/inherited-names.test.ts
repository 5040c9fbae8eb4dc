/** Attributes whose names every JavaScript object inherits, or that are words of SQL, are attributes like any others. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
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

const NAMES = [
  ...['constructor', 'hasOwnProperty', 'isPrototypeOf', 'prototype', 'toJSON', 'toString', 'valueOf', 'then'],
  ...['length', 'name', 'select', 'order', 'group', 'from', 'where', 'null', 'user'],
]

const attributes = Object.fromEntries(NAMES.map((name) => [name, string]))
const values = Object.fromEntries(NAMES.map((name) => [name, `the ${name}`]))
const nothing = Object.fromEntries(NAMES.map((name) => [name, null]))

onEachEngine((engine) => {
  let project: ProjectServer
  let full = ''
  let empty = ''
  before(async () => {
    const relation = { type: 'relation', relation: 'oneToMany', target: 'api::thing.thing' }
    const folder = projectFolder({
      [typeFile('thing')]: collection('thing', {
        ...attributes,
        watch: { type: 'component', component: 'part.names' },
        propertyIsEnumerable: relation,
      }),
      [componentFile('part.names')]: component('part.names', attributes),
    })
    project = await openProject(folder, await engine.freshUrl())
    const create = async (data: object) =>
      String((await project.request('POST', '/api/things', { data })).at('data', 'documentId'))
    empty = await create({ watch: {} })
    full = await create({ ...values, watch: values, propertyIsEnumerable: [empty] })
  })
  after(() => project?.remove())

  const read = async (path: string) => {
    const response = await project.request('GET', path)
    assert.equal(response.status, 200, `${path}: ${response.text}`)
    return response
  }
  /** The attributes with these names of an object in a response. */
  const named = (object: unknown) => {
    assert.ok(typeof object === 'object' && object !== null)
    return Object.fromEntries(Object.entries(object).filter(([name]) => NAMES.includes(name)))
  }
  const idsAt = async (path: string) => {
    const found = (await read(path)).at('data')
    assert.ok(Array.isArray(found), path)
    return found.map(({ documentId }) => documentId)
  }

  it('return what was sent, and null where nothing was sent', async () => {
    const written = await read(`/api/things/${full}?populate=*`)
    assert.deepEqual(named(written.at('data')), values)
    assert.deepEqual(named(written.at('data', 'watch')), values)
    assert.deepEqual(named(written.at('data', 'propertyIsEnumerable', 0)), nothing)
    const blank = await read(`/api/things/${empty}?populate=*`)
    assert.deepEqual(named(blank.at('data')), nothing)
    assert.deepEqual(named(blank.at('data', 'watch')), nothing)
  })

  it('can be filtered, sorted and selected', async () => {
    for (const name of NAMES) {
      assert.deepEqual(await idsAt(`/api/things?filters[${name}][$eq]=the ${name}`), [full], name)
      assert.deepEqual(await idsAt(`/api/things?filters[watch][${name}][$eq]=the ${name}`), [full], name)
      assert.deepEqual(await idsAt(`/api/things?filters[${name}][$null]=true`), [empty], name)
      assert.equal((await idsAt(`/api/things?sort=${name}`)).length, 2, name)
      const selected = await read(`/api/things/${full}?fields[0]=${name}`)
      assert.deepEqual(named(selected.at('data')), { [name]: `the ${name}` })
    }
    const byRelation = `/api/things?filters[propertyIsEnumerable][documentId][$eq]=${empty}`
    assert.deepEqual(await idsAt(byRelation), [full])
  })

  it('change alone', async () => {
    const changed = await project.request('PUT', `/api/things/${full}`, { data: { constructor: 'new' } })
    assert.deepEqual(named(changed.at('data')), { ...values, constructor: 'new' })
  })

  it('are refused where the content-type does not have them', async () => {
    for (const name of ['toLocaleString', '__proto__', '__defineGetter__']) {
      // An object literal would set its prototype.
      const data = JSON.parse(`{"${name}":"x"}`)
      const response = await project.request('POST', '/api/things', { data })
      assert.equal(response.status, 400, name)
      assert.equal((await project.request('GET', `/api/things?sort=${name}`)).status, 400, name)
      assert.equal((await project.request('GET', `/api/things?filters[${name}]=x`)).status, 400, name)
      assert.equal((await project.request('GET', `/api/things?populate=${name}`)).status, 400, name)
    }
  })
})
