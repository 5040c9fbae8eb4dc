/** The part of the benchmark on workloads: each on every engine, with and without kept answers, on one core and on all. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../../src/errors.ts'
import { copyProject } from '../../test/support/project-folder.ts'
import { shareWanted } from '../bars.ts'
import { fillInBulk } from '../bulk.ts'
import { type Subject, startOctavo } from '../command.ts'
import type { Seeded } from '../content.ts'
import { openDatabases } from '../databases.ts'
import type { Bench } from '../measure.ts'
import { figureHeader, figureLine } from '../report/lines.ts'
import type { Figure } from '../results.ts'
import { TOKEN, type Workload, workloads } from '../workloads.ts'

const PROJECT = fileURLToPath(new URL('../project/', import.meta.url))

/** A copy of the project, so that a run leaves nothing behind in the sources. */
export function copiedProject(folder: string): string {
  const project = join(folder, 'project')
  copyProject(PROJECT, project)
  return project
}

/** Measures all variants, one server at a time, each on a copy of the same database. */
export async function measureWorkloads(bench: Bench, folder: string): Promise<Figure[]> {
  const { engines, caches, workers, restaurants } = bench.options
  const project = copiedProject(folder)
  const figures: Figure[] = []
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

type Variant = Pick<Figure, 'engine' | 'cache' | 'workers'>

/** Bars are set for one process on SQLite. */
const roundsOf = ({ options }: Bench, { engine, cache, workers }: Variant, workload: string) =>
  engine === 'sqlite' && workers === 1 && shareWanted(workload, cache) !== null
    ? options.barRounds
    : options.rounds

/** Measures the workloads of the run on one server. Kept answers make no difference to writes. */
export async function measureAll(
  bench: Bench,
  subject: Pick<Subject, 'address' | 'use'>,
  seeded: Seeded,
  variant: Variant,
  token: string | null = null,
): Promise<Figure[]> {
  const { only } = bench.options
  const isAsked = ({ name, writes }: Workload) =>
    (!only || only.includes(name)) && !(writes && (variant.cache === 'on' || !mayWrite(variant, token)))
  console.log(`\n${wordsOf(variant, subject.address)}`)
  const mixed = workloads.filter(({ writes }) => !writes).flatMap((workload) => workload.requests(seeded))
  await bench.warmUp({ ...subject, token }, interleaved(mixed))
  console.log(figureHeader)
  const figures: Figure[] = []
  for (const workload of workloads.filter(isAsked)) {
    const { name, title, writes } = workload
    try {
      const target = { ...subject, token: token ?? (writes ? TOKEN : null) }
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
    ? `${address}, as it is`
    : `${engine}, answers ${cache === 'on' ? 'kept' : 'read each time'}, ${workers} ${workers === 1 ? 'worker' : 'workers'}`

/** Somebody else's server is written to only with a token. */
const mayWrite = ({ engine }: Variant, token: string | null) => engine !== 'other' || token !== null

/** Neighbours far apart, so that a warm-up meets every workload from its first second on. */
function interleaved<Item>(items: readonly Item[]): Item[] {
  const step = 97
  return items.map((item, index) => items[(index * step) % items.length] ?? item)
}
