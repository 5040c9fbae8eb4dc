/** Integers at the limits of 64 bits, and comparisons with them. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { onEachEngineVersion } from '../support/engines.ts'
import { type ReferenceServer, startReferenceServer } from '../support/reference-server.ts'

const LEAST = -(2n ** 63n)
const GREATEST = 2n ** 63n - 1n
const STORED = [
  LEAST,
  LEAST + 1n,
  -(10n ** 16n),
  -1n,
  0n,
  7n,
  2n ** 53n + 1n,
  10n ** 16n,
  GREATEST - 1n,
  GREATEST,
]

/** A filter value, and its place among integers: equal to one, or between two. */
const ASKED: readonly (readonly [text: string, floor: bigint, isWhole: boolean])[] = [
  ...[
    LEAST - 1n,
    LEAST,
    LEAST + 1n,
    0n,
    2n ** 53n,
    2n ** 53n + 1n,
    GREATEST - 1n,
    GREATEST,
    GREATEST + 1n,
  ].map((value) => [String(value), value, true] as const),
  ['-99999999999999999999', -99999999999999999999n, true],
  ['100000000000000000000', 10n ** 20n, true],
  ['1e16', 10n ** 16n, true],
  ['-1e16', -(10n ** 16n), true],
  ['10000000000000000.0', 10n ** 16n, true],
  ['1e19', 10n ** 19n, true],
  ['6.5', 6n, false],
  ['-0.5', -1n, false],
]

const TESTS: Readonly<Record<string, (stored: bigint, floor: bigint, isWhole: boolean) => boolean>> = {
  $eq: (stored, floor, isWhole) => isWhole && stored === floor,
  $ne: (stored, floor, isWhole) => !isWhole || stored !== floor,
  $gt: (stored, floor) => stored > floor,
  $gte: (stored, floor, isWhole) => (isWhole ? stored >= floor : stored > floor),
  $lt: (stored, floor, isWhole) => (isWhole ? stored < floor : stored <= floor),
  $lte: (stored, floor) => stored <= floor,
}

onEachEngineVersion((engine) => {
  let api: ReferenceServer
  const ids = new Map<bigint, string>()
  before(async () => {
    api = await startReferenceServer(await engine.freshUrl())
    for (const value of STORED) {
      const data = { name: `Visited ${value}`, visitors: String(value) }
      const { documentId } = (await api.send('POST', '/api/restaurants', { data })).json().data
      ids.set(value, documentId)
    }
  })
  after(() => api.close())

  const visitorsOf = async (query: string) => {
    const { text } = await api.send('GET', `/api/restaurants?fields=visitors&sort=visitors&${query}`)
    const { data }: { data: { visitors: string }[] } = JSON.parse(text)
    return data.map(({ visitors }) => visitors)
  }

  it('are compared exactly with any number', async () => {
    for (const [text, floor, isWhole] of ASKED)
      for (const [operator, test] of Object.entries(TESTS)) {
        const expected = STORED.filter((stored) => test(stored, floor, isWhole)).map(String)
        const query = `filters[name][$startsWith]=Visited&filters[visitors][${operator}]=${text}`
        assert.deepEqual(await visitorsOf(query), expected, `${operator} ${text}`)
      }
  })

  it('are found in lists that also contain numbers out of range', async () => {
    const list = [LEAST, 'x'.length, 6.5, '1e16', GREATEST + 1n, GREATEST]
    const query = list.map((value) => `filters[visitors][$in]=${value}`).join('&')
    assert.deepEqual(await visitorsOf(query), [LEAST, 10n ** 16n, GREATEST].map(String))
  })

  describe('the smallest integer', () => {
    it('is kept when its document is edited, published and discarded', async () => {
      const url = `/api/restaurants/${ids.get(LEAST)}`
      const visitors = async (method: 'PUT' | 'POST' | 'GET', path: string, data?: object) =>
        (await api.send(method, url + path, data && { data })).json().data?.visitors
      const least = String(LEAST)
      assert.equal(await visitors('PUT', '', { stars: 1 }), least)
      assert.equal(await visitors('PUT', '?status=draft', { stars: 2 }), least)
      assert.equal(await visitors('POST', '/actions/publish'), least)
      assert.equal(await visitors('PUT', '?status=draft', { visitors: '5' }), '5')
      assert.equal(await visitors('POST', '/actions/discard'), least)
      assert.equal(await visitors('GET', '?status=draft'), least)
    })
  })
})
