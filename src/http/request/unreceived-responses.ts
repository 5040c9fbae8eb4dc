/** Responses that their client does not receive. Each is held in memory until it is sent, so it has a deadline. */
import type { ServerResponse } from 'node:http'

/**
 * Closes connections whose client has received nothing of its response for a number of seconds. To be called regularly with the
 * responses that are not finished. A response that is still being written, such as the content of a file, waits for its client
 * without being held, and is left alone.
 */
export function createUnreceivedResponses(open: Iterable<ServerResponse>, seconds: number): () => void {
  const limited = new WeakSet<ServerResponse>()
  return () => {
    for (const response of open) {
      if (!response.writableEnded || response.writableFinished || limited.has(response)) continue
      limited.add(response)
      // Node restarts this timer whenever bytes are sent, and replaces it when the response is finished.
      response.req.socket.setTimeout(seconds * 1000)
    }
  }
}
