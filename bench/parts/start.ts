/** Start: time from the start of the process to its first response, and memory when idle. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { loadContent } from '../../src/cli/start/demo-content.ts'
import { createServer } from '../../src/http/app.ts'
import { copyProject } from '../../test/support/project-folder.ts'
import type { Options } from '../options.ts'
import { median, type Results, type Start } from '../results.ts'
import { startChild } from '../servers/child-process.ts'
import { useOf } from '../servers/resource-usage.ts'
import { startOctavo } from '../servers/server-process.ts'

const DEMO = fileURLToPath(new URL('../../examples/restaurants/', import.meta.url))
const IDLE = 3_000

/** Starts the demo project, and the bare server, several times each. */
export async function measureStart(
  { rounds }: Options,
  folder: string,
): Promise<NonNullable<Results['start']>> {
  const project = join(folder, 'demo')
  copyProject(DEMO, project)
  const database = `sqlite:${join(folder, 'demo.db')}`
  const filling = await createServer({ project, config: { database: { url: database } }, logLevel: 'silent' })
  await loadContent(filling)
  await filling.close()

  const times: number[] = []
  const memories: (number | null)[] = []
  for (let start = 0; start <= rounds; start++) {
    const subject = await startOctavo({ project, database, cache: 'on' })
    const response = await fetch(`${subject.address}/api/restaurants`)
    await response.arrayBuffer()
    times.push(performance.now() - subject.began)
    if (!response.ok) throw new Error(`The demo returned ${response.status}`)
    await sleep(IDLE)
    memories.push(subject.use()?.memory ?? null)
    await subject.stop()
  }
  // The first start fills the compile cache that later starts use.
  const [firstStart = 0, ...later] = times
  const octavo = summary(later, memories)
  const bare = await startBare(rounds)
  console.log(
    `\nstart to first response ${octavo.startMs} ms (the first start ever ${Math.round(firstStart)} ms; bare node:http ${bare.startMs} ms),` +
      ` idle ${octavo.idleMB ?? '?'} MB (bare ${bare.idleMB ?? '?'} MB)`,
  )
  return { octavo, bare, firstStartMs: Math.round(firstStart) }
}

const summary = (times: readonly number[], memories: readonly (number | null)[]): Start => {
  const known = memories.filter((memory) => memory !== null)
  return { startMs: Math.round(median(times)), idleMB: known.length > 0 ? median(known) : null }
}

async function startBare(rounds: number): Promise<Start> {
  const times: number[] = []
  const memories: (number | null)[] = []
  for (let start = 0; start < rounds; start++) {
    const began = performance.now()
    const bare = await startChild('bare.ts', [])
    await (await fetch(bare.address)).arrayBuffer()
    times.push(performance.now() - began)
    await sleep(IDLE)
    const { pid } = await bare.sendOnce({})
    memories.push(useOf(pid)?.memory ?? null)
    await bare.stop()
  }
  return summary(times, memories)
}
