import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { FULL, type Library, METRICS, openLibrary } from './library.ts'

onEachEngine((engine) => {
  let library: Library
  before(async () => {
    library = await openLibrary(await engine.freshUrl(), { metrics: { token: METRICS } })
  })
  after(() => library.close())

  const scrape = async () => (await library.get('/metrics', METRICS)).text
  const sampleValue = (text: string, sample: string): number => {
    const line = text.split('\n').find((one) => one.startsWith(`${sample} `))
    assert.ok(line, `${sample} is not in\n${text}`)
    return Number(line.slice(sample.length + 1))
  }

  it('is readable with the metrics token and by admins only', async () => {
    for (const [token, status] of [
      [METRICS, 200],
      [library.admin, 200],
      [FULL, 403],
      [undefined, 403],
      [`${METRICS}x`, 401],
      [METRICS.slice(0, -1), 401],
    ] as const)
      assert.equal((await library.get('/metrics', token)).status, status, String(token))
    assert.equal(
      (await library.get('/api/books', METRICS)).status,
      401,
      'the token grants access to nothing else',
    )
  })

  it('has the text format of Prometheus', async () => {
    const { headers, text } = await library.get('/metrics', METRICS)
    assert.equal(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
    const families = new Map<string, string>()
    for (const line of text.trimEnd().split('\n')) {
      const declared = /^# TYPE (\w+) (counter|gauge|histogram)$/.exec(line)
      if (declared) families.set(String(declared[1]), String(declared[2]))
      if (line.startsWith('#')) continue
      const [, name = '', , value] = /^(\w+)(\{(?:\w+="(?:[^"\\]|\\.)*",?)+\})? (\S+)$/.exec(line) ?? []
      assert.ok(value !== undefined && !Number.isNaN(Number(value.replace('+Inf', 'Infinity'))), line)
      const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ''))
      assert.ok(family, `${line} has no # TYPE line`)
      if (family === 'counter') assert.match(name, /_total$/)
    }
  })

  it('counts requests and their durations by route, method, content-type and status', async () => {
    const list = '{route="/api/:name",method="GET",content_type="api::book.book",status="200"}'
    const before = await scrape()
    for (let count = 0; count < 3; count++) await library.get('/api/books')
    await library.get('/api/books?filters[nothing]=1')
    await library.get('/api/books/nowhere')
    await library.get('/api/no-such-name-1')
    await library.get('/no-such-path-1')
    const after = await scrape()
    const requests = 'octavo_http_requests_total'
    const count = (text: string) => (text.includes(list) ? sampleValue(text, requests + list) : 0)
    assert.equal(count(after) - count(before), 3)
    for (const [sample, value] of [
      ['{route="/api/:name",method="GET",content_type="api::book.book",status="400"}', 1],
      ['{route="/api/:name/:id",method="GET",content_type="api::book.book",status="404"}', 1],
      ['{route="/api/:name",method="GET",content_type="",status="404"}', 1],
      ['{route="none",method="GET",content_type="",status="404"}', 1],
    ] as const)
      assert.equal(sampleValue(after, requests + sample), value)
    assert.doesNotMatch(after, /no-such|nowhere|filters/, 'no label holds what a client sent')
    const took = 'octavo_http_request_duration_seconds'
    const route = 'route="/api/:name",method="GET"'
    assert.equal(
      sampleValue(after, `${took}_bucket{${route},le="+Inf"}`),
      sampleValue(after, `${took}_count{${route}}`),
    )
    assert.ok(sampleValue(after, `${took}_sum{${route}}`) > 0)
  })

  it('counts cache lookups, statements and writes', async () => {
    const before = await scrape()
    const url = '/api/books?sort=title&filters[title]=Emma'
    await library.get(url)
    await library.get(url)
    await library.get(url.replace('Emma', 'Persuasion'))
    const created = await fetch(`${library.base}/api/books`, {
      method: 'POST',
      headers: { authorization: `Bearer ${FULL}`, 'content-type': 'application/json' },
      body: JSON.stringify({ data: { title: 'Emma' } }),
    })
    assert.equal(created.status, 201)
    await library.get(url)
    const after = await scrape()
    const growth = (sample: string) => sampleValue(after, sample) - sampleValue(before, sample)
    const lookups = (cache: string) =>
      ['hit', 'miss'].map((result) =>
        growth(`octavo_cache_lookups_total{cache="${cache}",result="${result}"}`),
      )
    assert.deepEqual(lookups('answers'), [1, 3])
    assert.deepEqual(lookups('counts'), [0, 3])
    // Two reads and the response of the create are prepared, one read again.
    assert.deepEqual(lookups('urls'), [1, 3])
    assert.equal(lookups('plans')[0], 1, 'another value uses the same plan')
    assert.ok(growth('octavo_statements_total') >= 3)
    assert.equal(growth('octavo_read_duration_seconds_count'), 3)
    assert.equal(growth('octavo_writes_total'), 1)
    assert.equal(growth('octavo_commits_total'), 1)
  })

  it('has metrics of the database, the process and the build', async () => {
    const text = await scrape()
    assert.equal(sampleValue(text, `octavo_database_info{engine="${engine.name}"}`), 1)
    if (engine.name === 'postgres') {
      assert.ok(sampleValue(text, 'octavo_pool_connections{pool="primary"}') >= 1)
      assert.equal(sampleValue(text, 'octavo_pool_waiting{pool="primary"}'), 0)
    } else assert.equal(sampleValue(text, 'octavo_writes_waiting'), 0)
    assert.ok(sampleValue(text, 'process_resident_memory_bytes') > 10_000_000)
    assert.ok(sampleValue(text, 'octavo_event_loop_lag_seconds{quantile="0.99"}') >= 0)
    assert.match(text, /^octavo_build_info\{version="\d+\.\d+\.\d+",node="v\d+\.\d+\.\d+"\} 1$/m)
  })

  it('has exactly the metrics that the documentation lists', async () => {
    const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
    const rows = [...page.matchAll(/^\| `(\w+)` \| (\w+) \|([^|]*)\|/gm)]
    const listed = new Map(rows.map(([, name = '', kind = '', labels = '']) => [name, { kind, labels }]))
    const shown = new Set<string>()
    for (const line of (await scrape()).split('\n')) {
      const [, name = '', kind = ''] = /^# TYPE (\w+) (\w+)$/.exec(line) ?? []
      if (name === '') continue
      assert.equal(listed.get(name)?.kind, kind, name)
      shown.add(name)
    }
    for (const name of listed.keys()) {
      const needsPoolOrReplica = /^octavo_(pool|replica)_/.test(name)
      assert.ok(shown.has(name) || needsPoolOrReplica, `${name} is documented but not exported`)
    }
    const labelled = /^(\w+?)(?:_bucket|_sum|_count)?\{([^}]*)\}/
    for (const line of (await scrape()).split('\n')) {
      const [, name = '', labels = ''] = labelled.exec(line) ?? []
      for (const [, label] of labels.matchAll(/(\w+)="/g))
        assert.ok(label === 'le' || listed.get(name)?.labels.includes(`\`${label}\``), `${name} ${label}`)
    }
  })

  it('/metrics does not exist when metrics are disabled', async () => {
    const silent = await openLibrary(await engine.freshUrl(), { metrics: { enabled: false } })
    try {
      assert.equal((await silent.get('/metrics', silent.admin)).status, 404)
      assert.equal((await silent.get('/api/books')).status, 200)
    } finally {
      await silent.close()
    }
  })
})
