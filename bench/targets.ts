/** The performance targets with one process, and whether a run meets them. */
import type { Engine } from './options.ts'
import type { Results, WorkloadResult } from './results.ts'

/**
 * A minimum share of bare `node:http` (on SQLite unless an engine is given), of a bare server that reads from the same
 * database, a maximum cost relative to another workload, or a maximum amount.
 */
type Target =
  | {
      readonly workload: string
      readonly engine?: Engine
      readonly cache: 'off' | 'on'
      readonly share: number
      readonly first?: true
    }
  | { readonly workload: string; readonly ceilingShare: number }
  | { readonly workload: string; readonly times: number; readonly of: string; readonly first: true }
  | { readonly amount: 'startMs' | 'idleMB'; readonly most: number }

/** Reads that are compared with a bare server on the same database. */
const CEILING_WORKLOADS = [
  ...[
    'list',
    'list-without-count',
    'one',
    'filter-sort',
    'scan',
    'populate-one',
    'populate-three',
    'deep-filter',
  ],
  ...['rich-list', 'rich-one', 'rich-populate-all', 'rich-zone', 'rich-search'],
]

/** `first` marks the original targets; the others were set later and are higher. */
const TARGETS: readonly Target[] = [
  { workload: 'list', cache: 'off', share: 0.3 },
  { workload: 'one', cache: 'off', share: 0.45 },
  { workload: 'filter-sort', cache: 'off', share: 0.2 },
  { workload: 'populate-one', cache: 'off', share: 0.15 },
  { workload: 'populate-three', cache: 'off', share: 0.06 },
  { workload: 'deep-filter', cache: 'off', share: 0.12 },
  { workload: 'list', cache: 'on', share: 0.65 },
  { workload: 'one', cache: 'on', share: 0.65 },
  { workload: 'filter-sort', cache: 'on', share: 0.65 },
  { workload: 'populate-one', cache: 'on', share: 0.65 },
  { workload: 'populate-three', cache: 'on', share: 0.65 },
  { workload: 'deep-filter', cache: 'on', share: 0.65 },
  { workload: 'create', cache: 'off', share: 0.08 },
  { workload: 'update', cache: 'off', share: 0.1 },
  { workload: 'rich-list', cache: 'off', share: 0.28 },
  { workload: 'rich-one', cache: 'off', share: 0.42 },
  { workload: 'rich-populate-all', cache: 'off', share: 0.1 },
  { workload: 'rich-zone', cache: 'off', share: 0.1 },
  { workload: 'rich-search', cache: 'off', share: 0.1 },
  { workload: 'list', engine: 'postgres', cache: 'off', share: 0.2 },
  { workload: 'one', engine: 'postgres', cache: 'off', share: 0.35 },
  { workload: 'filter-sort', engine: 'postgres', cache: 'off', share: 0.1 },
  { workload: 'populate-one', engine: 'postgres', cache: 'off', share: 0.07 },
  { workload: 'populate-three', engine: 'postgres', cache: 'off', share: 0.045 },
  { workload: 'deep-filter', engine: 'postgres', cache: 'off', share: 0.11 },
  { workload: 'create', engine: 'postgres', cache: 'off', share: 0.04 },
  { workload: 'update', engine: 'postgres', cache: 'off', share: 0.05 },
  ...CEILING_WORKLOADS.map((workload) => ({ workload, ceilingShare: 0.7 })),
  { amount: 'startMs', most: 600 },
  { amount: 'idleMB', most: 120 },
  { workload: 'list', cache: 'off', share: 0.2, first: true },
  { workload: 'one', cache: 'off', share: 0.35, first: true },
  { workload: 'populate-one', cache: 'off', share: 0.1, first: true },
  { workload: 'populate-three', times: 3, of: 'populate-one', first: true },
  { workload: 'deep-filter', times: 3, of: 'list', first: true },
  { workload: 'create', cache: 'off', share: 0.06, first: true },
  { workload: 'update', cache: 'off', share: 0.08, first: true },
]

/** The current target of a workload; null when it has none. */
export function targetOf(workload: string, engine: string, cache: 'off' | 'on'): number | null {
  const target = TARGETS.find(
    (one) =>
      'share' in one &&
      !one.first &&
      one.workload === workload &&
      (one.engine ?? 'sqlite') === engine &&
      one.cache === cache,
  )
  return target && 'share' in target ? target.share : null
}

export interface Verdict {
  readonly what: string
  readonly target: string
  readonly seen: string
  readonly met: boolean
  /** Whether this is one of the original targets. */
  readonly first: boolean
}

const AMOUNTS = {
  startMs: { what: 'start to first response, demo project', unit: 'ms' },
  idleMB: { what: 'resident memory when idle, demo project', unit: 'MB' },
} as const

/** The verdicts on what recording changes may add to a write, on each engine. */
export function changeVerdicts({ changes = [] }: Results): Verdict[] {
  return changes
    .filter(({ variant }) => variant !== 'off')
    .map(({ engine, workload, variant, time, most }) => ({
      what: `${engine}: ${workload} with ${variant}, relative to one without`,
      target: `at most ${most}`,
      seen: time.toFixed(3),
      met: time <= most,
      first: false,
    }))
}

/** What a search may cost with the most documents, relative to the fewest, and a create with a search index. */
const SEARCH = { growth: 3, create: 1.2 }

/** The verdicts on search indexes, on each engine. */
export function searchVerdicts({ search }: Results): Verdict[] {
  if (!search) return []
  const { figures, creates } = search
  const least = Math.min(...figures.map(({ size }) => size))
  const most = Math.max(...figures.map(({ size }) => size))
  const grown = figures.flatMap((figure): Verdict[] => {
    const first = figures.find(
      (one) => one.engine === figure.engine && one.search === figure.search && one.size === least,
    )
    if (!first || figure.size !== most) return []
    const cost = figure.indexMs / first.indexMs
    return [
      {
        what: `${figure.engine}: ${figure.search}, ${most} documents relative to ${least}`,
        ...{
          target: `at most ${SEARCH.growth}`,
          seen: cost.toFixed(2),
          met: cost <= SEARCH.growth,
          first: false,
        },
      },
    ]
  })
  return [
    ...grown,
    ...creates.map(({ engine, withIndex, withoutIndex }) => {
      const cost = withIndex / withoutIndex
      return {
        what: `${engine}: create with a search index relative to one without`,
        ...{
          target: `at most ${SEARCH.create}`,
          seen: cost.toFixed(2),
          met: cost <= SEARCH.create,
          first: false,
        },
      }
    }),
  ]
}

/** The first load in bytes, and what screens and key presses may cost with the most content, relative to the least. */
const ADMIN = { firstLoad: 300_000, growth: 1.5 }

/** The verdicts on the admin app. */
export function adminVerdicts({ admin }: Results): Verdict[] {
  if (!admin) return []
  const { firstLoadBytes, sizes, keyPresses } = admin
  const grown = (what: string, least: number, most: number): Verdict => ({
    what: `admin app: ${what}`,
    target: `at most ${ADMIN.growth}`,
    seen: (most / least).toFixed(2),
    met: most <= least * ADMIN.growth,
    first: false,
  })
  const [small, large] = [sizes[0], sizes.at(-1)]
  const [short, long] = [keyPresses[0], keyPresses.at(-1)]
  return [
    {
      what: 'admin app: scripts until the first list is usable',
      target: `at most ${ADMIN.firstLoad / 1_000} kB`,
      seen: `${Math.round(firstLoadBytes / 1_000)} kB`,
      met: firstLoadBytes <= ADMIN.firstLoad,
      first: false,
    },
    ...(small && large
      ? [
          grown(`list, ${large.size} documents relative to ${small.size}`, small.listMs, large.listMs),
          grown(`next page, ${large.size} documents relative to ${small.size}`, small.pageMs, large.pageMs),
        ]
      : []),
    ...(short && long
      ? [
          grown(
            `key press, median, ${long.entries} entries relative to ${short.entries}`,
            short.medianMs,
            long.medianMs,
          ),
          grown(
            `key press, 95th percentile, ${long.entries} entries relative to ${short.entries}`,
            short.at95Ms,
            long.at95Ms,
          ),
          grown(
            `key press, slowest after opening, ${long.entries} entries relative to ${short.entries}`,
            short.firstMs,
            long.firstMs,
          ),
        ]
      : []),
  ]
}

/** A verdict for each target of SQLite with one process that the results cover. */
export function verdictsOf({ workloads = [], start }: Results): Verdict[] {
  const measured = (workload: string, cache: string, engine: Engine = 'sqlite'): WorkloadResult | undefined =>
    workloads.find(
      (one) => one.engine === engine && one.workers === 1 && one.workload === workload && one.cache === cache,
    )
  return TARGETS.flatMap((target): Verdict[] => {
    if ('amount' in target) {
      const seen = start?.octavo[target.amount]
      const { what, unit } = AMOUNTS[target.amount]
      return seen === undefined || seen === null
        ? []
        : [
            {
              what,
              target: `under ${target.most} ${unit}`,
              seen: `${seen} ${unit}`,
              met: seen < target.most,
              first: false,
            },
          ]
    }
    if ('ceilingShare' in target) {
      const figure = measured(target.workload, 'off', 'postgres')
      if (!figure?.ceiling) return []
      return [
        {
          what: `${figure.title}, of the same statement sent by bare node:http, PostgreSQL`,
          target: shareText(target.ceilingShare),
          seen: figure.ceiling.share.toFixed(3),
          met: figure.ceiling.share >= target.ceilingShare,
          first: false,
        },
      ]
    }
    const engine = 'share' in target ? target.engine : 'sqlite'
    const figure = measured(target.workload, 'cache' in target ? target.cache : 'off', engine)
    if (!figure) return []
    const first = target.first === true
    if ('share' in target) {
      const what = `${figure.title}${target.cache === 'on' ? ', cached responses' : ''}${engine === 'postgres' ? ', PostgreSQL' : ''}`
      return [
        {
          what,
          target: shareText(target.share),
          seen: figure.share.toFixed(3),
          met: figure.share >= target.share,
          first,
        },
      ]
    }
    const other = measured(target.of, 'off')
    if (!other) return []
    // Compare shares, not rates: the machine's speed may have changed between the two measurements.
    const cost = other.share / figure.share
    const what = `${figure.title}, cost relative to ${other.title}`
    return [
      { what, target: `at most ${target.times}`, seen: cost.toFixed(2), met: cost <= target.times, first },
    ]
  })
}

/** Two decimals, or three where they are needed. */
const shareText = (share: number) => share.toFixed(3).replace(/0$/, '')

/** One verdict as a line of text. */
export const lineOf = ({ what, target, seen, met, first }: Verdict) =>
  `${met ? 'met   ' : 'MISSED'} ${what}: ${seen}, target ${target}${first ? ' (original target)' : ''}`
