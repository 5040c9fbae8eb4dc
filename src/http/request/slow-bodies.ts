/**
 * Bodies that arrive slowly. A body has a deadline, which every kilobyte extends by a second, so that a slow network is no
 * obstacle and a client that sends nothing is. When the server or an address has too many open requests, the one that has
 * waited longest for its body makes room. Only permitted uploads may take longer.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ApiError, errors } from '../../errors.ts'

/** The rate at which the deadline moves on. */
const MIN_BYTES_PER_SECOND = 1_024

/** How often the open requests are checked. */
export const BODY_CHECK_MS = 1_000

const unhurried = new WeakSet<IncomingMessage>()

/** Lets the body of a request take as long as the whole request may. */
export const allowSlowBody = (request: IncomingMessage) => void unhurried.add(request)

interface Waiting {
  readonly since: number
  /** The bytes that the connection had received then. */
  readonly bytes: number
}

export interface SlowBodies {
  /** Ends the requests whose body is too slow. To be called regularly. */
  endOverdue(): void
  /** Ends the request that has waited longest for its body, of those that `isEligible`; false if there is none. */
  endOldest(isEligible?: (request: IncomingMessage) => boolean): boolean
}

/** `open` are the responses that are not finished; `end` sends an error and closes the connection. */
export function createSlowBodies(
  open: Iterable<ServerResponse>,
  seconds: number,
  end: (response: ServerResponse, error: ApiError) => void,
  now: () => number = () => performance.now(),
): SlowBodies {
  /** By the time at which they were first seen. */
  const waiting = new Map<ServerResponse, Waiting>()

  const isWaiting = ({ req, writableEnded, destroyed, headersSent }: ServerResponse) =>
    !req.complete && !writableEnded && !destroyed && !headersSent && !unhurried.has(req)

  function isOverdue({ req }: ServerResponse, { since, bytes }: Waiting): boolean {
    const received = req.socket.bytesRead - bytes
    return now() - since > (seconds + received / MIN_BYTES_PER_SECOND) * 1000
  }

  function endOne(response: ServerResponse, error: ApiError) {
    waiting.delete(response)
    end(response, error)
  }

  return {
    endOverdue() {
      for (const [response, since] of waiting)
        if (!isWaiting(response)) waiting.delete(response)
        else if (isOverdue(response, since)) endOne(response, errors.requestTimeout())
      for (const response of open)
        if (isWaiting(response) && !waiting.has(response))
          waiting.set(response, { since: now(), bytes: response.req.socket.bytesRead })
    },

    endOldest(isEligible = () => true) {
      for (const candidates of [waiting.keys(), open])
        for (const response of candidates)
          if (isWaiting(response) && isEligible(response.req)) {
            endOne(
              response,
              errors.unavailable(1, 'Too many open requests: the body took too long to arrive'),
            )
            return true
          }
      return false
    },
  }
}
