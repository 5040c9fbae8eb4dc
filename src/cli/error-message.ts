/** What a person is told when a command fails. */
import { ArchiveError } from '../documents/transfer/archive-line.ts'
import { messageOf } from '../errors.ts'
import { ProjectError } from '../project/problems.ts'
import { StartError } from '../store/errors.ts'

/** A problem in how a command was called; the message is for the person who called it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const FOR_PEOPLE = [ProjectError, StartError, ArchiveError, UsageError]

/**
 * The message for a failed command. Mistakes of the project, the database, an archive or the call explain themselves; anything
 * else is a defect of Octavo, whose stack is shown only on request.
 */
export function explain(error: unknown): string {
  if (FOR_PEOPLE.some((kind) => error instanceof kind)) return messageOf(error)
  if (process.env.OCTAVO_DEBUG && error instanceof Error) return error.stack ?? error.message
  const message = messageOf(error)
  return `Octavo stopped: ${message}\nSet OCTAVO_DEBUG=1 to see where it happened.`
}

/** Why a server could not listen, in words. */
export function listenProblem(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  const place = `${host}:${port}`
  if (code === 'EADDRINUSE')
    return new UsageError(`Something is already listening on ${place}; choose another port with --port`)
  if (code === 'EACCES') return new UsageError(`Not allowed to listen on ${place}; choose a port above 1023`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new UsageError(`${host} is not an address of this machine; choose another with --host`)
  return error
}
