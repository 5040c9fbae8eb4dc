/** Recognises failures of the storage in the errors of Node and of the image library, and says what the caller learns. */
import { ApiError, errors, messageOf } from '../../errors.ts'
import { MissingContents } from './storage.ts'

const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** The image library reports only the text of a system error. */
const TEXT = /no space left on device|disk quota exceeded|file too large/i

const RETRY_SECONDS = 30

export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && FULL.has(error.code)) || TEXT.test(messageOf(error)))

export const diskFull = (): ApiError =>
  errors.unavailable(RETRY_SECONDS, 'The disk for uploaded files is full; nothing was stored')

/** The folder cannot be written to or has disappeared, its disk has failed, or too many files are open. */
const FAILED: ReadonlySet<unknown> = new Set([
  ...['EACCES', 'EPERM', 'EROFS', 'EIO', 'ENOENT', 'ENOTDIR', 'ENXIO', 'ENODEV', 'ESTALE'],
  ...['EMFILE', 'ENFILE'],
])

/** Whether a failure to write a file is one of the disk, rather than of what was to be written. */
export const isDiskFailure = (error: unknown): boolean =>
  isDiskFull(error) || (error instanceof Error && 'code' in error && FAILED.has(error.code))

/** What the caller learns of stored contents that could not be read; the log has the rest. */
export function notRead(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof MissingContents) return errors.application('The contents of the file are missing')
  const failure = errors.unavailable(
    RETRY_SECONDS,
    'The contents of the file could not be read; try again later',
  )
  failure.cause = error
  return failure
}

/** What the caller learns of a file that could not be stored; the log has the rest. */
export function notStored(error: unknown): ApiError {
  if (isDiskFull(error)) return diskFull()
  const failure = errors.unavailable(RETRY_SECONDS, 'The file could not be stored; try again later')
  failure.cause = error
  return failure
}
