/** Shutdown of a command that serves. */

const PARENT_CHECK_MS = 500

/**
 * Calls `stop` once when the process receives SIGINT or SIGTERM, then exits. A second signal exits immediately.
 * Returns a function that shuts down in the same way without a signal.
 */
export function onShutdownSignal(stop: () => Promise<void>): () => void {
  let isStopping = false
  const shutDown = () => {
    if (isStopping) return
    isStopping = true
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  const onSignal = () => (isStopping ? process.exit(1) : shutDown())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
  if (process.env.npm_lifecycle_event) onParentExit(shutDown)
  return shutDown
}

/** The shell between npm and its scripts does not forward signals: when `npm start` is killed, only the parent changes. */
function onParentExit(shutDown: () => void) {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && shutDown(), PARENT_CHECK_MS).unref()
}
