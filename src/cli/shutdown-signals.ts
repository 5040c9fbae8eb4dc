/** When a command that serves comes to its end. */

const LOOK_AFTER_MS = 500

/**
 * Calls `stop` once when the process is told to end, then exits. A second signal does not wait for it. Answers with
 * what ends the process in the same way without a signal.
 */
export function whenTold(stop: () => Promise<void>): () => void {
  let stopping = false
  const end = () => {
    if (stopping) return
    stopping = true
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  const endNow = () => (stopping ? process.exit(1) : end())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, endNow)
  if (process.env.npm_lifecycle_event) whenLeftBehind(end)
  return end
}

/** The shell between npm and its scripts keeps signals to itself: a killed `npm start` just leaves us behind. */
function whenLeftBehind(end: () => void) {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && end(), LOOK_AFTER_MS).unref()
}
