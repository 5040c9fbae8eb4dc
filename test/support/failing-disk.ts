/** A disk that can be told to wait, or to fail: in place of the call with which the log of SQLite is made durable. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

type Done = (error: NodeJS.ErrnoException | null) => void

export interface FailingDisk {
  /** How often it was told to keep something. */
  readonly calls: number
  /** Holds what follows up, until it is let go. */
  hold(): void
  release(): void
  /** Has the next call fail. */
  fail(): void
  /** Puts the real one back. */
  mend(): void
}

/** Takes the place of the disk of this process; `fails` says of each call whether it is to fail unasked. */
export function failingDisk(fails: () => boolean = () => false): FailingDisk {
  const real = fs.fdatasync
  let held: (() => void)[] | null = null
  let failing = false
  let calls = 0
  const put = (sync: typeof fs.fdatasync) => {
    fs.fdatasync = sync
    syncBuiltinESMExports()
  }
  function sync(file: number, done: Done) {
    calls++
    const isFailing = failing || fails()
    failing = false
    const work = () =>
      isFailing
        ? setImmediate(done, Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }))
        : real(file, done)
    if (held) held.push(work)
    else work()
  }
  function release() {
    const waiting = held ?? []
    held = null
    for (const work of waiting) work()
  }
  put(Object.assign(sync, { __promisify__: real.__promisify__ }))
  return {
    get calls() {
      return calls
    },
    hold() {
      held = []
    },
    release,
    fail() {
      failing = true
    },
    mend() {
      put(real)
      release()
    },
  }
}
