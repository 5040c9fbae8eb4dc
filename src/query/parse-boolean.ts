/** Words that stand for yes and no in parameters. */
import type { Param } from './params.ts'

const words = new Map([
  ['true', true],
  ['t', true],
  ['1', true],
  ['false', false],
  ['f', false],
  ['0', false],
])

/** The boolean a parameter stands for, or null when it stands for none. */
export function parseBoolean(value: Param | undefined): boolean | null {
  return typeof value === 'boolean' ? value : typeof value === 'string' ? (words.get(value) ?? null) : null
}
