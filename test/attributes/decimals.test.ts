/** A decimal is stored, compared and returned with all of its digits, or refused; both engines do the same. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { request } from '../access/client.ts'
import { onEachEngineVersion } from '../support/engines.ts'
import { collection, component, componentFile, typeFile } from '../support/project-server.ts'
import { serve, type TestServer } from '../support/server.ts'

const TOKEN = 'full-token-of-the-decimals-0123456789'
const decimal = { type: 'decimal' }
const PROJECT = new Map<string, unknown>([
  [
    typeFile('thing'),
    collection('thing', {
      price: decimal,
      weight: { type: 'float' },
      count: { type: 'integer' },
      big: { type: 'biginteger' },
      any: { type: 'json' },
      title: { type: 'string' },
      part: { type: 'component', component: 'a.part' },
      zone: { type: 'dynamiczone', components: ['a.part'] },
    }),
  ],
  [componentFile('a.part'), component('a.part', { price: decimal })],
  ['src/extensions/users-permissions/content-types/user/schema.json', { attributes: { balance: decimal } }],
  ['config/tokens.json', { full: { type: 'full-access', token: TOKEN } }],
])

const EXACT = [
  '0.1',
  '12.50',
  '-123456789.012345',
  '999999999999999',
  '0.000000123456789',
  '1e21',
  '9007199254740992',
]
const INEXACT = [
  '12345678901234567890.12',
  '9007199254740993',
  '-9007199254740993.5',
  '0.12345678901234567890',
  '0.10000000000000001',
  '123456789012345.67891',
  '1e-400',
]

onEachEngineVersion((engine) => {
  let running: TestServer
  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl())
  })
  after(() => running?.close())

  /** Sends a body as text: a JavaScript number would have lost the digits already. */
  const post = (body: string, path = '/api/things') =>
    request(running.server, 'POST', path, {
      as: TOKEN,
      body,
      headers: { 'content-type': 'application/json' },
    })
  const get = (query: string) => request(running.server, 'GET', `/api/things?${query}`, { as: TOKEN })

  it('digits are kept, in bodies, filters and responses', async () => {
    for (const number of EXACT)
      for (const sent of [number, `"${number}"`]) {
        const response = await post(
          `{"data":{"price":${sent},"part":{"price":${sent}}}}`,
          '/api/things?populate=part',
        )
        assert.equal(response.status, 201, response.text)
        const shown = JSON.stringify(Number(number))
        assert.ok(response.text.includes(`"price":${shown}`), `${number}: ${response.text}`)
        const found = await get(`filters[price]=${number}&populate=part`)
        assert.ok(Number(found.at('meta', 'pagination', 'total')) > 0, number)
        assert.ok(found.text.includes(`"price":${shown}`), found.text)
      }
  })

  it('a number that would lose digits is refused in bodies, with its path', async () => {
    for (const number of INEXACT)
      for (const sent of [number, `"${number}"`]) {
        const member = `"price":${sent}`
        for (const [data, path] of [
          [`{${member}}`, 'price'],
          [`{"part":{${member}}}`, 'part.price'],
          [`{"zone":[{"__component":"a.part",${member}}]}`, 'zone.0.price'],
        ] as const) {
          const single = await post(`{"data":${data}}`)
          const operation = `{"method":"POST","path":"/api/things","body":{"data":${data}}}`
          const batch = await post(`{"operations":[${operation}]}`, '/api/batch')
          for (const { status, at, text } of [single, batch]) {
            assert.equal(status, 400, `${data}: ${text}`)
            assert.deepEqual(at('error', 'details', 'errors', 0, 'path'), path.split('.'))
            assert.match(String(at('error', 'message')), /digits/)
          }
        }
      }
    assert.equal((await get('filters[price][$gt]=1234567890123456')).at('meta', 'pagination', 'total'), 2 * 2)
  })

  it('a number that would lose digits is refused in filters', async () => {
    for (const number of INEXACT)
      for (const filter of [`[price]=`, `[price][$gt]=`, `[price][$in][0]=1&filters[price][$in][1]=`]) {
        const response = await get(`filters${filter}${number}`)
        assert.equal(response.status, 400, response.text)
        assert.match(response.text, /digits/)
      }
  })

  it('users have the same rule', async () => {
    const role = await running.server.access.roles.documentIdOf('authenticated')
    const user = (name: string, balance: string) =>
      post(
        `{"username":"${name}","email":"${name}@example.test","password":"a good Passw0rd","role":"${role}","balance":${balance}}`,
        '/api/users',
      )
    assert.equal((await user('poor', '12345678901234567890.12')).status, 400)
    assert.equal((await user('rich', '1234567890.12')).status, 201)
  })

  it('other types keep what they can, and refuse the rest', async () => {
    const number = '0.12345678901234567890'
    const float = await post(`{"data":{"weight":${number}}}`)
    assert.equal(float.at('data', 'weight'), 0.12345678901234568)
    const big = await post('{"data":{"big":-9007199254740993}}')
    assert.equal(big.at('data', 'big'), '-9007199254740993')
    for (const data of [
      `{"any":${number}}`,
      `{"any":{"deep":[1,${number}]}}`,
      `{"any":[{"n":12345678901234567890.12}]}`,
    ])
      assert.equal((await post(`{"data":${data}}`)).status, 400, data)
    for (const data of [
      '{"count":9007199254740993}',
      '{"title":12345678901234567890}',
      '{"big":92233720368547758080}',
    ])
      assert.equal((await post(`{"data":${data}}`)).status, 400, data)
    // Digits in texts are no numbers.
    const text = '12345678901234567890.12'
    const kept = await post(`{"data":{"title":"${text}","any":{"text":"${text}"}}}`)
    assert.deepEqual([kept.at('data', 'title'), kept.at('data', 'any', 'text')], [text, text])
  })
})
