/** The handlers of the paths of history, which exist only for content-types that have it. */
import { errors } from '../../errors.ts'
import type { ContentResponse } from '../response/content-response.ts'
import { type HistoryCall, hasHistory } from './history-call.ts'
import { readChanges, readDeleted, readHistory, readVersion } from './read.ts'
import { restore } from './restore.ts'

type Handler = (call: HistoryCall) => Promise<ContentResponse>

/** By method. */
type Handlers = Readonly<Record<string, Handler>>

const ifKept =
  (handler: Handler): Handler =>
  (call) => {
    if (!hasHistory(call)) throw errors.notFound()
    return handler(call)
  }

/** The handlers of what follows `…/history` in a path; `id` is null for the document of a single type. */
export function historyHandlers(
  id: string | null,
  [version, operation, ...more]: readonly string[],
): Handlers | null {
  if (more.length > 0 || id?.includes('\0')) return null
  if (version === undefined) return { GET: ifKept((call) => readHistory(call, id)) }
  switch (operation) {
    case undefined:
      return { GET: ifKept((call) => readVersion(call, id, version)) }
    case 'changes':
      return { GET: ifKept((call) => readChanges(call, id, version)) }
    case 'restore':
      return { POST: ifKept((call) => restore(call, id, version)) }
    default:
      return null
  }
}

/** Of `…/deleted`. */
export const deletedHandlers: Handlers = { GET: ifKept(readDeleted) }
