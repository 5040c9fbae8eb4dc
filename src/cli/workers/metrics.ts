/** Figures of all workers for the one that is asked for them: each is asked in turn, and whoever is stuck is left out. */
import type { MetricFamily } from '../../http/metrics/prometheus.ts'

/** Figures by the name of the worker. */
export type WorkerFigures = readonly (readonly [worker: string, figures: readonly MetricFamily[]])[]

/** How long a worker may take to tell its figures. */
const PATIENCE_MS = 1_000

export interface Gathering<Who> {
  /** Asks all these for their figures; resolves when they have told, or were given up. */
  gather(from: readonly Who[]): Promise<ReadonlyMap<Who, readonly MetricFamily[]>>
  /** To be called when somebody tells what they were asked for. */
  told(who: Who, question: number, figures: readonly MetricFamily[]): void
}

/** Gathers figures; `ask` sends somebody a question with this number. */
export function createGathering<Who>(ask: (who: Who, question: number) => void): Gathering<Who> {
  interface Open {
    readonly waiting: Set<Who>
    readonly figures: Map<Who, readonly MetricFamily[]>
    done(): void
  }
  const open = new Map<number, Open>()
  let questions = 0
  return {
    gather: (from) =>
      new Promise((resolve) => {
        const question = ++questions
        const figures = new Map<Who, readonly MetricFamily[]>()
        const done = () => {
          clearTimeout(timer)
          open.delete(question)
          resolve(figures)
        }
        const timer = setTimeout(done, PATIENCE_MS)
        open.set(question, { waiting: new Set(from), figures, done })
        for (const who of from) ask(who, question)
      }),
    told(who, question, figures) {
      const asked = open.get(question)
      if (!asked?.waiting.delete(who)) return
      asked.figures.set(who, figures)
      if (asked.waiting.size === 0) asked.done()
    },
  }
}
