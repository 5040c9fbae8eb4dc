/** The write lock of a worker, requested from the primary process. */
import { errors } from '../../errors.ts'
import type { WriteLock } from '../../store/sqlite/writes/write-lock.ts'

export interface RemoteWriteLock extends WriteLock {
  /** Call when the primary process has granted the lock. */
  onGranted(): void
  /** Call when the primary process is gone. From then on only SQLite's own file lock protects writes. */
  onPrimaryGone(): void
}

/** A lock that `acquire` waits for, up to `waitSeconds`. */
export function createRemoteWriteLock(
  send: (message: 'request-write-lock' | 'release-write-lock') => void,
  waitSeconds: number,
): RemoteWriteLock {
  let isRequested = false
  let hasPrimary = true
  let resolveAcquire: (() => void) | null = null

  return {
    acquire() {
      if (!hasPrimary) return Promise.resolve()
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          resolveAcquire = null
          reject(errors.unavailable(1, 'The database is busy with writes of other processes'))
        }, waitSeconds * 1000)
        resolveAcquire = () => {
          resolveAcquire = null
          clearTimeout(timer)
          resolve()
        }
        if (isRequested) return
        isRequested = true
        send('request-write-lock')
      })
    },
    release() {
      if (hasPrimary) send('release-write-lock')
    },
    onGranted() {
      isRequested = false
      if (resolveAcquire) resolveAcquire()
      else send('release-write-lock')
    },
    onPrimaryGone() {
      hasPrimary = false
      resolveAcquire?.()
    },
  }
}
