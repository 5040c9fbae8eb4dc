/** One of the words that the schema lists. */
import { fail, ok, type ScalarType } from '../scalar-type.ts'
import { jsonString, storableText, textColumn } from './shared/text.ts'

export const enumeration: ScalarType = {
  family: 'text',
  column: textColumn,
  parse: (input, attribute) =>
    typeof input === 'string' && attribute.enum.includes(input)
      ? ok(input)
      : fail(`must be one of ${attribute.enum.join(', ')}`),
  // Any text, for the sake of $eqi, $contains and the ordering operators.
  parseFilter: storableText,
  json: jsonString,
}
