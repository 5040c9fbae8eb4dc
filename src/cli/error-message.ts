/** Error messages of commands. */
import { ArchiveError } from '../documents/transfer/archive-line.ts'
import { ApiError, messageOf } from '../errors.ts'
import { ProjectError } from '../project/problems.ts'
import { StartError } from '../store/errors.ts'

/** An error that the user can correct; its message is printed without a stack trace. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const USER_ERRORS = [ProjectError, StartError, ArchiveError, UsageError]

/**
 * The message for a failed command. Errors that are not caused by the user are defects of Octavo; their stack trace is
 * printed only with OCTAVO_DEBUG.
 */
export function explain(error: unknown): string {
  if (USER_ERRORS.some((kind) => error instanceof kind)) return messageOf(error)
  if (process.env.OCTAVO_DEBUG && error instanceof Error) return error.stack ?? error.message
  const problem = fileSystemProblem(error) ?? unavailability(error)
  if (problem !== null) return problem
  const message = messageOf(error)
  return `Unexpected error: ${message}\nSet OCTAVO_DEBUG=1 to print the stack trace.`
}

/** Failures of the file system that are not defects of Octavo, by the code of the system call. */
const FILE_SYSTEM_PROBLEMS = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'no space left on the disk'],
  ['EDQUOT', 'no space left in the quota of the user'],
])

/** What the database or the storage cannot do at the moment, such as for a full disk; with the cause if that is known. */
function unavailability(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.status !== 503) return null
  const cause = error.cause === undefined ? null : (fileSystemProblem(error.cause) ?? messageOf(error.cause))
  return cause === null ? error.message : `${error.message}\n  ${cause}`
}

function fileSystemProblem(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  const reason = FILE_SYSTEM_PROBLEMS.get(String(error.code))
  if (reason === undefined) return null
  if ('path' in error) return `Cannot read or write ${error.path}: ${reason}`
  // A failed write to an open file has no path; nor has a connection that is not permitted.
  return 'syscall' in error && error.syscall === 'write' ? `Cannot write a file: ${reason}` : null
}

/** A message for the common reasons why a server cannot listen; otherwise the error itself. */
export function listenProblem(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'EADDRINUSE')
    return new UsageError(`Port ${port} is already in use on ${host}; choose another with --port`)
  if (code === 'EACCES')
    return new UsageError(`No permission to listen on ${host}:${port}; choose a port above 1023 with --port`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new UsageError(
      `Cannot listen on ${host}: it is not an address of this machine; choose another with --host`,
    )
  return error
}
