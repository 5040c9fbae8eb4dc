/** Whether documents are searched for a part of their own text. */
import type { Condition } from '../plan/query-tree.ts'

export function comparesText(node: Condition): boolean {
  switch (node.kind) {
    case 'text':
      return node.op !== 'eq' || node.fold
    case 'and':
    case 'or':
      return node.all.some(comparesText)
    case 'not':
      return comparesText(node.of)
    default:
      return false
  }
}
