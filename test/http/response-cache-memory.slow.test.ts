import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const MAX_BYTES = 4_000_000
/** What Node's heap may add to the counted bytes, for example by the spare capacity of hash tables. */
const TOLERANCE = 1.15

/** More responses than fit. The same number in every process, because each request takes its place in other caches, too. */
const RESPONSES = 6_500

async function memoryInUse(
  maxBytes: number,
  bodyBytes: number,
): Promise<{ bytes: number; isCached: boolean }> {
  const script = fileURLToPath(new URL('fill-response-cache.ts', import.meta.url))
  const options = ['--expose-gc', script, String(maxBytes), String(bodyBytes), String(RESPONSES)]
  const { stdout } = await promisify(execFile)(process.execPath, options)
  return JSON.parse(stdout)
}

describe('the response cache takes no more memory than cache.maxBytes allows', () => {
  const withoutCache = memoryInUse(1, 800)
  for (const bodyBytes of [800, 20_000])
    it(`with responses of ${bodyBytes} bytes`, async () => {
      const [full, empty] = await Promise.all([memoryInUse(MAX_BYTES, bodyBytes), withoutCache])
      const share = (full.bytes - empty.bytes) / MAX_BYTES
      assert.ok(share <= TOLERANCE, `${share.toFixed(2)} of the budget is in use`)
      assert.deepEqual([full.isCached, empty.isCached], [true, false])
    })
})
