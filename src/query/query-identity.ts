/** The identity of a query including its values: queries with the same text have the same result. */
import type { SqlValue } from '../store/statement.ts'

/** The text of parts of a query tree, with slots replaced by their values. */
export function queryIdentity(parts: readonly unknown[], values: readonly SqlValue[]): string {
  return JSON.stringify(parts, (_key, part: unknown) => {
    const filled =
      typeof part === 'object' && part !== null && 'slot' in part && typeof part.slot === 'number'
        ? values[part.slot]
        : part
    return typeof filled === 'bigint' ? `${filled}n` : filled
  })
}
