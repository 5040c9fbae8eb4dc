/** A search index changes how documents are found, never which: a type with one is compared with a type without. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { onEachEngine } from '../support/engines.ts'
import { encodedPath, sendRequest } from '../support/http-request.ts'
import { jsonAt } from '../support/json-body.ts'
import {
  collection,
  openProject,
  type ProjectServer,
  projectFolder,
  typeFile,
} from '../support/project-server.ts'

const attributes = {
  code: { type: 'integer' },
  title: { type: 'string' },
  body: { type: 'richtext' },
  mood: { type: 'enumeration', enum: ['Sunny', 'Rainy'] },
  secret: { type: 'string', private: true },
  aside: { type: 'string', searchable: false },
}
const type = (name: string, options: object) =>
  collection(name, attributes, { options: { draftAndPublish: true, ...options } })

const SPECIAL = [
  '%',
  '_',
  '\\',
  '"',
  "'",
  '*',
  '\n',
  ' ',
  '(',
  'AND',
  'É',
  'ß',
  'ẞ',
  'Σς',
  'İı',
  '😀',
  '𐐀',
  '日本語',
  'ﬃ',
]

const TITLES = [
  'Chez Émile — 100% “bon”',
  'CHEZ ÉMILE',
  'Straße STRASSE STRAẞE',
  'ΣΊΣΥΦΟΣ σίσυφος',
  'İstanbul ıstanbul',
  '日本語のテキスト',
  '😀😀😀 𐐀𐐁𐐂 𐐨𐐩𐐪',
  'a_b_c a%b%c a\\b\\c',
  'say "AND" OR ("NOT") near*',
  "it's 2024 already",
  'あいうえおかきくけこ日本 abc日本語def',
  // A private character, as icon fonts use them.
  '\uE000Home of the brave',
  'pneumonoultramicroscopicsilicovolcanoconiosis-and-more',
  'ab',
  '',
]

/** Text that moves the rows before it into the index. */
const LONG = Array.from({ length: 4_000 }, (_, index) => `word${(index * 7_919) % 4_003}`).join(' ')

/** A hundred words that end in the same way. */
const SAME_END = Array.from({ length: 100 }, (_, index) => `${index}harbour zebra`).join(' ')
/** Terms of which the first part is in many words; with the second, more than a search compares begin in the same way. */
const COMMON_PARTS = ['harbour zebra', 'harbour word', 'arbour word7 w', 'word zebra']

const word = fc.oneof(
  fc.constantFrom(...SPECIAL, ...TITLES),
  fc
    .constantFrom(...TITLES, LONG.slice(0, 300))
    .chain((text) =>
      fc
        .tuple(fc.nat(Math.max(text.length - 1, 0)), fc.integer({ min: 1, max: 12 }))
        .map(([start, length]) => [...text].slice(start, start + length).join('')),
    ),
)
const pattern = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 2 }), fc.constantFrom('as', 'lower', 'upper'))
  .map(([words, letterCase]) => {
    const text = words.join('')
    return letterCase === 'as' ? text : letterCase === 'lower' ? text.toLowerCase() : text.toUpperCase()
  })
  .filter((text) => text !== '' && text.isWellFormed())

const OPERATORS = [
  '$contains',
  '$containsi',
  '$startsWith',
  '$startsWithi',
  '$endsWith',
  '$endsWithi',
  '$eqi',
  '$notContainsi',
]
const leaf = fc
  .tuple(fc.constantFrom('title', 'body', 'mood', 'aside'), fc.constantFrom(...OPERATORS), pattern)
  .map(([name, operator, text]) => ({ [name]: { [operator]: text } }))
const filters = fc.oneof(
  leaf,
  fc
    .tuple(fc.constantFrom('$and', '$or'), fc.array(leaf, { minLength: 2, maxLength: 3 }))
    .map(([key, all]) => ({ [key]: all })),
  leaf.map((one) => ({ $not: one })),
)

const queryString = (value: unknown, key: string): string =>
  typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([name, inner]) => queryString(inner, `${key}[${name}]`))
        .join('&')
    : `${key}=${encodeURIComponent(String(value))}`

const search = fc
  .record({
    find: fc.oneof(
      filters.map((one) => queryString(one, 'filters')),
      pattern.map((text) => queryString(text, '_q')),
      fc.constantFrom('_q=2024', '_q=100', '_q=sunny'),
    ),
    sort: fc.constantFrom('', '&sort=title,code', '&sort=code:desc'),
    status: fc.constantFrom('', '&status=draft'),
    page: fc.constantFrom('', '&pagination[pageSize]=3', '&pagination[pageSize]=3&pagination[page]=2'),
  })
  .map(({ find, sort, status, page }) => `?${find}${sort}${status}${page}&fields=code`)

/** The planner would read a table of some rows without its search index. */
const PREFER_INDEXES = ['enable_seqscan', 'enable_indexscan', 'enable_indexonlyscan'].map(
  (setting) => (database: string) => `ALTER DATABASE ${database} SET ${setting} = off`,
)

async function runOnPostgres(url: string, statements: readonly ((database: string) => string)[]) {
  const client = new pg.Client(url)
  await client.connect()
  for (const statement of statements) await client.query(statement(client.database ?? ''))
  await client.end()
}

onEachEngine((engine) => {
  let project: ProjectServer
  let admin: string
  const write = async (method: 'POST' | 'PUT' | 'DELETE', path: string, data?: object) => {
    const { status, text, at } = await project.request(method, path, data && { data })
    assert.ok(status < 300, text)
    return status === 204 ? '' : String(at('data', 'documentId'))
  }
  /** Does the same to both types. */
  const both = async (work: (path: string) => Promise<void>) => {
    for (const path of ['/api/indexed', '/api/plain']) await work(path)
  }

  before(async () => {
    const folder = projectFolder({
      [typeFile('indexed')]: {
        ...type('indexed', { search: true }),
        collectionName: 'indexed',
        info: { singularName: 'indexed-one', pluralName: 'indexed', displayName: 'Indexed' },
      },
      [typeFile('plain')]: {
        ...type('plain', {}),
        collectionName: 'plain',
        info: { singularName: 'plain-one', pluralName: 'plain', displayName: 'Plain' },
      },
    })
    const url = await engine.freshUrl()
    if (engine.name === 'postgres') await runOnPostgres(url, PREFER_INDEXES)
    project = await openProject(folder, url)
    admin = (await project.server.access.tokens.create({ name: 'admin', kind: 'admin' })).secret
    await both(async (path) => {
      let code = 0
      const ids: string[] = []
      const create = async (data: object, status = '') => {
        ids.push(await write('POST', `${path}${status}`, { code: ++code, secret: `hidden${code}`, ...data }))
      }
      for (const title of TITLES) {
        await create({ title, body: `${title} and more`, aside: title }, '?status=draft')
        await create({ title: title.toUpperCase(), mood: 'Sunny' })
      }
      for (let round = 0; round < 5; round++) await create({ title: `long ${round}`, body: LONG + round })
      const [first = '', second = '', third = '', fourth = ''] = ids.slice(2)
      await write('PUT', `${path}/${first}`, { title: 'Renamed once', body: null })
      await write('PUT', `${path}/${first}`, { title: 'Renamed twice' })
      await write('DELETE', `${path}/${second}`)
      await create({ title: '7harbour word7 word8', body: '5harbour, zebra' })
      await create({ title: 'Harbours', body: SAME_END })
      for (let round = 0; round < 5; round++) await create({ title: `late ${round}`, body: LONG + round })
      await write('PUT', `${path}/${third}`, { title: 'Changed afterwards' })
      await write('DELETE', `${path}/${fourth}`)
      await create({ code: 2024, title: 'Last of all' })
    })
    if (engine.name === 'postgres')
      await runOnPostgres(url, [() => 'DROP INDEX indexed_page, indexed_version', () => 'ANALYZE indexed'])
  })
  after(() => project?.remove())

  const list = async (path: string, query: string) => {
    const { status, at, text } = await project.request('GET', path + query)
    assert.equal(status, 200, text)
    const data = at('data')
    assert.ok(Array.isArray(data))
    return { codes: data.map(({ code }) => code), pagination: at('meta', 'pagination') }
  }
  const searchedBy = async (query: string) => {
    const headers = { authorization: `Bearer ${admin}` }
    const path = `/api/indexed?${query}&explain=true`
    const { status, text } = await sendRequest(project.server, 'GET', encodedPath(path), headers)
    assert.equal(status, 200, text)
    return jsonAt(text)('data', 'search')
  }

  it('finds exactly what a scan finds', async () => {
    await fc.assert(
      fc.asyncProperty(search, async (query) => {
        assert.deepEqual(await list('/api/indexed', query), await list('/api/plain', query), query)
      }),
      {
        numRuns: 40,
        examples: [...TITLES.slice(0, -2), ...COMMON_PARTS].map((text) => [
          `?_q=${encodeURIComponent(text)}&fields=code`,
        ]),
      },
    )
  })

  it('finds what was changed, and no longer what it replaced', async () => {
    const codes = async (text: string) => (await list('/api/indexed', `?_q=${text}&fields=code`)).codes
    assert.equal((await codes('renamed')).length, 1)
    assert.deepEqual(await codes('renamed once'), [])
    assert.equal((await codes('CHANGED AFTER')).length, 1)
    assert.equal((await codes('word4002')).length, 10)
  })

  it('finds parts of words that many words contain', async () => {
    const count = async (text: string) => (await list('/api/indexed', `?_q=${text}&fields=code`)).codes.length
    assert.deepEqual(await Promise.all(COMMON_PARTS.map(count)), [1, 1, 1, 0])
    for (const text of COMMON_PARTS.slice(0, 3)) assert.equal(await searchedBy(`_q=${text}`), 'index', text)
  })

  it('says in an explanation whether the index served', async () => {
    assert.equal(await searchedBy('_q=renamed'), 'index')
    assert.equal(await searchedBy('filters[title][$containsi]=renamed'), 'index')
    const scanned = [
      '_q=re',
      '_q=2024',
      'filters[aside][$contains]=bon',
      'filters[title][$notContainsi]=renamed',
    ]
    for (const query of scanned) assert.equal(await searchedBy(query), 'scan', query)
    assert.equal(await searchedBy('filters[code]=3'), null)
  })
})
