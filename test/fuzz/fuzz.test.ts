/** Thousands of random requests to a server on each engine; `npm run fuzz` sends any number of them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { campaign } from '../../fuzz/campaign.ts'
import { startServerPair } from '../../fuzz/server-pair.ts'
import { bothEngines } from '../support/engines.ts'

const REQUESTS = 1200
/** Fixed, so that only a change of the code can make this test fail. */
const seed = Number(process.env.OCTAVO_FUZZ_SEED ?? 1)

describe('random requests over every route', () => {
  const [sqlite, postgres] = bothEngines()

  it(`get valid responses, the same on both engines (OCTAVO_FUZZ_SEED=${seed})`, async () => {
    const { requests, findings, tally } = await campaign({
      requests: REQUESTS,
      seed,
      open: async () => startServerPair([await sqlite.freshUrl(), await postgres.freshUrl()]),
    })
    assert.deepEqual(
      findings.map(({ description, requests: [request], responses }) => ({
        description,
        request: `${request.method} ${request.target}`,
        body: request.body?.toString('utf8').slice(0, 1000),
        responses: responses.map((response) => JSON.stringify(response).slice(0, 1000)),
      })),
      [],
    )
    assert.ok(requests >= REQUESTS)
    // A fuzzer whose requests are all refused would find nothing.
    const statuses = new Map<number, number>()
    for (const row of tally.values())
      for (const [status, times] of row) statuses.set(status, (statuses.get(status) ?? 0) + times)
    for (const status of [200, 201, 204, 400, 401, 403, 404, 405])
      assert.ok(statuses.has(status), `no ${status}`)
    assert.ok((statuses.get(200) ?? 0) > requests / 8, `only ${statuses.get(200)} of ${requests} were 200`)
    assert.ok((statuses.get(201) ?? 0) > requests / 100, `only ${statuses.get(201)} of ${requests} were 201`)
  })
})
