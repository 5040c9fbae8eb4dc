import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node'
import { loadOpenTelemetry } from '../../src/http/telemetry/opentelemetry.ts'
import { onEachEngine } from '../support/engines.ts'
import { recordSpans } from '../support/recorded-spans.ts'
import { waitUntil } from '../support/wait-until.ts'
import { FULL, type Library, openLibrary } from './library.ts'

const exporter = recordSpans()

const PARENT = 'b7ad6b7169203331'
const newTrace = () => randomBytes(16).toString('hex')

onEachEngine((engine) => {
  let library: Library
  before(async () => {
    library = await openLibrary(await engine.freshUrl(), { telemetry: { enabled: true } })
  })
  after(() => library.close())

  /** The spans of one trace, after the request span has ended. */
  async function spansOf(trace: string): Promise<readonly ReadableSpan[]> {
    const found = () => exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === trace)
    await waitUntil(() => found().some(({ kind }) => kind === SpanKind.SERVER))
    return found()
  }

  it('a request is a span inside that of the caller, and each statement a span inside the request', async () => {
    const trace = newTrace()
    const query = 'filters[title]=Emma&populate=author'
    await library.get(`/api/books?${query}`, undefined, { traceparent: `00-${trace}-${PARENT}-01` })
    const spans = await spansOf(trace)
    const request = spans.find(({ kind }) => kind === SpanKind.SERVER)
    const statement = spans.find(({ attributes }) => /from "books"/.test(String(attributes['db.query.text'])))
    assert.ok(request && statement)
    assert.equal(request.name, 'GET /api/:name')
    assert.equal(request.parentSpanContext?.spanId, PARENT)
    assert.equal(request.attributes['http.route'], '/api/:name')
    assert.equal(request.attributes['http.response.status_code'], 200)
    assert.ok(request.attributes['octavo.request_id'])
    assert.equal(statement.parentSpanContext?.spanId, request.spanContext().spanId)
    assert.equal(statement.attributes['db.system.name'], engine.name === 'sqlite' ? 'sqlite' : 'postgresql')
    assert.equal(statement.kind, SpanKind.CLIENT)
    assert.doesNotMatch(JSON.stringify(spans.map(({ attributes }) => attributes)), /Emma/)
  })

  it('a write is a span inside its request, although the body is read outside of the context', async () => {
    const trace = newTrace()
    const created = await fetch(`${library.base}/api/books`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${FULL}`,
        'content-type': 'application/json',
        traceparent: `00-${trace}-${PARENT}-01`,
      },
      body: JSON.stringify({ data: { title: 'Emma' } }),
    })
    assert.equal(created.status, 201)
    const spans = await spansOf(trace)
    const request = spans.find(({ kind }) => kind === SpanKind.SERVER)
    const write = spans.find(({ name }) => name === 'write')
    assert.equal(write?.parentSpanContext?.spanId, request?.spanContext().spanId)
  })

  it('work in the background has no spans', () => {
    const alone = exporter.getFinishedSpans().filter((span) => !span.parentSpanContext)
    assert.deepEqual(
      alone.filter(({ kind }) => kind === SpanKind.CLIENT).map(({ name }) => name),
      [],
    )
  })

  it('a response with status 400 is not marked as an error', async () => {
    const trace = newTrace()
    await library.get('/api/books?sort=nothing', undefined, { traceparent: `00-${trace}-${PARENT}-01` })
    const request = (await spansOf(trace)).find(({ kind }) => kind === SpanKind.SERVER)
    assert.equal(request?.attributes['http.response.status_code'], 400)
    assert.equal(request?.status.code, SpanStatusCode.UNSET)
  })
})

it('a project without the package gets an error that names it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-without-'))
  try {
    await assert.rejects(loadOpenTelemetry(folder), /npm install @opentelemetry\/api/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
