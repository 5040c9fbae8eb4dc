/** Figures as Prometheus reads them: families of samples, and their text. */

export type Labels = Readonly<Record<string, string>>

export interface Sample {
  readonly labels: Labels
  readonly value: number
  /** What follows the name of the family, such as `_bucket`. */
  readonly suffix?: string
}

export interface MetricFamily {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly Sample[]
}

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** A figure that only grows; the name ends in `_total`. */
export const counter = (name: string, help: string, samples: readonly Sample[]): MetricFamily => ({
  name,
  help,
  type: 'counter',
  samples,
})

/** A figure as it is at the moment. */
export const gauge = (name: string, help: string, samples: readonly Sample[]): MetricFamily => ({
  name,
  help,
  type: 'gauge',
  samples,
})

/** The only sample of a family without labels. */
export const unlabelled = (value: number): readonly Sample[] => [{ labels: {}, value }]

/** The text that a scrape is answered with. */
export function formatMetrics(families: readonly MetricFamily[]): string {
  return families
    .map(({ name, help, type, samples }) =>
      [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map((one) => line(name, one)), ''].join(
        '\n',
      ),
    )
    .join('')
}

function line(name: string, { labels, value, suffix = '' }: Sample): string {
  const inside = Object.entries(labels).map(([label, word]) => `${label}="${escaped(word)}"`)
  const braces = inside.length > 0 ? `{${inside.join(',')}}` : ''
  return `${name}${suffix}${braces} ${numeral(value)}`
}

const escaped = (word: string) => word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

const numeral = (value: number) =>
  value === Infinity ? '+Inf' : value === -Infinity ? '-Inf' : String(value)

/** The families of several workers as one list, each sample labelled with the worker it is from. */
export function mergeWorkers(workers: ReadonlyMap<string, readonly MetricFamily[]>): readonly MetricFamily[] {
  const families = new Map<string, MetricFamily>()
  for (const [worker, own] of workers) {
    for (const family of own) {
      const samples = family.samples.map((sample) => ({ ...sample, labels: { worker, ...sample.labels } }))
      const before = families.get(family.name)?.samples ?? []
      families.set(family.name, { ...family, samples: [...before, ...samples] })
    }
  }
  return [...families.values()]
}
