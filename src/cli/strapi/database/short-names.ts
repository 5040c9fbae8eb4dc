/**
 * The names that Strapi 5 gives to tables and columns. They have at most 55 characters: in longer ones, parts are cut and
 * end with the start of their digest. Pure.
 */
import { createHash } from 'node:crypto'

/** The maximum length of a name. */
export const MAX_LENGTH = 55
const DIGEST_LENGTH = 5

/** Parts that may be cut, between a prefix and a suffix that may not. */
export interface NameParts {
  readonly prefix?: string
  readonly parts: readonly string[]
  readonly suffix?: string
}

/** The parts joined with underscores, cut to what fits. */
export function shortName({ prefix, parts, suffix }: NameParts): string {
  const join = (all: readonly string[]) =>
    [...(prefix ? [prefix] : []), ...all, ...(suffix ? [suffix] : [])].join('_')
  const whole = join(parts)
  if (whole.length <= MAX_LENGTH) return whole
  const lengths = shareOut(
    parts.map(({ length }) => length),
    MAX_LENGTH - join(parts.map(() => '')).length,
  )
  return join(parts.map((part, index) => cut(part, lengths[index] ?? part.length)))
}

/** Every part gets the same length; what short parts leave goes to the others in turn, one character at a time. */
function shareOut(wanted: readonly number[], available: number): readonly number[] {
  const each = Math.floor(available / wanted.length)
  const given = wanted.map((length) => Math.min(length, each))
  let left = available - given.reduce((sum, length) => sum + length, 0)
  const isShort = (index: number) => (given[index] ?? 0) < (wanted[index] ?? 0)
  while (left > 0 && wanted.some((_, index) => isShort(index)))
    for (const index of wanted.keys())
      if (left > 0 && isShort(index)) {
        given[index] = (given[index] ?? 0) + 1
        left--
      }
  return given
}

function cut(part: string, length: number): string {
  if (part.length <= length) return part
  const digest = createHash('shake256', { outputLength: 3 }).update(part).digest('hex')
  return part.slice(0, length - DIGEST_LENGTH) + digest.slice(0, DIGEST_LENGTH)
}

/** `firstName` is `first_name`, and `line2` is `line_2`. */
export const snakeCase = (name: string): string =>
  (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [name]).map((word) => word.toLowerCase()).join('_')
