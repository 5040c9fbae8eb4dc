/** Recognises that the disk for files is full, in the errors of Node and of the image library. */
import { type ApiError, errors, messageOf } from '../../errors.ts'

const CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** The image library reports only the text of a system error. */
const TEXT = /no space left on device|disk quota exceeded|file too large/i

const RETRY_SECONDS = 30

export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && CODES.has(error.code)) || TEXT.test(messageOf(error)))

export const diskFull = (): ApiError =>
  errors.unavailable(RETRY_SECONDS, 'The disk for uploaded files is full; nothing was stored')
