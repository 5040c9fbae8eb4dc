/** Progress of work that Ctrl-C ends like a failure, so that what it has done so far is undone. */
import { UsageError } from '../error-message.ts'
import type { Progress } from './progress.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * After a signal, the next step throws a UsageError, which says with `outcome` what is left. A second signal ends the
 * process immediately.
 */
export function interruptible(progress: Progress, outcome: string): Progress & Disposable {
  let isInterrupted = false
  const interrupt = () => {
    isInterrupted = true
  }
  for (const signal of SIGNALS) process.once(signal, interrupt)
  const check = () => {
    if (isInterrupted) throw new UsageError(`Interrupted: ${outcome}`)
  }
  return {
    ...progress,
    part(name, total) {
      check()
      progress.part(name, total)
    },
    step(count) {
      check()
      progress.step(count)
    },
    [Symbol.dispose]() {
      // So that a message does not continue the line of a bar.
      progress.end()
      for (const signal of SIGNALS) process.off(signal, interrupt)
    },
  }
}
