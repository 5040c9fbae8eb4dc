/** Progress of work that Ctrl-C ends like a failure, so that what it has done so far is undone. */
import { UsageError } from '../error-message.ts'
import type { Progress } from './progress.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** After a signal, the next step throws a UsageError. A second signal ends the process immediately. */
export function interruptible(progress: Progress): Progress & Disposable {
  let isInterrupted = false
  const interrupt = () => {
    isInterrupted = true
  }
  for (const signal of SIGNALS) process.once(signal, interrupt)
  return {
    ...progress,
    step(count) {
      if (isInterrupted) throw new UsageError('Interrupted: nothing was imported')
      progress.step(count)
    },
    [Symbol.dispose]() {
      for (const signal of SIGNALS) process.off(signal, interrupt)
    },
  }
}
