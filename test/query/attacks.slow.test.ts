/**
 * Attacks on reads that other content servers were vulnerable to, generated from the model: guessing private values,
 * injection through names and keys, prototype keys, and requests that are too large.
 */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import type { Attribute, ContentType, Model, Shape } from '../../src/model/model.ts'
import { createClient } from '../reference/client.ts'
import { loadRecording, PROJECT } from '../reference/recording.ts'
import { seedServer } from '../reference/replay.ts'
import { onEachEngine } from '../support/engines.ts'
import { encodedPath, sendRequest } from '../support/http-request.ts'
import { serve, type TestServer } from '../support/server.ts'
import { stopIntervals } from '../support/stop-intervals.ts'

const recording = loadRecording()
const FULL = recording.tokens.full

const OPERATORS = [
  ...['$eq', '$eqi', '$ne', '$nei', '$lt', '$lte', '$gt', '$gte', '$in', '$notIn', '$null', '$notNull'],
  ...['$contains', '$containsi', '$notContains', '$notContainsi', '$between'],
  ...['$startsWith', '$startsWithi', '$endsWith', '$endsWithi'],
]

/** A path from a content-type to a shape: names of relations and components. */
interface ModelPath {
  readonly from: ContentType
  readonly path: readonly string[]
  readonly shape: Shape
}

/** Every path of up to `depth` steps that the model allows. */
function pathsOf(model: Model, depth: number): ModelPath[] {
  const next = ({ from, path, shape }: ModelPath): ModelPath[] =>
    [...shape.attributes.values()].flatMap((attribute) => {
      const target = shapeBehind(model, attribute)
      return target && !attribute.private ? [{ from, path: [...path, attribute.name], shape: target }] : []
    })
  const starts = [...model.endpoints.values()].map((from): ModelPath => ({ from, path: [], shape: from }))
  const rounds = [starts]
  for (let step = 0; step < depth; step++) rounds.push((rounds.at(-1) ?? []).flatMap(next))
  return rounds.flat()
}

function shapeBehind(model: Model, attribute: Attribute): Shape | undefined {
  if (attribute.kind === 'relation' && attribute.target) return model.types.get(attribute.target)
  if (attribute.kind === 'component') return model.components.get(attribute.component)
  return undefined
}

const isSecret = (attribute: Attribute) =>
  attribute.private || (attribute.kind === 'scalar' && attribute.type === 'password')

const secretsOf = ({ shape }: ModelPath) =>
  [...shape.attributes.values()].filter(isSecret).map(({ name }) => name)

const segmentOf = (type: ContentType) => (type.kind === 'single' ? type.singular : type.plural)
const bracketed = (path: readonly string[]) => path.map((part) => `[${part}]`).join('')

/** Every parameter that can name a field at the end of a path; `guess` is the value that an attacker tries. */
function queriesAbout({ path }: ModelPath, field: string, guess: string): string[] {
  const at = bracketed([...path, field])
  const populated = path
    .map((part, index) => (index === 0 ? `populate[${part}]` : `[populate][${part}]`))
    .join('')
  const inside = (rest: string) => (path.length === 0 ? [] : [`${populated}${rest}`])
  const operators = path.length < 2 ? OPERATORS : ['$eq', '$startsWith', '$notNull', '$gt']
  return [
    ...operators.map((operator) => `filters${at}[${operator}]=${guess}`),
    `filters${at}=${guess}`,
    `filters[$or][0]${at}=${guess}&filters[$or][1][id][$notNull]=true`,
    `filters[$not]${at}=${guess}`,
    `sort=${[...path, field].join('.')}`,
    `sort=${[...path, field].join('.')}:desc`,
    `sort${at}=asc`,
    `fields[0]=${[...path, field].join('.')}`,
    `populate=${[...path, field].join('.')}`,
    ...inside(`[fields][0]=${field}`),
    ...inside(`[filters][${field}]=${guess}`),
    ...inside(`[sort]=${field}`),
    ...inside(`[populate][${field}]=true`),
  ]
}

stopIntervals()

onEachEngine((engine) => {
  let running: TestServer
  /** The SQL of every statement that was given to a driver. */
  const texts: string[] = []
  let reads = 0

  before(async () => {
    listen(texts)
    running = await serve(PROJECT, await engine.freshUrl(), { cache: { enabled: false } })
    await seedServer(createClient(running.base, recording), recording)
  })
  after(() => running?.close())

  async function get(url: string, token: string | undefined = FULL) {
    const before = running.server.store.statements.reads
    const { status, text: body } = await sendRequest(
      running.server,
      'GET',
      encodedPath(url),
      token ? { authorization: `Bearer ${token}` } : {},
    )
    reads = running.server.store.statements.reads - before
    return { status, body }
  }

  it('the SQL of statements is recorded', async () => {
    await get('/api/restaurants?filters[name]=visible&sort=stars')
    assert.equal(reads, 1)
    assert.ok(texts.some((text) => text.includes('"a_stars"') && text.includes('"a_name" =')))
  })

  describe('a private value cannot be guessed', () => {
    it('through filters, sort, fields or populate, with any operator, at any depth', async () => {
      let sent = 0
      for (const path of pathsOf(running.server.project.model, 2)) {
        for (const secret of secretsOf(path)) {
          const right = queriesAbout(path, secret, 'key-1')
          const wrong = queriesAbout(path, secret, 'nothing-like-it')
          const unknown = queriesAbout(path, 'zzunknown', 'key-1')
          for (const [index, query] of right.entries()) {
            const url = `/api/${segmentOf(path.from)}?`
            const response = await get(url + query)
            sent++
            assert.equal(
              response.status,
              400,
              `${url}${query} returned ${response.status} ${response.body.slice(0, 200)}`,
            )
            assert.equal(reads, 0, `${url}${query} reached the database`)
            assert.deepEqual(await get(url + wrong[index]), response, `${url}${query}`)
            const asUnknown = await get(url + unknown[index])
            assert.equal(
              asUnknown.body.replaceAll('zzunknown', secret),
              response.body,
              `${url}${query} reveals that it exists`,
            )
          }
        }
      }
      assert.ok(sent > 200, `only ${sent} queries were sent`)
    })

    it('through search', async () => {
      for (const [type, secrets] of [
        ['restaurants', ['pays late', 'promo']],
        ['accounts', ['key-1', 'ana.r@example.test', 's3cret-pass']],
      ] as const) {
        for (const secret of secrets) {
          const right = await get(`/api/${type}?_q=${secret}`)
          const wrong = await get(`/api/${type}?_q=${[...secret].reverse().join('')}`)
          assert.deepEqual(right, wrong, `_q=${secret} on ${type}`)
        }
      }
    })

    it('through names of tables, columns and aliases', async () => {
      const names = [
        'a_internal_notes',
        't.internal_notes',
        't0.internal_notes',
        'restaurants.internal_notes',
      ]
      for (const name of [
        ...names,
        'internal_notes ',
        ' internal_notes',
        'INTERNAL_NOTES',
        'internal_notes%20',
      ]) {
        for (const query of [
          `filters[${name}][$startsWith]=pays`,
          `sort=${name}`,
          `fields[0]=${name}`,
          `populate=${name}`,
        ]) {
          const { status, body } = await get(`/api/restaurants?${query}`)
          assert.equal(status, 400, `${query} returned ${status} ${body.slice(0, 200)}`)
          assert.equal(reads, 0, `${query} reached the database`)
        }
      }
    })

    it('through a relation to documents that the caller may not read', async () => {
      const { model } = running.server.project
      const scope = await running.server.access.scopeOf(undefined)
      const forbidden = pathsOf(model, 2).filter(
        ({ from, path, shape }) =>
          path.length > 0 &&
          scope.may(from.uid, 'find') &&
          'draftAndPublish' in shape &&
          !scope.may(shape.uid, 'find'),
      )
      assert.ok(forbidden.length > 5)
      for (const { from, path, shape } of forbidden) {
        const field =
          [...shape.attributes.values()].find(({ kind, private: hidden }) => kind === 'scalar' && !hidden)
            ?.name ?? 'id'
        const segment = segmentOf(from)
        for (const query of [
          `filters${bracketed([...path, field])}[$notNull]=true`,
          `filters${bracketed(path)}[$null]=true`,
          `filters${bracketed(path)}[id][$gt]=0`,
          `sort=${[...path, field].join('.')}`,
        ]) {
          const { status, body } = await get(`/api/${segment}?${query}`, '')
          assert.equal(status, 400, `${segment}?${query} returned ${status} ${body.slice(0, 200)}`)
          assert.equal(reads, 0)
        }
      }
    })
  })

  describe('no part of a request becomes SQL text', () => {
    const hostile = [
      ...["'; drop table restaurants; --", '" or 1=1 --', '`x`', 'a"b', "a'b", '$1', '?', ':name', '@p1'],
      ...[
        '1) union select 1 --',
        '/**/',
        '\\',
        '%',
        '_',
        ']',
        '[',
        '{',
        '\u0024{x}',
        '#{x}',
        '*',
        '\u2028',
        '\u0000',
        '😈',
      ],
      ...[
        "name'); delete from restaurants; --",
        'name" desc, (select 1)',
        "name->>'$.x'",
        "$.x') --",
        'a_name',
        'octavo_edges',
      ],
    ]
    const MARK = 'zqhostilezq'
    const positions: readonly [string, (text: string) => string][] = [
      ['a filter value', (t) => `filters[name][$eq]=${t}`],
      ['a folded filter value', (t) => `filters[name][$containsi]=${t}`],
      ['a list of filter values', (t) => `filters[name][$in][0]=${t}&filters[name][$in][1]=b`],
      ['a value for JSON', (t) => `filters[extra][$contains]=${t}`],
      ['a value in a component', (t) => `filters[address][city]=${t}`],
      ['a value behind a relation', (t) => `filters[chef][mentor][name][$startsWith]=${t}`],
      ['a number', (t) => `filters[stars][$eq]=${t}`],
      ['a date', (t) => `filters[opened_on][$gt]=${t}`],
      ['a documentId', (t) => `filters[documentId]=${t}`],
      ['an id', (t) => `filters[id]=${t}`],
      ['a related id', (t) => `filters[chef]=${t}`],
      ['a filter key', (t) => `filters[${t}]=1`],
      ['an operator', (t) => `filters[name][${t}]=1`],
      ['a key in a component', (t) => `filters[address][${t}]=1`],
      ['a key in JSON', (t) => `filters[extra][${t}]=1`],
      ['a key behind a relation', (t) => `filters[chef][${t}][$eq]=1`],
      ['a field to sort by', (t) => `sort=${t}`],
      ['an order', (t) => `sort=name:${t}`],
      ['a key to sort by', (t) => `sort[${t}]=asc`],
      ['a path to sort by', (t) => `sort=chef.${t}`],
      ['a field', (t) => `fields[0]=${t}`],
      ['something to populate', (t) => `populate[0]=${t}`],
      ['a key to populate', (t) => `populate[${t}]=true`],
      ['a key inside populate', (t) => `populate[chef][${t}]=true`],
      ['a component of a zone', (t) => `populate[zone][on][${t}]=true`],
      ['a field inside populate', (t) => `populate[chef][fields][0]=${t}`],
      ['a filter inside populate', (t) => `populate[chef][filters][name]=${t}`],
      ['a limit inside populate', (t) => `populate[categories][limit]=${t}`],
      ['a locale', (t) => `locale=${t}`],
      ['a status', (t) => `status=${t}`],
      ['a page', (t) => `pagination[page]=${t}`],
      ['a limit', (t) => `pagination[limit]=${t}`],
      ['a search', (t) => `_q=${t}`],
      ['a ranked search', (t) => `_q=${t}&sort=_score`],
      ['a publication filter', (t) => `publicationFilter=${t}`],
    ]
    for (const [sentence, query] of positions) {
      it(`as ${sentence}`, async () => {
        for (const text of hostile) {
          for (const sent of [encodeURIComponent(`${text}${MARK}`), encodeURIComponent(text)]) {
            const { status, body } = await get(`/api/restaurants?${query(sent)}`)
            assert.ok(status < 500, `${query(sent)} returned ${status} ${body.slice(0, 200)}`)
          }
        }
        assert.deepEqual(
          texts.filter((text) => text.includes(MARK)),
          [],
        )
        assert.equal((await get('/api/restaurants?pagination[pageSize]=1')).status, 200)
      })
    }

    it('as a documentId or a path', async () => {
      for (const text of hostile) {
        const { status } = await get(`/api/restaurants/${encodeURIComponent(`${text}${MARK}`)}`)
        assert.ok(status === 404 || status === 400, `${text} returned ${status}`)
        const other = await get(`/api/${encodeURIComponent(text)}`)
        assert.ok(other.status >= 400 && other.status < 500, `${text} returned ${other.status}`)
      }
      assert.deepEqual(
        texts.filter((text) => text.includes(MARK)),
        [],
      )
    })
  })

  it('prototype keys are harmless in every position', async () => {
    for (const key of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf']) {
      for (const query of [
        `${key}=1`,
        `${key}[x]=1`,
        `filters[${key}]=1`,
        `filters[${key}][$eq]=1`,
        `filters[name][${key}]=1`,
        `filters[chef][${key}][name]=1`,
        `filters[$and][0][${key}][name]=1`,
        `sort=${key}`,
        `sort[${key}]=asc`,
        `fields[0]=${key}`,
        `fields[${key}]=name`,
        `populate=${key}`,
        `populate[${key}]=true`,
        `populate[chef][${key}]=true`,
        `populate[zone][on][${key}]=true`,
        `pagination[${key}]=1`,
        `locale=${key}`,
        `locale[${key}]=en`,
        `status=${key}`,
        `_q[${key}]=1`,
      ]) {
        const { status, body } = await get(`/api/restaurants?${query}`)
        assert.ok(status === 200 || status === 400, `${query} returned ${status} ${body.slice(0, 200)}`)
      }
      assert.equal(Reflect.get({}, 'x'), undefined)
      assert.equal((await get(`/api/${key}`)).status, 404)
      assert.equal((await get(`/api/restaurants/${key}`)).status, 404)
    }
  })

  describe('a body cannot change object prototypes', () => {
    const post = (type: string, payload: string) =>
      sendRequest(
        running.server,
        'POST',
        '/api/restaurants',
        { authorization: `Bearer ${FULL}`, 'content-type': type },
        payload,
      )

    it('and is rejected if it has prototype keys', async () => {
      const poison = '{"polluted":true}'
      for (const body of [
        `{"__proto__":${poison},"data":{"name":"Proto"}}`,
        `{"data":{"name":"Proto","__proto__":${poison}}}`,
        `{"data":{"name":"Proto","extra":{"__proto__":${poison}}}}`,
        `{"data":{"name":"Proto","address":{"__proto__":${poison}}}}`,
        `{"data":{"name":"Proto","constructor":{"prototype":${poison}}}}`,
        `{"constructor":{"prototype":${poison}},"data":{"name":"Proto","zzz":1}}`,
      ]) {
        const { status, text } = await post('application/json', body)
        assert.equal(status, 400, `${body} returned ${status} ${text}`)
        assert.equal(Reflect.get({}, 'polluted'), undefined)
      }
    })

    it('and is rejected as a form with prototype keys', async () => {
      for (const body of [
        'data[__proto__][polluted]=1',
        '__proto__[polluted]=1',
        'data[constructor][prototype][polluted]=1',
      ]) {
        const { status } = await post('application/x-www-form-urlencoded', body)
        assert.equal(status, 400, `${body} returned ${status}`)
        assert.equal(Reflect.get({}, 'polluted'), undefined)
      }
    })

    it('and is rejected with an unusual content type', async () => {
      for (const type of [
        'application/json;__proto__=1',
        'application/json; charset=utf-16',
        'application/jsonx',
        'application/json, text/html',
        'text/plain',
        'multipart/form-data',
        'multipart/form-data; boundary=__proto__',
        'application/vnd.api+json',
        'a/b',
        '/',
        ';',
      ]) {
        const { status } = await post(type, '{"data":{"__proto__":{"polluted":true}}}')
        assert.ok(status >= 400 && status < 500, `${type} returned ${status}`)
        assert.equal(Reflect.get({}, 'polluted'), undefined)
      }
    })
  })

  describe('a request that is too large is rejected, and the server continues', () => {
    const repeat = (text: string, times: number) => text.repeat(times)
    const list = (length: number, item: (index: number) => string) =>
      Array.from({ length }, (_, index) => item(index)).join('&')
    const cases: readonly [string, string][] = [
      ['a deeply nested filter', `filters${repeat('[$not]', 500)}[name]=a`],
      ['a filter nested in lists', `filters${repeat('[$and][0]', 300)}[name]=a`],
      ['a deep relation filter', `filters${repeat('[chef][restaurants]', 200)}[name]=a`],
      ['a cyclic populate', `populate${repeat('[chef][populate][restaurants][populate]', 200)}=*`],
      ['a cyclic dotted populate', `populate=${repeat('chef.restaurants.', 400)}chef`],
      ['a cyclic sort', `sort=${repeat('headquarters.', 600)}name`],
      ['a huge list of values', list(5000, (index) => `filters[name][$in][${index}]=v${index}`)],
      ['a huge list in one parameter', list(5000, () => 'filters[name][$in][]=v')],
      ['a sparse list', 'filters[name][$in][4000000000]=v&fields[4000000000]=name&sort[999999999]=name'],
      ['many parameters', list(20_000, (index) => `p${index}=1`)],
      ['many branches', list(3000, (index) => `filters[$or][${index}][name]=v${index}`)],
      ['many fields', list(3000, (index) => `fields[${index}]=name`)],
      ['many sort keys', list(3000, (index) => `sort[${index}]=name`)],
      ['a wide populate', `populate=${list(3000, () => 'chef').replaceAll('&', ',')}`],
      ['a populate of everything below everything', wide(6)],
      ['a long search', `_q=${repeat('a', 200_000)}`],
      ['a long ranked search', `sort=_score&_q=${repeat('a', 200_000)}`],
      ['brackets without end', `filters${repeat('[', 5000)}`],
      ['a number with many digits', `pagination[page]=${repeat('9', 5000)}`],
    ]
    const bodies: readonly [string, () => string][] = [
      ['a deeply nested body', () => `{"data":{"extra":${repeat('[', 20_000)}${repeat(']', 20_000)}}}`],
      [
        'a deeply nested object',
        () => `{"data":{"extra":${repeat('{"a":', 20_000)}1${repeat('}', 20_000)}}}`,
      ],
      ['a body over the limit', () => JSON.stringify({ data: { name: 'x', story: repeat('a', 3_000_000) } })],
      [
        'a huge list of relations',
        () => JSON.stringify({ data: { name: 'x', categories: Array(100_000).fill(1) } }),
      ],
      [
        'many components',
        () => JSON.stringify({ data: { name: 'xx', menu: Array(20_000).fill({ title: 'a' }) } }),
      ],
      [
        'many keys',
        () =>
          JSON.stringify({
            data: Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, 1])),
          }),
      ],
      ['a number with many digits', () => `{"data":{"name":"xx","visitors":${repeat('9', 100_000)}}}`],
    ]
    for (const [sentence, body] of bodies) {
      it(sentence, async () => {
        const response = await fetch(`${running.base}/api/restaurants`, {
          method: 'POST',
          headers: { authorization: `Bearer ${FULL}`, 'content-type': 'application/json' },
          body: body(),
        })
        const text = await response.text()
        assert.ok(response.status >= 400 && response.status < 500, `${response.status} ${text.slice(0, 200)}`)
        assert.equal((await get('/api/restaurants?pagination[pageSize]=1')).status, 200)
      })
    }

    for (const [sentence, query] of cases) {
      it(sentence, async () => {
        const response = await fetch(`${running.base}/api/restaurants?${query}`, {
          headers: { authorization: `Bearer ${FULL}` },
        })
        const body = await response.text()
        const small = response.status === 200 && body.length < 1_000_000
        assert.ok(
          (response.status >= 400 && response.status < 500) || small,
          `${response.status} ${body.slice(0, 200)}`,
        )
        assert.equal((await get('/api/restaurants?pagination[pageSize]=1')).status, 200)
      })
    }
  })
})

/** Records the SQL given to the drivers. Values are parameters, so the SQL must not contain them. */
function listen(texts: string[]) {
  const prepare = DatabaseSync.prototype.prepare
  DatabaseSync.prototype.prepare = function (sql) {
    texts.push(sql)
    return prepare.call(this, sql)
  }
  const query: (...args: unknown[]) => unknown = Reflect.get(pg.Client.prototype, 'query')
  Reflect.set(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
    const [first] = args
    const text = typeof first === 'object' && first !== null ? Reflect.get(first, 'text') : first
    if (typeof text === 'string') texts.push(text)
    return query.apply(this, args)
  })
}

/** Populates four relations, each with four more below it, and so on. */
function wide(depth: number): string {
  const build = (prefix: string, left: number): string[] => {
    if (left === 0) return [`${prefix}=true`]
    return ['headquarters', 'branches'].flatMap((name) => build(`${prefix}[populate][${name}]`, left - 1))
  }
  return ['headquarters', 'branches'].flatMap((name) => build(`populate[${name}]`, depth)).join('&')
}
