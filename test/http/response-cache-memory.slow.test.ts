import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const MAX_BYTES = 4_000_000
/** What Node's heap may add to the counted bytes, for example by the spare capacity of hash tables. */
const TOLERANCE = 1.15

/** Enough for every other cache to be full, too. */
const MIN_RESPONSES = 6_000

async function memoryInUse(
  maxBytes: number,
  bodyBytes: number,
  count: number,
): Promise<{ bytes: number; isCached: boolean }> {
  const script = fileURLToPath(new URL('fill-response-cache.ts', import.meta.url))
  const options = ['--expose-gc', script, String(maxBytes), String(bodyBytes), String(count)]
  const { stdout } = await promisify(execFile)(process.execPath, options)
  return JSON.parse(stdout)
}

describe('the response cache takes no more memory than cache.maxBytes allows', () => {
  const withoutCache = memoryInUse(1, 800, MIN_RESPONSES)
  for (const bodyBytes of [800, 20_000])
    it(`with responses of ${bodyBytes} bytes`, async () => {
      const count = Math.max(MIN_RESPONSES, Math.ceil((1.3 * MAX_BYTES) / bodyBytes))
      const [full, empty] = await Promise.all([memoryInUse(MAX_BYTES, bodyBytes, count), withoutCache])
      const share = (full.bytes - empty.bytes) / MAX_BYTES
      assert.ok(share <= TOLERANCE, `${share.toFixed(2)} of the budget is in use`)
      assert.deepEqual([full.isCached, empty.isCached], [true, false])
    })
})
