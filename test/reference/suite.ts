/** Declares cases as tests on both engines, each engine with a seeded server. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { type Client, createClient } from './client.ts'
import type { Memory } from './memory.ts'
import { type Case, loadRecording, PROJECT } from './recording.ts'
import { replayCase, seedServer } from './replay.ts'

/** Runs the cases in their order; areas become suites. `declare` chooses the engines. */
export function replayOnEachEngine(
  cases: readonly Case[],
  { compatible = false, declare = onEachEngine } = {},
) {
  const recording = loadRecording({ compatible })
  declare((engine) => {
    let running: TestServer
    let client: Client
    let seeded: Memory

    before(async () => {
      running = await serve(PROJECT, await engine.freshUrl(), {
        api: { rest: { compat: compatible ? 'strapi' : 'none' } },
      })
      client = createClient(running.base, recording)
      seeded = await seedServer(client, recording)
    })
    after(() => running?.close())

    for (const [area, members] of Object.entries(Object.groupBy(cases, areaOf))) {
      describe(area, () => {
        for (const one of members ?? []) {
          it(one.name, async () => {
            const found = await replayCase(one, client, seeded, recording)
            assert.ok(found.length === 0, found.join('\n'))
          })
        }
      })
    }
  })
}

/** Cases that write come after all that only read, so an area may have two suites. */
function areaOf({ name, writes }: Case) {
  const area = name.split(':')[0] ?? name
  return writes ? `${area}, writing` : area
}
