/** Changes: what events, the audit log and the history add to the cost of a write, against a server without them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { fillInBulk } from '../content/bulk.ts'
import type { Seeded } from '../content/restaurants.ts'
import type { Bench } from '../measure.ts'
import type { Engine } from '../options.ts'
import { type ChangeCost, meanOfLowest, median } from '../results.ts'
import { openDatabases } from '../servers/databases.ts'
import { type Subject, startOctavo } from '../servers/server-process.ts'
import { TOKEN, type Workload, workloads } from '../workloads.ts'
import { copiedProject } from './workloads.ts'

const enabled = (names: readonly string[]) =>
  Object.fromEntries(
    ['events', 'audit', 'webhooks', 'schedules', 'releases', 'history'].map((name) => [
      `OCTAVO_${name.toUpperCase()}_ENABLED`,
      String(names.includes(name)),
    ]),
  )

/** What is on, and the highest permitted cost relative to a server where everything is off. */
const VARIANTS = [
  { name: 'off', most: 1, env: enabled([]) },
  { name: 'events and audit', most: 1.15, env: enabled(['events', 'audit']) },
  {
    ...{ name: 'everything', most: 1.3 },
    env: enabled(['events', 'audit', 'webhooks', 'schedules', 'releases', 'history']),
  },
] as const

/** Milliseconds that a server gets to end the background work of a round, before the next server is measured. */
const PAUSE = 200

interface Side {
  readonly variant: (typeof VARIANTS)[number]
  readonly subject: Subject
}

/** Measures create, update and publish in rounds that alternate between the variants. */
export async function measureChanges(bench: Bench, folder: string): Promise<ChangeCost[]> {
  const { engines, restaurants, only } = bench.options
  const project = copiedProject(folder)
  const costs: ChangeCost[] = []
  for (const engine of engines) {
    const databases = await openDatabases(engine, folder)
    const sides: Side[] = []
    try {
      const seeded = await fillInBulk(project, await databases.make('changes'), restaurants)
      await databases.settle('changes')
      for (const variant of VARIANTS) {
        const database = await databases.copy('changes', `changes_${sides.length}`)
        sides.push({ variant, subject: await startOctavo({ project, database, env: variant.env }) })
      }
      const writes = workloads.filter(({ name, writes }) => writes && (!only || only.includes(name)))
      console.log(`\n${engine}: the cost of a write, compared with a server where all of it is off`)
      for (const workload of writes) costs.push(...(await measureOne(bench, engine, sides, workload, seeded)))
    } finally {
      for (const { subject } of sides) await subject.stop()
      await databases.stop()
    }
  }
  return costs
}

async function measureOne(
  { generator, options }: Bench,
  engine: Engine,
  sides: readonly Side[],
  workload: Workload,
  seeded: Seeded,
): Promise<ChangeCost[]> {
  const requests = workload.requests(seeded)
  const rounds: { rate: number; processor: number | null }[][] = []
  // A server with more to do has more code to compile, which is not a cost of a write.
  for (const { subject } of sides) await generator.drive(subject.address, requests, options.warmUp, TOKEN)
  for (let round = 0; round < options.targetRounds; round++) {
    const measured: { rate: number; processor: number | null }[] = []
    for (const index of order(round, sides.length)) {
      const subject = sides[index]?.subject
      if (!subject) continue
      const before = subject.use()
      const load = await generator.drive(subject.address, requests, options.seconds, TOKEN)
      if (load.failures > 0) throw new Error(`${workload.name}: ${load.failures} requests have failed`)
      // Work that a write leaves for later is a part of its cost.
      await sleep(PAUSE)
      const after = subject.use()
      const processor = before && after && (after.processor - before.processor) / load.requests
      measured[index] = { rate: load.requestsPerSecond, processor }
    }
    rounds.push(measured)
  }
  return sides.map(({ variant: { name, most } }, index) => {
    const times = rounds.map((round) => (round[0]?.rate ?? 0) / (round[index]?.rate ?? 0))
    const processor = (side: number) => meanOfLowest(rounds.map((round) => round[side]?.processor ?? 0))
    const cost: ChangeCost = {
      ...{ engine, workload: workload.name, variant: name, most },
      rate: Math.round(median(rounds.map((round) => round[index]?.rate ?? 0))),
      time: Math.round(median(times) * 1000) / 1000,
      processor:
        rounds[0]?.[0]?.processor === null
          ? null
          : Math.round((processor(index) / processor(0)) * 1000) / 1000,
    }
    console.log(
      `${workload.name.padEnd(10)}${name.padEnd(20)}${String(cost.rate).padStart(7)}/s  time ×${cost.time.toFixed(2)}  CPU ×${cost.processor?.toFixed(2) ?? '?'}  (at most ×${most})`,
    )
    return cost
  })
}

/** Forwards and backwards in turn, so that a machine that gets slower or faster favours none. */
const order = (round: number, count: number) => {
  const forwards = Array.from({ length: count }, (_, index) => index)
  return round % 2 === 0 ? forwards : forwards.reverse()
}
