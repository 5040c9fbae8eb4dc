/** Counts what is open for each address, such as connections, against a limit. */
import { rateLimitKeyOf } from '../../access/credentials/rate-limit.ts'

export interface AddressCounts {
  /** Whether the address has reached the limit. */
  isFull(address: string): boolean
  /** Counts one more, until the returned function is called. */
  add(address: string): () => void
}

export function countPerAddress(max: number): AddressCounts {
  const counts = new Map<string, number>()
  return {
    isFull: (address) => (counts.get(networkOf(address)) ?? 0) >= max,
    add(address) {
      const network = networkOf(address)
      counts.set(network, (counts.get(network) ?? 0) + 1)
      let isCounted = true
      return () => {
        if (!isCounted) return
        isCounted = false
        const rest = (counts.get(network) ?? 1) - 1
        if (rest === 0) counts.delete(network)
        else counts.set(network, rest)
      }
    },
  }
}

const networkOf = (address: string) => (address.includes(':') ? rateLimitKeyOf(address) : address)
