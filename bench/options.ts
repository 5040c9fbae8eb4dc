/** The benchmark's command-line options. */
import { parseArgs } from 'node:util'

export const PARTS = ['workloads', 'start', 'growth', 'changes', 'indexes', 'search', 'admin'] as const
export type Part = (typeof PARTS)[number]
export const ENGINES = ['sqlite', 'postgres'] as const
export type Engine = (typeof ENGINES)[number]

export interface Options {
  readonly parts: readonly Part[]
  readonly engines: readonly Engine[]
  /** Names of workloads; all when null. */
  readonly only: readonly string[] | null
  readonly caches: readonly ('off' | 'on')[]
  readonly workers: readonly number[]
  readonly seconds: number
  readonly rounds: number
  /** Rounds of a workload that has a target: more, so that noise does not decide the verdict. */
  readonly targetRounds: number
  /** Seconds of warm-up with mixed requests before a server is measured. */
  readonly warmUp: number
  readonly restaurants: number
  /** The number of rich documents. */
  readonly articles: number
  /** Numbers of documents and of content-types for the growth part. */
  readonly documents: readonly number[]
  readonly types: readonly number[]
  readonly against: { readonly url: string; readonly token: string | null; readonly fill: boolean } | null
  readonly json: string | null
  /** Whether this is a complete run, whose results go to docs/performance.md. */
  readonly isComplete: boolean
  readonly docs: boolean
  /** Whether the run only checks that everything works. */
  readonly isQuick: boolean
}

export const HELP = `npm run bench -- [options]

Measures a server over HTTP, each workload beside a bare node:http server that sends the same bytes.

  --parts LIST         workloads, start, growth, changes, indexes, search, admin (all)
  --only LIST          workloads by name, such as list,one (all)
  --engine LIST        sqlite, postgres (both)
  --cache LIST         off, on: the response cache (both)
  --workers LIST       numbers of processes (1 and one on each core)
  --duration SECONDS   of a round (1)
  --rounds NUMBER      rounds of each workload, alternating with the bare server (5; 11 where a target is set)
  --restaurants NUMBER size of the largest type (5000)
  --articles NUMBER    rich documents (600)
  --documents LIST     sizes for the growth of a type (1000,10000,100000,1000000); admin uses the first and the last
  --types LIST         sizes for the growth of the model (1,10,100,500)
  --quick              a short run to check that everything works; its numbers mean nothing
  --against URL        measure another server with this API and the content-types of bench/project
  --token TOKEN        its API token; required to measure writes
  --fill               first create the content through its API
  --json FILE          write the results to FILE (bench/results/<day>.json, or <day>-partial.json)
  --docs               update docs/performance.md even if the run is not complete
  --help

A complete run takes about an hour and updates docs/performance.md.`

/** Invalid command-line options; reported without a stack trace. */
export class UsageError extends Error {}

/** Parses a command line; null when it asks for help. */
export function optionsOf(args: readonly string[], cores: number): Options | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      parts: { type: 'string' },
      only: { type: 'string' },
      engine: { type: 'string' },
      cache: { type: 'string' },
      workers: { type: 'string' },
      duration: { type: 'string' },
      rounds: { type: 'string' },
      restaurants: { type: 'string' },
      articles: { type: 'string' },
      documents: { type: 'string' },
      types: { type: 'string' },
      quick: { type: 'boolean', default: false },
      against: { type: 'string' },
      token: { type: 'string' },
      fill: { type: 'boolean', default: false },
      json: { type: 'string' },
      docs: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  const { quick, against } = values
  const narrowed = [values.parts, values.only, values.engine, values.cache, values.workers, against]
  const sized = [
    values.duration,
    values.rounds,
    values.restaurants,
    values.articles,
    values.documents,
    values.types,
  ]
  return {
    parts: against ? ['workloads'] : oneOf('parts', values.parts, PARTS),
    engines: oneOf('engine', values.engine, ENGINES),
    only: values.only?.split(',') ?? null,
    caches: oneOf('cache', values.cache, ['off', 'on']),
    workers: numbers('workers', values.workers, [...new Set([1, cores])]),
    seconds: number('duration', values.duration, 1),
    rounds: number('rounds', values.rounds, quick ? 1 : 5),
    targetRounds: number('rounds', values.rounds, quick ? 1 : 11),
    warmUp: quick ? 1 : 4,
    restaurants: number('restaurants', values.restaurants, quick ? 1_000 : 5_000),
    articles: number('articles', values.articles, quick ? 100 : 600),
    documents: numbers(
      'documents',
      values.documents,
      quick ? [1_000, 3_000] : [1_000, 10_000, 100_000, 1_000_000],
    ),
    types: numbers('types', values.types, quick ? [1, 10] : [1, 10, 100, 500]),
    against: against ? { url: addressOf(against), token: values.token ?? null, fill: values.fill } : null,
    json: values.json ?? null,
    isComplete: !quick && [...narrowed, ...sized].every((value) => value === undefined),
    docs: values.docs,
    isQuick: quick,
  }
}

function addressOf(text: string): string {
  if (!URL.canParse(text)) throw new UsageError(`--against expects an address such as http://127.0.0.1:1337`)
  return new URL(text).origin
}

function oneOf<Name extends string>(
  option: string,
  text: string | undefined,
  names: readonly Name[],
): readonly Name[] {
  if (text === undefined) return names
  const asked = text.split(',')
  const unknown = asked.find((name) => !names.some((known) => known === name))
  if (unknown !== undefined) throw new UsageError(`--${option} accepts ${names.join(', ')}, not "${unknown}"`)
  return names.filter((name) => asked.includes(name))
}

function number(option: string, text: string | undefined, standard: number): number {
  if (text === undefined) return standard
  if (!/^[1-9]\d*$/.test(text)) throw new UsageError(`--${option} expects a positive integer, not "${text}"`)
  return Number(text)
}

const numbers = (option: string, text: string | undefined, standard: readonly number[]) =>
  text === undefined ? standard : text.split(',').map((part) => number(option, part, 1))

/** Whether an error is caused by invalid command-line options. */
export const isUsage = (error: unknown): error is Error =>
  error instanceof UsageError ||
  (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
