/** The name of a request, the same in the answer, in the log and in what a caller may have noted before. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export const REQUEST_ID = 'x-request-id'

const WELL_FORMED = /^[\w.:-]{1,64}$/

/** Gives requests names: the one they bring when it is well-formed, else one that no other process gives. */
export function createRequestIds(): (request: Pick<IncomingMessage, 'headers'>) => string {
  const prefix = `${randomBytes(6).toString('base64url')}-`
  let given = 0
  return ({ headers }) => {
    const brought = headers[REQUEST_ID]
    if (typeof brought === 'string' && WELL_FORMED.test(brought)) return brought
    given += 1
    return prefix + given.toString(36)
  }
}
