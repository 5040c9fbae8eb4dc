/** Booleans in parameters. */
import type { Param } from './params.ts'

const words = new Map([
  ['true', true],
  ['t', true],
  ['1', true],
  ['false', false],
  ['f', false],
  ['0', false],
])

/** The boolean value of a parameter, or null when it has none. */
export function parseBoolean(value: Param | undefined): boolean | null {
  return typeof value === 'boolean' ? value : typeof value === 'string' ? (words.get(value) ?? null) : null
}
