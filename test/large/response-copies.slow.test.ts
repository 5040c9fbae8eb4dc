/** A large response is made and sent with few copies of it in memory. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { onEachEngine } from '../support/engines.ts'

const run = promisify(execFile)
const MEASURE = new URL('measure-copies.ts', import.meta.url)

interface Measured {
  readonly bytes: number
  readonly isCached: boolean
  readonly allocated: number
  readonly inUse: number
  readonly held: number
}

/** How many copies may be allocated. The driver of PostgreSQL doubles its buffer until a row fits. */
const MOST_ALLOCATED = { sqlite: 3.3, postgres: 8.5 }
const MOST_IN_USE = 1.5

onEachEngine((engine) => {
  const measure = async (text: string): Promise<{ made: Measured; cached: Measured }> => {
    const flags = ['--expose-gc', '--disable-warning=ExperimentalWarning']
    const { stdout } = await run(process.execPath, [
      ...flags,
      MEASURE.pathname,
      await engine.freshUrl(),
      text,
    ])
    return JSON.parse(stdout)
  }

  it('one copy is held while a response of 9 MB is sent, and none more when it is cached', async () => {
    // A character beyond Latin-1 makes strings of JavaScript twice as large.
    const { made, cached } = await measure('abcdefghЖ')
    assert.ok(made.bytes > 9_000_000)
    assert.deepEqual([made.isCached, cached.isCached], [false, true])
    assert.ok(made.allocated < MOST_ALLOCATED[engine.name], `${made.allocated} copies were allocated`)
    assert.ok(made.inUse < MOST_IN_USE, `${made.inUse} copies are in use`)
    assert.ok(made.held < 1.2, `${made.held} copies are held`)
    assert.ok(cached.allocated < 0.2, `${cached.allocated} copies of a cached response were allocated`)
    assert.ok(cached.held < 0.2, `${cached.held} more copies of a cached response are held`)
  })
})
