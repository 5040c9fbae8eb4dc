/** A password: checked as text when written, hashed by the write side, never served. */
import { fail, type ScalarType } from '../scalar-type.ts'
import { textType } from './shared/text.ts'

const text = textType()

export const password: ScalarType = {
  ...text,
  // Of a draft too: when it is published, only the hash is left.
  parse: (input, attribute) => text.parse(input, attribute, 'full'),
  parseFilter: () => fail('cannot be filtered'),
  json: () => 'null',
}
