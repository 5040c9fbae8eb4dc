/** A project of 500 content-types with 20 attributes each loads, migrates and serves; a read stays one statement. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { manyTypes } from '../../bench/content/types.ts'
import { TOKEN } from '../../bench/workloads.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { stopIntervals } from '../support/stop-intervals.ts'

const TYPES = 500

stopIntervals()

onEachEngine((engine) => {
  let running: TestServer

  before(async () => {
    running = await serve(manyTypes(TYPES), await engine.freshUrl(), { cache: { enabled: false } })
  })
  after(() => running?.close())

  const send = (method: 'GET' | 'POST', url: string, data?: object) =>
    running.server.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(data === undefined ? {} : { payload: JSON.stringify({ data }) }),
    })

  it('writes and reads documents of the first and of the last type', async () => {
    for (const index of [0, TYPES - 1]) {
      const path = `/api/type-${index}-list`
      assert.equal((await send('POST', path, { text0: 'one' })).statusCode, 201)
      const { data } = (await send('GET', path)).json<{ data: { text0: string }[] }>()
      assert.deepEqual(
        data.map(({ text0 }) => text0),
        ['one'],
      )
    }
  })

  it('reads with one statement, also through relations to other types', async () => {
    const { store } = running.server
    for (const query of [
      '',
      '?populate=*',
      '?populate[next][populate][next][populate]=next',
      '?filters[next][next][text0]=a',
    ]) {
      await send('GET', `/api/type-0-list${query}`)
      const before = store.statements.reads
      assert.equal((await send('GET', `/api/type-0-list${query}`)).statusCode, 200)
      assert.equal(store.statements.reads - before, 1)
    }
  })
})
