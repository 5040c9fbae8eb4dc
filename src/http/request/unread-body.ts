/**
 * What is left of a body when its request is refused. Who is still sending it would find the connection broken instead of
 * the answer, so it is read and thrown away, within bounds.
 */
import type { IncomingMessage } from 'node:http'

/** How much is thrown away of a body that has no end in sight, or one that no upload may have. */
const PATIENCE = 16_777_216

/** The length that a body announced; NaN when it did not. */
export const announcedLength = ({ headers }: IncomingMessage) =>
  Number(headers['content-length'] ?? Number.NaN)

/** Reads on to the end of a body, if it is not too far away; whether it was reached. */
export function readOn(request: IncomingMessage): Promise<boolean> {
  if (request.readableEnded || request.destroyed) return Promise.resolve(true)
  return new Promise((resolve) => {
    if (Number.isNaN(announcedLength(request))) afterPatience(request, () => resolve(false))
    for (const event of ['end', 'close', 'error']) request.once(event, () => resolve(true))
    request.unpipe()
    request.resume()
  })
}

/** Lets the answer go out now, and the connection end when much more of the body follows. */
export function hangUpSoon(request: IncomingMessage): void {
  afterPatience(request, () => request.destroy())
  request.resume()
}

/** Calls `enough` when so much more has arrived that waiting for the end is no use. */
export function afterPatience(request: IncomingMessage, enough: () => void): void {
  let left = PATIENCE
  const count = (chunk: Buffer) => {
    left -= chunk.length
    if (left >= 0) return
    request.off('data', count)
    enough()
  }
  request.on('data', count)
}
