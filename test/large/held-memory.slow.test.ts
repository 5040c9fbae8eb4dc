/** What requests leave in memory is bounded, whatever they contain. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { onEachEngine } from '../support/engines.ts'

const run = promisify(execFile)
const MEASURE = new URL('measure-held.ts', import.meta.url)

onEachEngine((engine) => {
  /** The megabytes that a server holds more after requests of one kind than before. */
  async function grownBy(kind: string, times: number): Promise<number> {
    const flags = ['--expose-gc', '--disable-warning=ExperimentalWarning']
    const { stdout } = await run(process.execPath, [
      ...flags,
      MEASURE.pathname,
      await engine.freshUrl(),
      kind,
      String(times),
    ])
    return JSON.parse(stdout).grown
  }

  const KINDS = [
    {
      kind: 'shapes',
      times: 400,
      most: 32,
      what: 'hundreds of queries, each with a long statement of its own',
    },
    { kind: 'values', times: 4_000, most: 25, what: 'thousands of long queries that differ in their values' },
    { kind: 'identifiers', times: 24, most: 8, what: 'sign-ins with identifiers of a megabyte' },
  ]
  for (const { kind, times, most, what } of KINDS)
    it(`${what} leave less than ${most} MB in memory`, async () => {
      const grown = await grownBy(kind, times)
      assert.ok(grown < most, `${grown} MB more are held`)
    })
})
