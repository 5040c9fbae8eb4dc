/** A limited number of requests waits for a blocked database, for a limited time; the others are refused immediately. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import pg from 'pg'
import { onEachEngine, type TestEngine } from '../support/engines.ts'
import { collection, string, TOKEN, typeFile } from '../support/project-server.ts'
import { serve } from '../support/server.ts'

const PROJECT = new Map<string, unknown>([
  [typeFile('item'), collection('item', { name: string })],
  ['config/tokens.json', { full: { type: 'full-access', token: TOKEN } }],
])

/** Blocks writes to the items, and on PostgreSQL also reads. Returns a function that unblocks them. */
async function blockTable(engine: TestEngine, url: string): Promise<() => Promise<void>> {
  if (engine.name === 'sqlite') {
    const database = new DatabaseSync(url.slice('sqlite:'.length))
    database.exec('BEGIN IMMEDIATE')
    return async () => database.close()
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('BEGIN')
  await client.query('LOCK TABLE items IN ACCESS EXCLUSIVE MODE')
  return () => client.end()
}

const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }

onEachEngine((engine) => {
  it('refuses requests beyond the limit immediately, and serves again afterwards', {
    timeout: 300_000,
  }, async (t) => {
    const url = await engine.freshUrl()
    const database = { poolSize: 2, maxWaiting: 3, waitSeconds: 1, statementSeconds: 3 }
    const server = await serve(PROJECT, url, { database, cache: { enabled: false } })
    t.after(() => server.close())
    const write = () => {
      const body = JSON.stringify({ data: { name: 'a' } })
      return fetch(`${server.base}/api/items`, { method: 'POST', headers, body })
    }
    assert.equal((await write()).status, 201)

    const unblock = await blockTable(engine, url)
    const responses = await Promise.all(Array.from({ length: 30 }, write))
    await unblock()
    for (const { status, headers } of responses)
      assert.deepEqual([status, headers.get('retry-after')], [503, '1'])
    const texts = await Promise.all(responses.map((response) => response.text()))
    const immediately = texts.filter((text) =>
      /Too many (writes are waiting|requests are waiting)/.test(text),
    )
    assert.ok(immediately.length >= 20, `${immediately.length} of 30 were refused immediately`)
    assert.equal((await write()).status, 201)
  })

  it('abandons a statement that takes too long', { timeout: 300_000 }, async (t) => {
    // SQLite reads during a write, and cannot interrupt a statement.
    if (engine.name === 'sqlite') return
    const url = await engine.freshUrl()
    const server = await serve(PROJECT, url, { database: { statementSeconds: 1 }, cache: { enabled: false } })
    t.after(() => server.close())
    const read = () => fetch(`${server.base}/api/items`, { headers })
    const unblock = await blockTable(engine, url)
    const response = await read()
    assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '1'])
    assert.match(await response.text(), /took too long/)
    await unblock()
    assert.equal((await read()).status, 200)
  })
})
