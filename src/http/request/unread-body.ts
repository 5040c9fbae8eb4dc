/**
 * Handles the rest of a body when its request is refused early. A client that is still sending would see a broken
 * connection instead of the response, so the rest is read and discarded, up to a limit.
 */
import type { IncomingMessage } from 'node:http'

const MAX_DISCARDED_BYTES = 16_777_216
/** How long a client may go on sending after it has been responded to. */
const MAX_DISCARDING_MS = 5_000

/** The declared length of the body; NaN without one. */
export const announcedLength = ({ headers }: IncomingMessage) =>
  Number(headers['content-length'] ?? Number.NaN)

/** Discards the rest of the body. Resolves with whether its end was reached within the limit. */
export function drainBody(request: IncomingMessage): Promise<boolean> {
  if (request.readableEnded || request.destroyed) return Promise.resolve(true)
  return new Promise((resolve) => {
    if (Number.isNaN(announcedLength(request))) afterExcess(request, () => resolve(false))
    for (const event of ['end', 'close', 'error']) request.once(event, () => resolve(true))
    request.unpipe()
    request.resume()
  })
}

/**
 * Receives the rest of a body that is too large, or as much of it as is discarded, so that the response can be sent. With a
 * declared length beyond that, it can be sent immediately.
 */
export async function drainTooLarge(request: IncomingMessage): Promise<void> {
  const isSmallEnough = !(announcedLength(request) > MAX_DISCARDED_BYTES)
  if (!isSmallEnough || !(await drainBody(request))) closeAfterDraining(request)
}

/** Lets the response be sent, and closes the connection when too much of the body follows, or not all of it in time. */
export function closeAfterDraining(request: IncomingMessage): void {
  const close = () => request.destroy()
  const timer = setTimeout(close, MAX_DISCARDING_MS)
  for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer))
  afterExcess(request, close)
  request.resume()
}

/** Calls back when more of the body has arrived than is discarded. */
export function afterExcess(request: IncomingMessage, exceeded: () => void): void {
  let remaining = MAX_DISCARDED_BYTES
  const count = (chunk: Buffer) => {
    remaining -= chunk.length
    if (remaining >= 0) return
    request.off('data', count)
    exceeded()
  }
  request.on('data', count)
}
