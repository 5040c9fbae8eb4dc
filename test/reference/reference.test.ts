/** Replays every recorded case against our server, on both engines. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { onEachEngine } from '../engines.ts'
import { serve, type TestServer } from '../serving.ts'
import { type Client, createClient } from './client.ts'
import type { Memory } from './memory.ts'
import { loadRecording, PROJECT } from './recording.ts'
import { replayCase, seedServer } from './replay.ts'

const recording = loadRecording()

onEachEngine((engine) => {
  let running: TestServer
  let client: Client
  let seeded: Memory

  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl())
    client = createClient(running.base, recording)
    seeded = await seedServer(client, recording)
  })
  after(() => running.close())

  for (const [area, cases] of Object.entries(Object.groupBy(recording.cases, areaOf))) {
    describe(area, () => {
      for (const one of cases ?? []) {
        it(one.name, async () => {
          const found = await replayCase(one, client, seeded, recording)
          assert.ok(found.length === 0, found.join('\n'))
        })
      }
    })
  }
})

/** Cases that write come after all that only read, so an area may have two groups. */
function areaOf({ name, writes }: { name: string; writes?: boolean }) {
  const area = name.split(':')[0] ?? name
  return writes ? `${area}, writing` : area
}
