/** Counting attempts in windows of time, in memory of this process and of the others of the same server. */
import { LRUCache } from 'lru-cache'
import { errors } from '../../errors.ts'

export interface Limit {
  /** Counts an attempt under this key; refuses with 429 when there were too many in the current window. */
  take(key: string): void
  /** Takes back an attempt that turned out to be right. */
  giveBack(key: string): void
}

/** Has the processes of one server count together: each tells the others what it has counted. */
export interface SharedCounts {
  /** Joins under the name of a limit; `hear` is called for what others count. Answers with what tells them. */
  join(limit: string, hear: (key: string, by: number) => void): (key: string, by: number) => void
}

interface Window {
  count: number
  readonly endsAt: number
}

/** More keys than this at a time, and the one unused for longest is forgotten; it bounds what a flood can take. */
const REMEMBERED_KEYS = 20_000

/** At most `most` attempts for a key within a window, which starts with the key's first attempt. */
export function createLimit(
  most: number,
  windowSeconds: number,
  now: () => number = Date.now,
  shared?: { readonly name: string; readonly counts: SharedCounts | undefined },
): Limit {
  const windows = new LRUCache<string, Window>({ max: REMEMBERED_KEYS })
  const tell = shared?.counts?.join(shared.name, (key, by) => {
    const window = windowOf(key)
    window.count = Math.max(0, window.count + by)
    windows.set(key, window)
  })

  const current = (key: string) => {
    const window = windows.get(key)
    return window && window.endsAt > now() ? window : null
  }

  const windowOf = (key: string) => current(key) ?? { count: 0, endsAt: now() + windowSeconds * 1000 }

  return {
    take(key) {
      const window = windowOf(key)
      if (window.count >= most) throw errors.rateLimited(Math.ceil((window.endsAt - now()) / 1000))
      window.count += 1
      windows.set(key, window)
      tell?.(key, 1)
    },

    giveBack(key) {
      const window = current(key)
      if (!window || window.count === 0) return
      window.count -= 1
      tell?.(key, -1)
    },
  }
}

/**
 * What an address counts as: itself, or for IPv6 the network of 64 bits that one household or machine has for itself.
 */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped || !address.includes(':')) return `address:${mapped ?? address}`
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `address:${network.join(':')}::/64`
}
