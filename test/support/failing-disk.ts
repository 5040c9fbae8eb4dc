/** Replaces `fs.fdatasync`, which makes the SQLite log durable, with one that can be held or made to fail. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

type Done = (error: NodeJS.ErrnoException | null) => void

export interface FailingDisk {
  /** How often `fdatasync` was called. */
  readonly calls: number
  /** Delays the calls that follow until `release`. */
  hold(): void
  release(): void
  /** Makes the next call fail. */
  fail(): void
  /** Puts the real `fdatasync` back. */
  restore(): void
}

/** Replaces the call for this process; `fails` decides for each call whether it fails. */
export function failingDisk(fails: () => boolean = () => false): FailingDisk {
  const real = fs.fdatasync
  let held: (() => void)[] | null = null
  let failing = false
  let calls = 0
  const install = (sync: typeof fs.fdatasync) => {
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
  install(Object.assign(sync, { __promisify__: real.__promisify__ }))
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
    restore() {
      install(real)
      release()
    },
  }
}
