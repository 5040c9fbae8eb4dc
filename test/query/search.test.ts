/** Numbers in a search: they match as a whole, in any notation that a filter accepts. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { type ReferenceServer, startReferenceServer } from '../support/reference-server.ts'

onEachEngine((engine) => {
  let api: ReferenceServer
  before(async () => {
    api = await startReferenceServer(await engine.freshUrl())
    for (const [name, data] of Object.entries({
      Ada: { visitors: '9223372036854775807' },
      Bea: { visitors: '-9223372036854775808' },
      Cleo: { visitors: '1234567890123456789' },
      Dora: { visitors: '16', rating: 4 },
      Eve: { stars: 3, rating: 2.5 },
    })) {
      const { status, text } = await api.send('POST', '/api/restaurants', { data: { name, ...data } })
      assert.equal(status, 201, text)
    }
  })
  after(() => api?.close())

  const found = async (query: string): Promise<string[]> => {
    const { text } = await api.send('GET', `/api/restaurants?sort=name&${query}`)
    return JSON.parse(text).data.map(({ name }: { name: string }) => name)
  }

  it('a search finds 64-bit integers', async () => {
    assert.deepEqual(await found('_q=9223372036854775807'), ['Ada'])
    assert.deepEqual(await found('_q=-9223372036854775808'), ['Bea'])
    assert.deepEqual(await found('_q=1234567890123456789'), ['Cleo'])
    for (const other of ['9223372036854775808', '-9223372036854775809', '1234567890123456788'])
      assert.deepEqual(await found(`_q=${other}`), [], other)
  })

  it('a search accepts the same notations of numbers as a filter', async () => {
    for (const [text, names] of [
      ['16', ['Dora']],
      ['16.0', ['Dora']],
      ['%2B16', ['Dora']],
      ['2.5', ['Eve']],
      ['3', ['Eve']],
      ['0x10', []],
      ['0b10000', []],
      ['Infinity', []],
    ] as const) {
      assert.deepEqual(await found(`_q=${text}`), names, text)
      const { status } = await api.send('GET', `/api/restaurants?filters[visitors]=${text}`)
      assert.equal(status, names.length > 0 ? 200 : 400, text)
    }
  })
})
