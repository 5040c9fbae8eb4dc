/** What the text-like attribute types share: the column, lengths, formats and what no database can store. */
import type { ScalarAttribute } from '../../model.ts'
import { fail, ok, type Parsed, type ScalarType, type Stored, type Strictness } from '../../scalar-type.ts'

/** Text compares by code point on both engines. */
export const textColumn = { sqlite: 'TEXT', postgres: 'text COLLATE "C"' } as const

export const jsonString = (stored: Stored) => JSON.stringify(String(stored))

/** PostgreSQL refuses U+0000 in text, and half a surrogate pair does not survive UTF-8: both engines refuse both. */
export function storableText(input: unknown): Parsed<string> {
  if (typeof input !== 'string') return fail('must be a text')
  if (input.includes('\0')) return fail('must not contain the character U+0000')
  if (!input.isWellFormed()) return fail('must be valid Unicode text')
  return ok(input)
}

export interface TextFormat {
  /** The longest value when the schema sets no `maxLength`. */
  readonly maxLength?: number
  /** A format beyond the regex of the schema: a message when the text does not have it. Not asked of drafts. */
  readonly format?: (text: string) => string | null
}

/** A text-like type from its rules. */
export function textType(rules: TextFormat = {}): ScalarType {
  return {
    family: 'text',
    column: textColumn,
    parse(input, attribute, strictness) {
      const text = storableText(input)
      if (!text.ok) return text
      const message = textProblem(text.value, attribute, strictness, rules)
      return message ? fail(message) : text
    },
    parseFilter: storableText,
    json: jsonString,
  }
}

function textProblem(text: string, attribute: ScalarAttribute, strictness: Strictness, rules: TextFormat) {
  const { minLength, regex, required } = attribute
  const maxLength = attribute.maxLength ?? rules.maxLength ?? null
  if (maxLength !== null && text.length > maxLength) return `must have at most ${characters(maxLength)}`
  if (strictness === 'draft') return null
  if (minLength !== null && text.length < minLength) return `must have at least ${characters(minLength)}`
  // What may be missing may be empty.
  if (regex && (text !== '' || required) && !regex.test(text)) return `must match ${regex}`
  return rules.format?.(text) ?? null
}

const characters = (count: number) => (count === 1 ? '1 character' : `${count} characters`)
