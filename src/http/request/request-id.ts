/** Request ids: the same in the response, in the log and on the side of the client. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export const REQUEST_ID = 'x-request-id'

const WELL_FORMED = /^[\w.:-]{1,64}$/

/** Uses the id that a request brings when it is well-formed, and otherwise one that is unique among all processes. */
export function createRequestIds(): (request: Pick<IncomingMessage, 'headers'>) => string {
  const prefix = `${randomBytes(6).toString('base64url')}-`
  let count = 0
  return ({ headers }) => {
    const sent = headers[REQUEST_ID]
    if (typeof sent === 'string' && WELL_FORMED.test(sent)) return sent
    count += 1
    return prefix + count.toString(36)
  }
}
