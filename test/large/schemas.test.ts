/** Schema folders of the size of real projects load without changes, are served, and need no migration at the next start. */
import assert from 'node:assert/strict'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type Attribute, componentOf, type Model, type Shape } from '../../src/model/model.ts'
import { onEachEngine } from '../support/engines.ts'
import { openProject, projectFolder } from '../support/project-server.ts'
import { magazine } from './magazine.ts'
import { shop } from './shop.ts'

const SIZE = { types: 15, components: 35 }

/** A valid value for an attribute, with nested component entries; null for relations and media. */
function valueFor(model: Model, attribute: Attribute): unknown {
  switch (attribute.kind) {
    case 'scalar':
      if (attribute.type === 'enumeration') return attribute.enum[0]
      return SAMPLES[attribute.type] ?? TEXTS.find((text) => attribute.regex?.test(text) ?? true)
    case 'component': {
      const entry = valuesOf(model, componentOf(model, attribute.component))
      return attribute.repeatable ? [entry, entry] : entry
    }
    case 'zone':
      return attribute.components.slice(0, 2).map((uid) => ({
        __component: uid,
        ...valuesOf(model, componentOf(model, uid)),
      }))
    default:
      return undefined
  }
}

const valuesOf = (model: Model, shape: Shape): object =>
  Object.fromEntries([...shape.attributes].map(([name, attribute]) => [name, valueFor(model, attribute)]))

const TEXTS = ['text', '/path', '#a0b1c2']

const SAMPLES: Readonly<Record<string, unknown>> = {
  email: 'a@example.test',
  integer: 3,
  biginteger: '9007199254740993',
  decimal: 2.5,
  float: -1.25,
  boolean: true,
  date: '2024-02-29',
  time: '10:00:00.000',
  datetime: '2024-02-29T10:00:00.000Z',
  json: { any: ['thing'] },
  blocks: [{ type: 'paragraph', children: [{ type: 'text', text: 'words' }] }],
  uid: 'a-uid',
}

/** Populates everything at every level. */
function populateOf(model: Model, shape: Shape, path: string): string[] {
  return [...shape.attributes.values()].flatMap((attribute) => {
    const at = `${path}[populate][${attribute.name}]`
    if (attribute.kind === 'component') {
      const inner = populateOf(model, componentOf(model, attribute.component), at)
      return inner.length > 0 ? inner : [`${at}=true`]
    }
    if (attribute.kind !== 'zone') return []
    return attribute.components.flatMap((uid) => {
      const inner = populateOf(model, componentOf(model, uid), `${at}[on][${uid}]`)
      return inner.length > 0 ? inner : [`${at}[on][${uid}]=true`]
    })
  })
}

/** Whether the response contains what was sent: objects may have more keys, lists have the same length. */
function assertHolds(sent: unknown, shown: unknown, at: string): void {
  if (Array.isArray(sent) && Array.isArray(shown)) {
    assert.equal(shown.length, sent.length, at)
    for (const [index, one] of sent.entries()) assertHolds(one, shown[index], `${at}.${index}`)
  } else if (typeof sent === 'object' && sent !== null) {
    for (const [key, value] of Object.entries(sent)) assertHolds(value, Object(shown)[key], `${at}.${key}`)
  } else if (sent !== undefined) assert.deepEqual(shown, sent, at)
}

onEachEngine((engine) => {
  for (const [name, files] of [
    ['a magazine', magazine()],
    ['a shop', shop()],
  ] as const) {
    describe(`the schema folder of ${name}`, () => {
      it('loads unchanged, serves every content-type completely, and needs no migration', async () => {
        const folder = projectFolder(files)
        const bytes = () =>
          globSync('src/**/*.json', { cwd: folder })
            .sort()
            .map((file) => [file, readFileSync(join(folder, file), 'utf8')])
        const before = bytes()
        const url = await engine.freshUrl()
        const project = await openProject(folder, url, {
          watch: true,
          config: { api: { rest: { bounds: { planSize: 5000 } } } },
        })
        const { model } = project.server.layout()
        assert.deepEqual({ types: model.endpoints.size, components: model.components.size }, SIZE)
        for (const [segment, type] of model.endpoints) {
          const data = visible(model, type)
          const method = type.kind === 'single' ? 'PUT' : 'POST'
          const written = await project.request(method, `/api/${segment}`, { data: valuesOf(model, type) })
          assert.ok(written.status < 300, `${segment}: ${written.text.slice(0, 500)}`)
          const id = type.kind === 'single' ? '' : `/${written.at('data', 'documentId')}`
          const query = populateOf(model, type, '').map((part) => part.replace(/^\[populate\]/, 'populate'))
          const shown = await project.request('GET', `/api/${segment}${id}?${query.join('&')}`)
          assert.equal(shown.status, 200, shown.text.slice(0, 500))
          assertHolds(data, shown.at('data'), segment)
        }
        const openapi = await project.request('GET', '/api/openapi.json')
        assert.equal(openapi.status, 200)
        const responses = await Promise.all(
          [...model.endpoints.keys()].map((one) => project.request('GET', `/api/${one}?populate=*`)),
        )
        await project.close()

        const again = await openProject(folder, url, { production: true })
        for (const [index, segment] of [...model.endpoints.keys()].entries()) {
          assert.equal(
            (await again.request('GET', `/api/${segment}?populate=*`)).text,
            responses[index]?.text,
          )
        }
        await again.close()
        assert.deepEqual(bytes(), before)
        rmSync(folder, { recursive: true })
      })
    })
  }
})

/** The values without private attributes and passwords. */
function visible(model: Model, shape: Shape): object {
  const shown = (attribute: Attribute): unknown => {
    if (attribute.private || (attribute.kind === 'scalar' && attribute.type === 'password')) return undefined
    if (attribute.kind === 'component') {
      const entry = visible(model, componentOf(model, attribute.component))
      return attribute.repeatable ? [entry, entry] : entry
    }
    if (attribute.kind === 'zone')
      return attribute.components
        .slice(0, 2)
        .map((uid) => ({ __component: uid, ...visible(model, componentOf(model, uid)) }))
    return valueFor(model, attribute)
  }
  return Object.fromEntries([...shape.attributes].map(([name, attribute]) => [name, shown(attribute)]))
}
