/** Workloads: each on every engine, with and without the response cache, with one worker and with one per core. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../../src/errors.ts'
import { copyProject } from '../../test/support/project-folder.ts'
import { barOf } from '../bars.ts'
import { fillInBulk } from '../bulk.ts'
import type { Seeded } from '../content.ts'
import { openDatabases } from '../databases.ts'
import { COSTLY_CONNECTIONS } from '../load.ts'
import type { Bench } from '../measure.ts'
import { figureHeader, figureLine } from '../report/lines.ts'
import type { WorkloadResult } from '../results.ts'
import { type Subject, startOctavo } from '../server-process.ts'
import { TOKEN, type Workload, workloads } from '../workloads.ts'

const PROJECT = fileURLToPath(new URL('../project/', import.meta.url))

/** A copy of the project, so that a run does not change the repository. */
export function copiedProject(folder: string): string {
  const project = join(folder, 'project')
  copyProject(PROJECT, project)
  return project
}

/** Measures all variants, one server at a time, each on a copy of the same database. */
export async function measureWorkloads(bench: Bench, folder: string): Promise<WorkloadResult[]> {
  const { engines, caches, workers, restaurants } = bench.options
  const project = copiedProject(folder)
  const figures: WorkloadResult[] = []
  for (const engine of engines) {
    const databases = await openDatabases(engine, folder)
    try {
      const began = performance.now()
      const seeded = await fillInBulk(project, await databases.make('seeded'), restaurants)
      await databases.settle('seeded')
      console.log(`\n${engine}: ${restaurants} restaurants in ${seconds(began)} s`)
      for (const count of workers) {
        for (const cache of caches) {
          const database = await databases.copy('seeded', 'measured')
          const subject = await startOctavo({ project, database, cache, workers: count })
          try {
            const variant = { engine, cache, workers: count }
            figures.push(...(await measureAll(bench, subject, seeded, variant)))
          } finally {
            await subject.stop()
          }
          await databases.remove('measured')
        }
      }
    } finally {
      await databases.stop()
    }
  }
  return figures
}

const seconds = (began: number) => ((performance.now() - began) / 1000).toFixed(1)

type Variant = Pick<WorkloadResult, 'engine' | 'cache' | 'workers'>

/** The bars apply to one process on SQLite. */
const roundsOf = ({ options }: Bench, { engine, cache, workers }: Variant, workload: string) =>
  engine === 'sqlite' && workers === 1 && barOf(workload, cache) !== null ? options.barRounds : options.rounds

/** Measures the selected workloads on one server. The cache does not affect writes. */
export async function measureAll(
  bench: Bench,
  subject: Pick<Subject, 'address' | 'use'>,
  seeded: Seeded,
  variant: Variant,
  token: string | null = null,
): Promise<WorkloadResult[]> {
  const { only } = bench.options
  const isAsked = ({ name, writes }: Workload) =>
    (!only || only.includes(name)) && !(writes && (variant.cache === 'on' || !mayWrite(variant, token)))
  console.log(`\n${wordsOf(variant, subject.address)}`)
  const mixed = workloads
    .filter(({ writes, isCostly }) => !writes && !isCostly)
    .flatMap((workload) => workload.requests(seeded))
  await bench.warmUp({ ...subject, token }, interleaved(mixed))
  console.log(figureHeader)
  const figures: WorkloadResult[] = []
  for (const workload of workloads.filter(isAsked)) {
    const { name, title, writes, isCostly } = workload
    try {
      const target = {
        ...subject,
        token: token ?? (writes ? TOKEN : null),
        ...(isCostly && { connections: COSTLY_CONNECTIONS }),
      }
      const measured = await bench.measure(target, workload.requests(seeded), roundsOf(bench, variant, name))
      const figure = { workload: name, title, ...variant, ...measured }
      figures.push(figure)
      console.log(figureLine(figure))
    } catch (error) {
      process.exitCode = 1
      console.log(`${title.padEnd(26)}  ${messageOf(error)}`)
    }
  }
  const memory = subject.use()?.memory
  if (memory !== undefined) console.log(`memory after the load: ${memory} MB`)
  return figures
}

const wordsOf = ({ engine, cache, workers }: Variant, address: string) =>
  engine === 'other'
    ? `${address}`
    : `${engine}, cache ${cache}, ${workers} ${workers === 1 ? 'worker' : 'workers'}`

/** Another server is written to only with a token. */
const mayWrite = ({ engine }: Variant, token: string | null) => engine !== 'other' || token !== null

/** Spreads neighbours apart, so that a warm-up covers every workload within its first second. */
function interleaved<Item>(items: readonly Item[]): Item[] {
  const step = 97
  return items.map((item, index) => items[(index * step) % items.length] ?? item)
}
