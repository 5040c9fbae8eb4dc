/**
 * Lets other requests have their turn while a write works for long. Its statements run on the main thread, one after the
 * other in a single turn of the event loop, which would otherwise serve no request until the write ends.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Execute } from './operation.ts'

/** How long the statements of writes may take of one turn of the event loop, in milliseconds. */
const MAX_TURN = 10

/** The same executor, which pauses between two statements when a turn takes too long. */
export function withPauses(execute: Execute): Execute {
  let turnStart: number | null = null
  /** The operations that follow a pause wait for it too, in their order. */
  let pause: Promise<void> | null = null

  function startTurn() {
    turnStart = performance.now()
    setImmediate(() => {
      turnStart = null
    })
  }

  async function waitForTurn() {
    await nextTurn()
    pause = null
  }

  return (operations, opens) => {
    if (turnStart === null) startTurn()
    else if (!pause && performance.now() - turnStart > MAX_TURN) pause = waitForTurn()
    return pause ? pause.then(() => execute(operations, opens)) : execute(operations, opens)
  }
}
