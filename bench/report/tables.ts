/** Results as the tables of docs/performance.md. */

import type { AdminFigures, GrowthFigure, Results, WorkloadResult } from '../results.ts'
import { verdictsOf } from '../targets.ts'
import { time, whole } from './lines.ts'

type Cell = string | number

function table(head: readonly string[], rows: readonly (readonly Cell[])[], texts = 1): string {
  const line = (cells: readonly Cell[]) => `| ${cells.join(' | ')} |`
  const rule = `|${head.map((_, index) => (index < texts ? '---' : '--:')).join('|')}|`
  return [line(head), rule, ...rows.map(line)].join('\n')
}

const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL', other: 'other' } as const

const unique = <Item>(items: readonly Item[]) => [...new Set(items)]

/** What was measured, when and where. */
export function provenance(results: Results): string {
  const { day, version, machine, generator, connections, rounds, targetRounds = rounds, seconds } = results
  const more = targetRounds === rounds ? '' : ` (${targetRounds} where a target is set)`
  return (
    `Version ${version}, ${day}: ${machine.cores} cores (${machine.cpu}), ${machine.memory}, Node ${machine.node},` +
    ` ${generator} with ${connections} connections, ${rounds} rounds of ${seconds} s${more}.`
  )
}

/** Requests per second and shares: one row per workload, one table per engine. */
export function workloadTables({ workloads = [] }: Results): string {
  return unique(workloads.map(({ engine }) => engine))
    .map(
      (engine) =>
        `**${ENGINES[engine]}**\n\n${engineTable(workloads.filter((one) => one.engine === engine))}`,
    )
    .join('\n\n')
}

function engineTable(figures: readonly WorkloadResult[]): string {
  const variants = unique(figures.map(({ cache, workers }) => `${workers} ${cache}`)).map((text) => {
    const [workers, cache] = text.split(' ')
    return { workers: Number(workers), cache, words: wordsOf(Number(workers), cache ?? '') }
  })
  const rows = unique(figures.map(({ workload }) => workload)).map((name) => {
    const own = figures.filter(({ workload }) => workload === name)
    const [first] = own
    const cells = variants.flatMap(({ workers, cache }) => {
      const found = own.find((one) => one.workers === workers && one.cache === cache)
      return found
        ? [
            whole(found.own.requestsPerSecond),
            `${time(found.own.p50)} / ${time(found.own.p99)}`,
            found.share.toFixed(3),
          ]
        : ['', '', '']
    })
    return [
      first?.title ?? name,
      whole(first?.bytes ?? 0),
      whole(first?.bare.requestsPerSecond ?? 0),
      ...cells,
    ]
  })
  const head = variants.flatMap(({ words }) => [`${words}: req/s`, 'p50 / p99 ms', 'share'])
  return [table(['Workload', 'bytes', 'bare/s', ...head], rows), ...ceilingTable(figures)].join('\n\n')
}

/** Reads next to a bare server that sends the same statement; empty where that was not measured. */
function ceilingTable(figures: readonly WorkloadResult[]): string[] {
  const rows = figures.flatMap(({ title, own, ceiling }) =>
    ceiling
      ? [
          [
            title,
            whole(ceiling.server.requestsPerSecond),
            whole(own.requestsPerSecond),
            ceiling.share.toFixed(3),
          ],
        ]
      : [],
  )
  const head = ['Read, 1 worker, uncached', 'bare server with the same statement: req/s', 'req/s', 'share']
  return rows.length === 0 ? [] : [table(head, rows)]
}

const wordsOf = (workers: number, cache: string) =>
  `${workers === 1 ? '1 worker' : `${workers} workers`}, ${cache === 'on' ? 'cached' : 'uncached'}`

/** Every target, and whether it was met. */
export function verdictTable(results: Results): string {
  const rows = verdictsOf(results).map(({ what, target, seen, met, first }) => [
    what,
    first ? 'first' : 'now',
    target,
    seen,
    met ? 'yes' : '**no**',
  ])
  return table(
    ['On SQLite unless it says otherwise, one worker', 'Set', 'Target', 'Measured', 'Met'],
    rows,
    2,
  )
}

export function startTable({ start }: Results): string {
  if (!start) return ''
  const { octavo, bare, firstStartMs } = start
  const ratio = (own: number | null, other: number | null) =>
    own === null || other === null ? '' : (own / other).toFixed(1)
  return table(
    ['', 'Octavo, demo project', 'bare `node:http`', 'ratio'],
    [
      [
        'start of the process to first response, ms',
        octavo.startMs,
        bare.startMs,
        ratio(octavo.startMs, bare.startMs),
      ],
      ['first start after installation, ms', firstStartMs, '', ''],
      [
        'resident memory when idle, MB',
        octavo.idleMB ?? '?',
        bare.idleMB ?? '?',
        ratio(octavo.idleMB, bare.idleMB),
      ],
    ],
  )
}

/** The cost of a write with what is recorded about it, on each engine. */
export function changeTables({ changes = [] }: Results): string {
  const rows = changes.map(({ engine, workload, variant, rate, time, processor, most }) => [
    ENGINES[engine],
    workload,
    variant,
    whole(rate),
    time.toFixed(2),
    most === 1 ? '' : most.toFixed(2),
    processor?.toFixed(2) ?? '?',
  ])
  const head = ['Engine', 'Write', 'What is on', 'req/s', 'time', 'at most', 'CPU time']
  return table(head, rows, 3)
}

/** Searches at each size with the cost relative to the smallest, and creates with a search index and without. */
export function searchTables({ search }: Results): string {
  if (!search) return ''
  const sizes = unique(search.figures.map(({ size }) => size))
  const searches = unique(search.figures.map(({ engine, search }) => `${engine} ${search}`)).map((key) => {
    const own = search.figures.filter((one) => `${one.engine} ${one.search}` === key)
    const [first] = own
    const last = own.at(-1)
    return [
      first ? ENGINES[first.engine] : '',
      first?.search ?? '',
      ...own.flatMap(({ indexMs, scanMs }) => [time(indexMs), scanMs === null ? '' : time(scanMs)]),
      ((last?.indexMs ?? 0) / (first?.indexMs ?? 0)).toFixed(1),
    ]
  })
  const head = sizes.flatMap((size) => [`${whole(size)} documents: ms`, 'without index'])
  const creates = search.creates.map(({ engine, withoutIndex, withIndex }) => [
    ENGINES[engine],
    whole(withoutIndex),
    whole(withIndex),
    (withIndex / withoutIndex).toFixed(2),
  ])
  return [
    table(['Engine', 'Search', ...head, 'times the first'], searches, 2),
    table(['Create', 'without search index: CPU µs', 'with', 'ratio'], creates),
  ].join('\n\n')
}

/** The admin app with few and with many documents, and with short and long dynamic zones. */
export function adminTables({ firstLoadBytes, sizes, keyPresses }: AdminFigures): string {
  const ms = (value: number) => value.toFixed(1)
  return [
    `Scripts until the first list is usable: ${Math.round(firstLoadBytes / 1_000)} kB (gzip).`,
    table(
      ['Documents', 'list usable after: ms', 'next page', 'document'],
      sizes.map(({ size, listMs, pageMs, documentMs }) => [
        whole(size),
        ms(listMs),
        ms(pageMs),
        ms(documentMs),
      ]),
    ),
    table(
      [
        'Entries in a dynamic zone',
        'key press to paint: ms, median',
        '95th percentile',
        'slowest after opening',
      ],
      keyPresses.map(({ entries, medianMs, at95Ms, firstMs }) => [
        whole(entries),
        ms(medianMs),
        ms(at95Ms),
        ms(firstMs),
      ]),
    ),
  ].join('\n\n')
}

/** Requests per second and share at each size. */
export function growthTables({ growth }: Results): string {
  if (!growth) return ''
  const { figures, filled } = growth
  return unique(figures.map(({ engine }) => engine))
    .flatMap((engine) =>
      (['documents', 'types'] as const).flatMap((grows) => {
        const own = figures.filter((one) => one.engine === engine && one.grows === grows)
        if (own.length === 0) return []
        const sizes = unique(own.map(({ size }) => size))
        const what = grows === 'documents' ? 'documents' : 'content-types'
        const rows = [
          ...unique(own.map(({ workload }) => workload)).map((name) => growthRow(own, name, sizes)),
          ...facts(
            sizes.map((size) =>
              filled.find((one) => one.engine === engine && one.grows === grows && one.size === size),
            ),
          ),
        ]
        return [
          `**${ENGINES[engine]}, ${what}**\n\n${table(['Requests/s (share)', ...sizes.map((size) => `${whole(size)}`)], rows)}`,
        ]
      }),
    )
    .join('\n\n')
}

function growthRow(figures: readonly GrowthFigure[], name: string, sizes: readonly number[]): Cell[] {
  const own = figures.filter(({ workload }) => workload === name)
  return [
    own[0]?.title ?? name,
    ...sizes.map((size) => {
      const found = own.find((one) => one.size === size)
      return found ? `${whole(found.own.requestsPerSecond)} (${found.share.toFixed(3)})` : ''
    }),
  ]
}

type Filled = NonNullable<Results['growth']>['filled'][number]

const facts = (filled: readonly (Filled | undefined)[]): Cell[][] => [
  ['start to first response, ms', ...filled.map((one) => (one ? whole(one.startMs) : ''))],
  ['memory after the load, MB', ...filled.map((one) => one?.memoryMB ?? '')],
  ['filled in, s', ...filled.map((one) => one?.filledInSeconds ?? '')],
]
