/**
 * Private attributes cannot be guessed: for every private attribute, parameter, operator and path to it, a right and a
 * wrong guess get the same response.
 */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type Attribute, type ContentType, type Model, USER } from '../../src/model/model.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { request, signUp } from './client.ts'
import { PROJECT, TOKENS } from './project.ts'

/** A stored and a missing value of each private attribute. */
const HIDDEN: Record<string, readonly [right: string, wrong: string]> = {
  secret: ['right-secret', 'wrong-secret'],
  level: ['42', '43'],
  pin: ['right-pin-1234', 'wrong-pin-1234'],
  key: ['right-key', 'wrong-key'],
  code: ['right-code', 'wrong-code'],
  apiKey: ['right-apikey', 'wrong-apikey'],
  password: ['$argon2id$', '$bcrypt$'],
  shadow: ['Hidden topic', 'No topic'],
  folderPath: ['/right', '/wrong'],
  crop: ['{"x":10.5}', '{"x":99.5}'],
  original: ['original_right', 'original_wrong'],
}

const OPERATORS = [
  ...['$eq', '$eqi', '$ne', '$nei', '$lt', '$lte', '$gt', '$gte', '$in', '$notIn', '$between'],
  ...['$contains', '$notContains', '$containsi', '$notContainsi', '$startsWith', '$startsWithi'],
  ...['$endsWith', '$endsWithi', '$null', '$notNull', '$not][$eq', '$or][0', '$and][0'],
]

/** Where an attribute can be named in a query: as brackets, and as a dotted name. */
interface AttributePath {
  readonly endpoint: string
  readonly brackets: string
  readonly dotted: string
}

interface Hidden {
  readonly attribute: Attribute
  readonly paths: readonly AttributePath[]
}

const endpointOf = (type: ContentType) =>
  type.uid === USER ? '/api/users' : type.generated ? `/api/${type.plural}` : null

const isHidden = (attribute: Attribute) =>
  attribute.private || (attribute.kind === 'scalar' && attribute.type === 'password')

/** The types themselves, and whatever leads to them in one or two steps. */
function pathsOf(model: Model, target: ContentType): AttributePath[] {
  const direct = endpointOf(target)
  const start: AttributePath[] = direct === null ? [] : [{ endpoint: direct, brackets: '', dotted: '' }]
  const leading = [...model.types.values()].flatMap((type) =>
    [...type.attributes.values()].flatMap((attribute) => {
      const endpoint = endpointOf(type)
      const leads = attribute.kind === 'relation' && attribute.target === target.uid && !attribute.private
      return leads && endpoint !== null ? [{ endpoint, type, name: attribute.name }] : []
    }),
  )
  const one = leading.map(({ endpoint, name }) => ({ endpoint, brackets: `[${name}]`, dotted: `${name}.` }))
  const two = leading.flatMap((last) =>
    [...last.type.attributes.values()].flatMap((first) => {
      const endpoint = first.kind === 'relation' && first.other !== null && first.target !== null
      const from = endpoint ? model.types.get(first.target ?? '') : undefined
      const at = from ? endpointOf(from) : null
      return endpoint && at !== null
        ? [
            {
              endpoint: at,
              brackets: `[${first.other}][${last.name}]`,
              dotted: `${first.other}.${last.name}.`,
            },
          ]
        : []
    }),
  )
  return [...start, ...one, ...two]
}

/** Every hidden attribute of content-types and of components, with the paths that lead to it. */
function hiddenIn(model: Model): Hidden[] {
  return [...model.types.values()].flatMap((type) => {
    const paths = pathsOf(model, type)
    const own = [...type.attributes.values()].filter(isHidden).map((attribute) => ({ attribute, paths }))
    const inside = [...type.attributes.values()].flatMap((parent) => {
      const component = parent.kind === 'component' ? model.components.get(parent.component) : undefined
      return [...(component?.attributes.values() ?? [])].filter(isHidden).map((attribute) => ({
        attribute,
        paths: paths.map((path) => ({
          ...path,
          brackets: `${path.brackets}[${parent.name}]`,
          dotted: `${path.dotted}${parent.name}.`,
        })),
      }))
    })
    return [...own, ...inside]
  })
}

/** Query strings that try to learn something about the attribute at a path. */
function queriesFor(attribute: Attribute, { brackets, dotted }: AttributePath, guess: string): string[] {
  const value = encodeURIComponent(guess)
  const name = attribute.name
  const key = attribute.kind === 'scalar' ? `[${name}]` : `[${name}][name]`
  const sorted = attribute.kind === 'scalar' ? name : `${name}.name`
  const filters = ['', ...OPERATORS.map((operator) => `[${operator}]`)].map(
    (operator) => `filters${brackets}${key}${operator}=${value}`,
  )
  const wrapped = [
    `filters[$or][0]${brackets}${key}=${value}`,
    `filters[$not]${brackets}${key}[$eq]=${value}`,
    `filters${brackets}[$and][0]${key}[$startsWith]=${value}`,
  ]
  const sorts = ['', ':desc'].map((order) => `sort=${dotted}${sorted}${order}`)
  const steps = [...brackets.matchAll(/\[(\w+)\]/g)].map(([, step]) => step)
  const path = steps.map((step) => `[${step}]`).join('[populate]')
  const populated =
    steps.length === 0
      ? [`fields=${name}`, `fields[0]=${name}`, `populate=${name}`, `populate[0]=${name}`]
      : [
          `populate${path}[fields]=${name}`,
          `populate${path}[filters]${key}[$startsWith]=${value}`,
          `populate${path}[sort]=${sorted}`,
          `populate=${dotted}${name}`,
        ]
  return [...filters, ...wrapped, ...sorts, ...populated]
}

onEachEngine((engine) => {
  let running: TestServer
  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl())
    const { server } = running
    const component = await signUp(server, 'component')
    const write = async (method: 'POST' | 'PUT', url: string, body: unknown) => {
      const response = await request(server, method, url, { as: TOKENS.full, body })
      assert.ok(response.status < 300, response.text)
      return response.at('data', 'documentId')
    }
    await write('PUT', `/api/users/${component.id}`, { apiKey: 'right-apikey' })
    const shadow = await write('POST', '/api/topics', { data: { name: 'Hidden topic', key: 'right-key' } })
    const topic = await write('POST', '/api/topics', { data: { name: 'Topic', key: 'right-key' } })
    const card = { label: 'L', code: 'right-code' }
    const data = {
      title: 'Note',
      secret: 'right-secret',
      level: 42,
      pin: 'right-pin-1234',
      card,
      cards: [card],
    }
    await write('POST', '/api/notes', { data: { ...data, owner: component.documentId, topic, shadow } })
    await write('POST', '/api/notes', { data: { title: 'Other', owner: component.documentId, topic } })
  })
  after(() => running?.close())

  it('the model has private attributes of every kind', () => {
    const hidden = hiddenIn(running.server.layout().model).map(({ attribute }) => attribute.name)
    assert.deepEqual([...new Set(hidden)].sort(), Object.keys(HIDDEN).sort())
  })

  it('a guess at a public attribute succeeds', async () => {
    const find = async (title: string) =>
      (
        await request(running.server, 'GET', `/api/topics?filters[notes][title]=${title}`, {
          as: TOKENS.full,
        })
      ).text
    assert.notEqual(await find('Note'), await find('Nope'))
  })

  it('right and wrong guesses get the same response, for every attribute, parameter, operator and path', async () => {
    let options = 0
    for (const { attribute, paths } of hiddenIn(running.server.layout().model)) {
      const [right, wrong] = HIDDEN[attribute.name] ?? ['', '']
      for (const path of paths) {
        const guesses = queriesFor(attribute, path, right)
        const misses = queriesFor(attribute, path, wrong)
        for (const [index, query] of guesses.entries()) {
          const url = `${path.endpoint}?${query}`
          const hit = await request(running.server, 'GET', url, { as: TOKENS.full })
          const miss = await request(running.server, 'GET', `${path.endpoint}?${misses[index]}`, {
            as: TOKENS.full,
          })
          assert.equal(hit.status, 400, url)
          assert.deepEqual([hit.status, hit.text], [miss.status, miss.text], url)
          options += 1
        }
      }
    }
    assert.ok(options > 500, String(options))
  })

  it('_q does not search private attributes', async () => {
    for (const endpoint of ['/api/notes', '/api/topics', '/api/users']) {
      for (const [right, wrong] of Object.values(HIDDEN)) {
        if (right === 'Hidden topic') continue
        const search = (text: string) =>
          request(running.server, 'GET', `${endpoint}?_q=${encodeURIComponent(text)}`, { as: TOKENS.full })
        const [hit, miss] = [await search(right), await search(wrong)]
        assert.deepEqual([hit.status, hit.text], [miss.status, miss.text], `${endpoint} ${right}`)
      }
    }
  })

  it('no response contains a private attribute', async () => {
    const { model } = running.server.layout()
    for (const type of model.types.values()) {
      const endpoint = endpointOf(type)
      if (endpoint === null) continue
      for (const query of ['', '?populate=*', '?fields=*', '?populate[notes][populate]=*', '?status=draft']) {
        const { status, text } = await request(running.server, 'GET', endpoint + query, { as: TOKENS.full })
        if (status !== 200) continue
        for (const [right] of Object.values(HIDDEN))
          if (right !== 'Hidden topic' && right !== '42')
            assert.ok(!text.includes(right), `${endpoint}${query}`)
        assert.ok(!/"(secret|level|pin|key|code|apiKey|password|shadow)"/.test(text), `${endpoint}${query}`)
      }
    }
  })

  it('column names, aliases and prefixes are unknown names', async () => {
    const names = [
      ...[
        'a_secret',
        'a_password',
        'document_id',
        'served',
        'created_by',
        'createdBy',
        'updatedBy',
        'published',
      ],
      ...[
        't0.secret',
        't.a_secret',
        '"a_secret"',
        'a_secret--',
        'revision',
        'rowid',
        'octavo_notes.a_secret',
      ],
      ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'],
    ]
    for (const name of names) {
      const coded = encodeURIComponent(name)
      for (const query of [
        `filters[${coded}]=right-secret`,
        `filters[${coded}][$startsWith]=r`,
        `filters[topic][${coded}][$notNull]=true`,
        `sort=${coded}`,
        `fields=${coded}`,
        `populate=${coded}`,
        `populate[topic][fields]=${coded}`,
      ]) {
        const { status } = await request(running.server, 'GET', `/api/notes?${query}`, { as: TOKENS.full })
        assert.equal(status, 400, query)
      }
    }
  })
})
