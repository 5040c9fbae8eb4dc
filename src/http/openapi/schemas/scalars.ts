/** Schemas of scalar attributes: in answers, in bodies, and as values in filters. */
import type { ScalarAttribute, ScalarTypeName } from '../../../model/model.ts'
import { SHORT_TEXT } from '../../../model/scalars/string.ts'
import type { Drawing } from '../document-builder.ts'
import { blocksSchema } from './blocks.ts'
import { boolean, instant, integer, nullable, number, type Schema, text } from './schema.ts'

const TIME: Schema = {
  type: 'string',
  pattern: '^\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?$',
  examples: ['18:30:00.000'],
}
const DATE: Schema = { type: 'string', format: 'date', examples: ['2024-02-29'] }
const WHOLE_NUMBER_TEXT: Schema = {
  type: 'string',
  pattern: '^-?\\d+$',
  description: 'A whole number of 64 bits, as text so that no digit is lost.',
}

const VALUES: Readonly<Record<Exclude<ScalarTypeName, 'blocks'>, Schema>> = {
  string: text,
  text,
  richtext: { type: 'string', description: 'Markdown.' },
  email: { type: 'string', format: 'email' },
  password: { type: 'string', format: 'password' },
  uid: { type: 'string', pattern: '^[A-Za-z0-9\\-_.~]*$' },
  integer,
  biginteger: WHOLE_NUMBER_TEXT,
  float: number,
  decimal: number,
  boolean,
  date: DATE,
  time: TIME,
  datetime: instant,
  timestamp: instant,
  enumeration: text,
  json: { description: 'Any JSON value.' },
}

const schemaOf = (d: Drawing, type: ScalarTypeName): Schema =>
  type === 'blocks' ? blocksSchema(d) : VALUES[type]

/** As it is served. Drafts need not have the format that publishing asks for, so formats are not promised. */
export function servedScalar(d: Drawing, { type, enum: words }: ScalarAttribute): Schema {
  if (type === 'enumeration') return nullable({ type: 'string', enum: words })
  if (type === 'email' || type === 'uid') return nullable(text)
  return type === 'json' ? VALUES.json : nullable(schemaOf(d, type))
}

/** As it is sent. Every attribute can be cleared with null. */
export function sentScalar(d: Drawing, attribute: ScalarAttribute): Schema {
  const { type, enum: words, default: given } = attribute
  const value: Schema =
    type === 'enumeration' ? { type: 'string', enum: words } : { ...schemaOf(d, type), ...rules(attribute) }
  return {
    ...(type === 'json' ? value : nullable(value)),
    ...(given === undefined ? {} : { default: given }),
    ...(attribute.private || type === 'password' ? { writeOnly: true } : {}),
    ...sentence(attribute),
  }
}

function rules({ type, min, max, minLength, maxLength, regex }: ScalarAttribute): Schema {
  const longest = maxLength ?? (type === 'string' || type === 'email' || type === 'uid' ? SHORT_TEXT : null)
  const isNumber = type === 'integer' || type === 'float' || type === 'decimal'
  return {
    ...(isNumber && min !== null ? { minimum: Number(min) } : {}),
    ...(isNumber && max !== null ? { maximum: Number(max) } : {}),
    ...(minLength !== null ? { minLength } : {}),
    ...(longest !== null ? { maxLength: longest } : {}),
    ...(regex ? { pattern: regex.source } : {}),
  }
}

function sentence({ required, unique, generate, targetField, type, min, max }: ScalarAttribute): Schema {
  const facts = [
    ...(required ? ['Required when publishing.'] : []),
    ...(unique || type === 'uid' ? ['Unique among published documents of a locale.'] : []),
    ...(generate && targetField ? [`Made from ${targetField} when it is absent.`] : []),
    ...(type === 'biginteger' && VALUES.biginteger.description ? [VALUES.biginteger.description] : []),
    // JSON Schema has bounds for numbers only, and this one travels as text.
    ...(type === 'biginteger' && min !== null ? [`At least ${min}.`] : []),
    ...(type === 'biginteger' && max !== null ? [`At most ${max}.`] : []),
  ]
  return facts.length > 0 ? { description: facts.join(' ') } : {}
}

/** The name of the shared schema of filters on this type of attribute. */
export function filterName(type: ScalarTypeName | 'id'): FilterName {
  switch (type) {
    case 'id':
    case 'integer':
      return 'IntegerFilter'
    case 'biginteger':
      return 'BigIntegerFilter'
    case 'float':
    case 'decimal':
      return 'NumberFilter'
    case 'boolean':
      return 'BooleanFilter'
    case 'date':
      return 'DateFilter'
    case 'time':
      return 'TimeFilter'
    case 'datetime':
    case 'timestamp':
      return 'DateTimeFilter'
    case 'json':
    case 'blocks':
      return 'JsonFilter'
    default:
      return 'TextFilter'
  }
}

/** What each kind of filter compares with. */
export const filterValues = {
  TextFilter: text,
  IntegerFilter: number,
  BigIntegerFilter: { anyOf: [integer, WHOLE_NUMBER_TEXT] },
  NumberFilter: number,
  BooleanFilter: boolean,
  DateFilter: DATE,
  TimeFilter: TIME,
  DateTimeFilter: instant,
  JsonFilter: { type: 'string', description: 'A part of the JSON text.' },
} satisfies Record<string, Schema>

export type FilterName = keyof typeof filterValues
