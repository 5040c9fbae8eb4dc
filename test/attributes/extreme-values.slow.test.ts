/** Unusual and extreme values in bodies and filters: never a 5xx, and the same response on both engines. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { loadRecording, PROJECT } from '../reference/recording.ts'
import { allEngineVersions } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'

type Odd = string | number | boolean | null | object

const TEXTS: readonly Odd[] = [
  ...[
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'a\udc00',
    '\u2028',
    '\uffff',
    '\u{10ffff}',
    '👩‍👩‍👧',
    'a'.repeat(300),
  ],
  ...[
    'İ',
    'ı',
    'ß',
    'ẞ',
    'ς',
    'Σ',
    'ﬃ',
    'Ǆ',
    'e\u0301',
    '\u00a0',
    '\u200b',
    '\ufeff',
    '../x',
    '<script>',
    '\\',
  ],
]
const NUMBERS: readonly Odd[] = [
  ...[0, -0, 0.1, 1e21, 1e-7, 1e308, 5e-324, 2 ** 31, 2 ** 53, 2 ** 53 + 2, -(2 ** 63), 2 ** 64],
  ...['-0', '+1', '1.0', '1e3', '0x10', '1_000', '١', 'Infinity', 'NaN', '1e999', '00012', ' 1', '0.1'],
  ...['9223372036854775807', '9223372036854775808', '-9223372036854775808', '-9223372036854775809'],
  ...['99999999999999999999999999', '123456789012345678.9'],
]
const TIMES: readonly Odd[] = [
  ...['0000-00-00', '0000-01-01', '0001-01-01', '1582-10-10', '9999-12-31', '10000-01-01', '-000001-01-01'],
  ...[
    '2024-02-30',
    '2023-02-29',
    '24:00:00',
    '23:59:60',
    '23:59:59.9999',
    '12:00',
    'infinity',
    'now',
    'epoch',
  ],
  ...[
    '2024-01-01T00:00:00+23:59',
    '2024-01-01T00:00:00+99:99',
    '9999-12-31T23:59:59.999Z',
    '8640000000000001',
  ],
]
const SHAPES: readonly Odd[] = [
  ...[true, 'TRUE', 't', [], {}, [[]], [null], { a: 1 }, [1, 'a'], { id: 1 }, { set: [] }, 1, 'a'],
  ...[
    { '': 1 },
    { 'a\u0000': 1 },
    { a: '\u0000' },
    { a: '\ud800' },
    { constructor: 1 },
    [{ a: [{ b: [] }] }],
  ],
]

const ODD: Readonly<Record<string, readonly Odd[]>> = {
  name: [...TEXTS, ...SHAPES],
  slug: TEXTS,
  story: TEXTS,
  contact_email: [...TEXTS, 'a@b', 'a@b.c', `${'a'.repeat(250)}@example.test`],
  registration_code: TEXTS,
  phone: TEXTS,
  cuisine: [...TEXTS, ...SHAPES],
  stars: [...NUMBERS, ...SHAPES],
  average_price: NUMBERS,
  rating: NUMBERS,
  visitors: [...NUMBERS, ...SHAPES],
  is_open: [...SHAPES, 0, 2, 'f', ''],
  opened_on: [...TIMES, ...NUMBERS.slice(0, 8)],
  opens_at: [...TIMES, ...SHAPES],
  last_inspection: [...TIMES, ...NUMBERS, ...SHAPES],
  extra: [...TEXTS, ...NUMBERS, ...SHAPES],
  description: SHAPES,
  cover: SHAPES,
  gallery: SHAPES,
  categories: [...SHAPES, '\u0000', ['\u0000'], [{ documentId: '\u0000' }], 2 ** 64, '9223372036854775808'],
  chef: [...SHAPES, '\u0000', -1, 2 ** 64, 1.5],
  address: [
    ...SHAPES,
    { street: '\u0000' },
    { street: '\ud800' },
    { street: 'x', geo: { lat: 1e308, lng: 0 } },
  ],
  menu: [...SHAPES, [{ title: 'a\u0000' }], [{ title: '\ud800' }], [{ id: 2 ** 64, title: 'x' }]],
  zone: [...SHAPES, [{ __component: '\u0000' }], [{ __component: 'block.quote', text: 'a\u0000' }]],
}

describe('both engines return the same response', () => {
  const engines = allEngineVersions()
  const servers: TestServer[] = []
  const token = loadRecording().tokens.full

  before(async () => {
    for (const engine of engines) servers.push(await serve(PROJECT, await engine.freshUrl()))
  })
  after(async () => {
    for (const running of servers) await running.close()
  })

  async function send(method: 'GET' | 'POST', url: string, body?: string) {
    const responses = []
    for (const { server } of servers) {
      const { statusCode, body: text } = await server.app.inject({
        method,
        url,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { payload: body }),
      })
      responses.push({ status: statusCode, text: settled(text) })
    }
    return responses
  }

  const agree = (responses: readonly { status: number; text: string }[], request: string) => {
    const [sqlite, postgres] = responses
    assert.ok(sqlite && postgres)
    assert.ok(sqlite.status < 500, `${request} returned ${sqlite.status} on SQLite: ${sqlite.text}`)
    assert.ok(postgres.status < 500, `${request} returned ${postgres.status} on PostgreSQL: ${postgres.text}`)
    assert.deepEqual(postgres, sqlite, request)
  }

  for (const [name, values] of Object.entries(ODD)) {
    it(`for unusual values of ${name} in a body`, async () => {
      for (const [index, value] of values.entries()) {
        const status = index % 3 === 0 ? 'draft' : 'published'
        const body = JSON.stringify({ data: { ...(name === 'name' ? {} : { name: 'Odd' }), [name]: value } })
        agree(await send('POST', `/api/restaurants?status=${status}`, body), `${status} ${body}`)
      }
    })

    it(`for unusual values in filters on ${name}`, async () => {
      for (const [index, value] of values.filter(isScalar).entries()) {
        const operator = ['$eq', '$lt', '$containsi', '$in', '$startsWith'][index % 5]
        const query = `filters[${name}][${operator}]=${encoded(String(value))}&fields[0]=name&sort=name,id`
        agree(await send('GET', `/api/restaurants?${query}&pagination[pageSize]=5`), query)
      }
    })
  }

  it('for unusual values in a search and in the path', async () => {
    for (const value of [...TEXTS, ...NUMBERS, ...TIMES]) {
      const text = encoded(String(value))
      agree(await send('GET', `/api/restaurants?_q=${text}&fields[0]=name&sort=id`), `_q=${value}`)
      agree(await send('GET', `/api/restaurants/${text || 'x'}`), `path ${value}`)
    }
  })
})

const isScalar = (value: Odd) => typeof value !== 'object'

/** Percent-encoded; lone surrogates as the bytes that a faulty client would send. */
const encoded = (text: string) =>
  [...text]
    .map((character) => (/[\ud800-\udfff]/u.test(character) ? '%ED%A0%80' : encodeURIComponent(character)))
    .join('')

/** Without values that differ between runs. */
const settled = (text: string) =>
  text
    .replace(/"documentId":"[a-z0-9]{24}"/g, '"documentId":"…"')
    .replace(/"(createdAt|updatedAt|publishedAt)":"[^"]*"/g, '"$1":"…"')
    .replace(/"requestId":"[^"]*"/g, '"requestId":"…"')
