/**
 * Rate limits: attempts per key in a time window, counted in memory across the processes of one server.
 * Not @fastify/rate-limit: it cannot refund a successful sign-in, key by the parsed body, or share counts between
 * processes without Redis.
 */
import { errors } from '../../errors.ts'
import { createGrowingCache } from '../growing-cache.ts'

export interface RateLimit {
  /** Counts an attempt; throws a 429 when the key has used up its current window. */
  count(key: string): void
  /** Takes back an attempt that succeeded. */
  refund(key: string): void
}

/** Shares counts between the processes of one server. */
export interface SharedCounts {
  /** Calls `receive` for what other processes count under this limit; returns the function that sends to them. */
  connect(limit: string, receive: (key: string, by: number) => void): (key: string, by: number) => void
}

interface Window {
  count: number
  readonly endsAt: number
}

/** Bounds the memory that a flood of keys can take; beyond it the least recently used key is dropped. */
const MAX_KEYS = 20_000

/** Allows `max` attempts per key and window; the window starts with the key's first attempt. */
export function createRateLimit(
  max: number,
  windowSeconds: number,
  now: () => number = Date.now,
  shared?: { readonly name: string; readonly counts: SharedCounts | undefined },
): RateLimit {
  const windows = createGrowingCache<Window>(MAX_KEYS)
  const publish = shared?.counts?.connect(shared.name, (key, by) => {
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
    count(key) {
      const window = windowOf(key)
      if (window.count >= max) throw errors.rateLimited(Math.ceil((window.endsAt - now()) / 1000))
      window.count += 1
      windows.set(key, window)
      publish?.(key, 1)
    },

    refund(key) {
      const window = current(key)
      if (!window || window.count === 0) return
      window.count -= 1
      publish?.(key, -1)
    },
  }
}

/** IPv6 addresses are limited per /64 network, which usually belongs to one household or machine. */
export function rateLimitKeyOf(address: string): string {
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
