/** Workloads: each on every engine, with and without the response cache, with one worker and with one per core. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../../src/errors.ts'
import { copyProject } from '../../test/support/project-folder.ts'
import { fillRich } from '../content/articles.ts'
import { fillInBulk } from '../content/bulk.ts'
import type { Seeded } from '../content/restaurants.ts'
import { COSTLY_CONNECTIONS } from '../load.ts'
import type { Bench } from '../measure.ts'
import type { Options } from '../options.ts'
import { figureHeader, figureLine } from '../report/lines.ts'
import type { WorkloadResult } from '../results.ts'
import { richWorkloads } from '../rich-workloads.ts'
import { type Ceiling, startCeiling } from '../servers/ceiling-process.ts'
import { openDatabases } from '../servers/databases.ts'
import { type Subject, startOctavo } from '../servers/server-process.ts'
import { targetOf } from '../targets.ts'
import { type BenchRequest, TOKEN, type Workload, workloads } from '../workloads.ts'

const PROJECT = fileURLToPath(new URL('../project/', import.meta.url))
const RICH_PROJECT = fileURLToPath(new URL('../rich-project/', import.meta.url))

/** A copy of the project, so that a run does not change the repository. */
export function copiedProject(folder: string): string {
  const project = join(folder, 'project')
  copyProject(PROJECT, project)
  return project
}

/** Content of a project, and the workloads on it. */
interface Content {
  readonly title: string
  readonly project: string
  /** Fills an empty database and returns the workloads on its content. */
  fill(database: string): Promise<readonly BoundWorkload[]>
}

/** A workload with its requests. */
interface BoundWorkload extends Omit<Workload, 'requests'> {
  readonly requests: readonly BenchRequest[]
  /** Whether a token is sent with every request, also with reads. */
  readonly sendsToken?: true
}

/** The plain and the rich content; only those that have one of the selected workloads. */
function contentsOf({ only, restaurants, articles }: Options, folder: string): readonly Content[] {
  const isAsked = (names: readonly { readonly name: string }[]) =>
    !only || names.some(({ name }) => only.includes(name))
  const copied = (name: string, of: string) => {
    const project = join(folder, name)
    copyProject(of, project)
    return project
  }
  const plain = isAsked(workloads) ? [plainContent(copiedProject(folder), restaurants)] : []
  const rich = isAsked(richWorkloads) ? [richContent(copied('rich', RICH_PROJECT), articles)] : []
  return [...plain, ...rich]
}

const plainContent = (project: string, restaurants: number): Content => ({
  title: `${restaurants} restaurants`,
  project,
  fill: async (database) => bound(await fillInBulk(project, database, restaurants)),
})

const richContent = (project: string, articles: number): Content => ({
  title: `${articles} articles`,
  project,
  async fill(database) {
    const made = await fillRich(project, database, articles)
    return richWorkloads.map(({ name, title, requests }) => ({
      ...{ name, title, writes: false, sendsToken: true },
      requests: requests(made),
    }))
  },
})

/** The workloads on plain content. */
export const bound = (seeded: Seeded): readonly BoundWorkload[] =>
  workloads.map((workload) => ({ ...workload, requests: workload.requests(seeded) }))

/** Measures all variants, one server at a time, each on a copy of the same database. */
export async function measureWorkloads(bench: Bench, folder: string): Promise<WorkloadResult[]> {
  const { engines, caches, workers } = bench.options
  const figures: WorkloadResult[] = []
  const contents = contentsOf(bench.options, folder)
  for (const engine of engines) {
    const databases = await openDatabases(engine, folder)
    try {
      for (const { title, project, fill } of contents) {
        const began = performance.now()
        const filled = await fill(await databases.make('seeded'))
        await databases.settle('seeded')
        console.log(`\n${engine}: ${title} in ${seconds(began)} s`)
        for (const count of workers) {
          for (const cache of caches) {
            const database = await databases.copy('seeded', 'measured')
            const subject = await startOctavo({ project, database, cache, workers: count })
            const variant = { engine, cache, workers: count }
            const ceiling = hasCeiling(variant) ? await startCeiling(project, database) : null
            try {
              figures.push(...(await measureAll(bench, subject, filled, variant, null, ceiling)))
            } finally {
              await ceiling?.stop()
              await subject.stop()
            }
            await databases.remove('measured')
          }
        }
        await databases.remove('seeded')
      }
    } finally {
      await databases.stop()
    }
  }
  return figures
}

const seconds = (began: number) => ((performance.now() - began) / 1000).toFixed(1)

type Variant = Pick<WorkloadResult, 'engine' | 'cache' | 'workers'>

/** What a statement allows is measured for the simplest variant. */
const hasCeiling = ({ engine, cache, workers }: Variant) =>
  engine === 'postgres' && cache === 'off' && workers === 1

/** The targets apply to one process. */
const roundsOf = ({ options }: Bench, { engine, cache, workers }: Variant, workload: string) =>
  workers === 1 && targetOf(workload, engine, cache) !== null ? options.targetRounds : options.rounds

/** Measures the selected workloads on one server. The cache does not affect writes. */
export async function measureAll(
  bench: Bench,
  subject: Pick<Subject, 'address' | 'use'>,
  all: readonly BoundWorkload[],
  variant: Variant,
  token: string | null = null,
  ceiling: Ceiling | null = null,
): Promise<WorkloadResult[]> {
  const { only } = bench.options
  const isAsked = ({ name, writes }: BoundWorkload) =>
    (!only || only.includes(name)) && !(writes && (variant.cache === 'on' || !mayWrite(variant, token)))
  const tokenOf = ({ writes, sendsToken }: BoundWorkload) => token ?? (writes || sendsToken ? TOKEN : null)
  console.log(`\n${wordsOf(variant, subject.address)}`)
  const quick = all.filter(({ writes, isCostly }) => !writes && !isCostly)
  const mixed = quick.flatMap(({ requests }) => requests)
  await bench.warmUp({ ...subject, token: quick[0] ? tokenOf(quick[0]) : token }, interleaved(mixed))
  console.log(figureHeader)
  const figures: WorkloadResult[] = []
  for (const workload of all.filter(isAsked)) {
    const { name, title, writes, isCostly, requests } = workload
    try {
      const target = {
        ...subject,
        token: tokenOf(workload),
        ...(isCostly && { connections: COSTLY_CONNECTIONS }),
      }
      const beside = ceiling && !writes && !isCostly ? ceiling : null
      await beside?.prepare(subject.address, requests)
      const rounds = roundsOf(bench, variant, name)
      const measured = await bench.measure(target, requests, rounds, beside?.child)
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
