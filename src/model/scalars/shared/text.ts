/** What the text types share: the column, lengths, patterns, and the characters that a database cannot store. */
import type { JsonSchema } from '../../json-schema.ts'
import {
  fail,
  ok,
  type Parsed,
  type ScalarRules,
  type ScalarType,
  type Stored,
  type Strictness,
} from '../../scalar-type.ts'

/** Text compares by code point on both engines. */
export const textColumn = { sqlite: 'TEXT', postgres: 'text COLLATE "C"' } as const

export const jsonString = (stored: Stored) => JSON.stringify(String(stored))

/** PostgreSQL cannot store U+0000, and a lone surrogate does not survive UTF-8. Neither engine accepts them. */
export function storableText(input: unknown): Parsed<string> {
  if (typeof input !== 'string') return fail('must be a string')
  if (input.includes('\0')) return fail('must not contain the character U+0000')
  if (!input.isWellFormed()) return fail('must be valid Unicode text')
  return ok(input)
}

/** A stored string from a cursor. */
export const stringSortKey = (key: unknown) =>
  typeof key === 'string' && !key.includes('\0') ? key : undefined

export const textFilter = { name: 'TextFilter', value: { type: 'string' } } as const

/** The maximum length of short text when the schema sets no `maxLength`. */
export const SHORT_TEXT = 255

export interface TextFormat {
  /** Short text has at most 255 characters unless the schema sets `maxLength`. */
  readonly isShort?: boolean
  /** Checks a format beyond the `regex` of the schema; returns what is wrong. Drafts are not checked. */
  readonly check?: (text: string) => string | null
  /** Added to the schemas of values that are sent and served. */
  readonly schema?: JsonSchema
  /** Added to the schema of values that are sent only. */
  readonly sentSchema?: JsonSchema
  readonly example?: (name: string) => string
}

/** A text type. */
export function textType(format: TextFormat = {}): ScalarType {
  const maxLengthOf = ({ maxLength }: ScalarRules) => maxLength ?? (format.isShort ? SHORT_TEXT : null)
  return {
    family: 'text',
    column: textColumn,
    maxStoredLength: (rules) => (format.isShort ? maxLengthOf(rules) : null),
    parse(input, rules, strictness) {
      const text = storableText(input)
      if (!text.ok) return text
      const message = textProblem(text.value, rules, maxLengthOf(rules), strictness, format)
      return message ? fail(message) : text
    },
    parseFilter: storableText,
    json: jsonString,
    isUidSource: true,
    search: 'contains',
    comparedText: 'stored',
    parseSortKey: stringSortKey,
    storedAs: 'text',
    alsoHolds: ['text', 'word', 'date', 'time', 'instant'],
    inputFrom: textFrom,
    documentation: {
      served: () => ({ type: 'string', ...format.schema }),
      sent: (rules) => ({
        type: 'string',
        ...format.schema,
        ...format.sentSchema,
        ...lengthSchema(rules, maxLengthOf(rules)),
      }),
      filter: textFilter,
      example: (rules, name) => textExample(rules, format.example?.(name) ?? name),
      typescript: { served: () => ['string'] },
    },
  }
}

function textProblem(
  text: string,
  { minLength, regex, required }: ScalarRules,
  maxLength: number | null,
  strictness: Strictness,
  { check }: TextFormat,
) {
  if (maxLength !== null && text.length > maxLength) return `must have at most ${characters(maxLength)}`
  if (strictness === 'draft') return null
  if (minLength !== null && text.length < minLength) return `must have at least ${characters(minLength)}`
  // An attribute that may be absent may be empty.
  const isMatched = regex !== null && (text !== '' || required)
  if (isMatched && text.length > regex.maxLength)
    return `must have at most ${characters(regex.maxLength)}, because it is matched against a pattern`
  if (isMatched && !regex.test(text)) return `must match /${regex.source}/`
  return check?.(text) ?? null
}

const characters = (count: number) => (count === 1 ? '1 character' : `${count} characters`)

/** A served value of any type as text. */
export const textFrom = (served: unknown, from: ScalarType): string =>
  typeof served === 'string' ? served : (from.plainText?.(served) ?? JSON.stringify(served))

const lengthSchema = ({ minLength, regex }: ScalarRules, maxLength: number | null): JsonSchema => ({
  ...(minLength !== null ? { minLength } : {}),
  ...(maxLength !== null ? { maxLength } : {}),
  ...(regex ? { pattern: regex.source } : {}),
})

function textExample({ regex, minLength, maxLength }: ScalarRules, name: string): string | null {
  const text = name.padEnd(minLength ?? 0, '.')
  return regex && !regex.test(text) ? null : text.slice(0, maxLength ?? text.length)
}
