/** The entry that was copied last, for pasting it into this or another document, even in another tab. */
import type { CopiedRow } from './row-actions.ts'

const KEY = 'octavo-copied-entry'

export const copyEntry = (copied: CopiedRow) => localStorage.setItem(KEY, JSON.stringify(copied))

/** Null when nothing was copied, or its component is not allowed here. */
export function copiedEntry(allowed: readonly string[]): CopiedRow | null {
  const stored = localStorage.getItem(KEY)
  if (stored === null) return null
  const copied: unknown = JSON.parse(stored)
  return isCopiedRow(copied) && allowed.includes(copied.component) ? copied : null
}

const isCopiedRow = (value: unknown): value is CopiedRow =>
  typeof value === 'object' &&
  value !== null &&
  'component' in value &&
  typeof value.component === 'string' &&
  'values' in value &&
  Array.isArray(value.values)
