/** What waits for a database that is held up: a bounded number, for a bounded time, and the rest is refused at once. */
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

/** Blocks writes to the items, and on PostgreSQL also reads; returns the function that ends this. */
async function holdUp(engine: TestEngine, url: string): Promise<() => Promise<void>> {
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

    const letGo = await holdUp(engine, url)
    const answers = await Promise.all(Array.from({ length: 30 }, write))
    await letGo()
    for (const { status, headers } of answers)
      assert.deepEqual([status, headers.get('retry-after')], [503, '1'])
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    const atOnce = texts.filter((text) => /Too many (writes are waiting|requests are waiting)/.test(text))
    assert.ok(atOnce.length >= 20, `${atOnce.length} of 30 were refused at once`)
    assert.equal((await write()).status, 201)
  })

  it('abandons a statement that takes too long', { timeout: 300_000 }, async (t) => {
    // SQLite reads while another writes, and has nothing that could end a statement.
    if (engine.name === 'sqlite') return
    const url = await engine.freshUrl()
    const server = await serve(PROJECT, url, { database: { statementSeconds: 1 }, cache: { enabled: false } })
    t.after(() => server.close())
    const read = () => fetch(`${server.base}/api/items`, { headers })
    const letGo = await holdUp(engine, url)
    const answer = await read()
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1'])
    assert.match(await answer.text(), /took too long/)
    await letGo()
    assert.equal((await read()).status, 200)
  })
})
