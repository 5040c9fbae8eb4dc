/** One of the words that the schema lists. */

import { fail, ok, type ScalarType } from '../scalar-type.ts'
import type { SchemaObject } from '../schema/schema-object.ts'
import { jsonString, storableText, stringSortKey, textColumn, textFilter, textFrom } from './shared/text.ts'

export const enumeration: ScalarType = {
  family: 'text',
  column: textColumn,
  maxStoredLength: (rules) => rules.enum.reduce((most, { length }) => Math.max(most, length), 0),
  parse: (input, rules) =>
    typeof input === 'string' && rules.enum.includes(input)
      ? ok(input)
      : fail(`must be one of ${rules.enum.join(', ')}`),
  // Any text, because $eqi, $contains and the ordering operators compare with parts and other spellings.
  parseFilter: storableText,
  json: jsonString,
  optionKeys: ['enum'],
  readOptions: (schema) => ({ enum: readWords(schema) }),
  isUidSource: true,
  search: 'contains',
  comparedText: 'stored',
  hasFewValues: true,
  parseSortKey: stringSortKey,
  storedAs: 'word',
  inputFrom: textFrom,
  documentation: {
    served: (rules) => ({ type: 'string', enum: rules.enum }),
    sent: (rules) => ({ type: 'string', enum: rules.enum }),
    filter: textFilter,
    example: (rules) => rules.enum[0] ?? null,
    typescript: { served: (rules, quote) => rules.enum.map(quote) },
  },
}

function readWords(schema: SchemaObject): readonly string[] {
  if (!schema.has('enum')) schema.report('is required: an enumeration lists its values', 'enum')
  const words = schema.strings('enum')
  if (words === null) return []
  if (words.length === 0) schema.report('must have at least one value', 'enum')
  if (words.includes('')) schema.report('must not have an empty value', 'enum')
  const duplicate = words.find((word, index) => words.indexOf(word) !== index)
  if (duplicate !== undefined) schema.report(`has "${duplicate}" more than once`, 'enum')
  return words
}
