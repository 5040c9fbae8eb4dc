/** What a query asks, values included, as text: two queries with the same text ask the same. */
import type { SqlValue } from '../store/statement.ts'

/** The text of parts of a query tree, with values in the place of their slots. */
export function queryIdentity(parts: readonly unknown[], values: readonly SqlValue[]): string {
  return JSON.stringify(parts, (_key, part: unknown) => {
    const filled =
      typeof part === 'object' && part !== null && 'slot' in part && typeof part.slot === 'number'
        ? values[part.slot]
        : part
    return typeof filled === 'bigint' ? `${filled}n` : filled
  })
}
