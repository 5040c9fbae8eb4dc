/** A password: checked as text when it is written, then hashed by `documents`. */
import { fail, type ScalarType } from '../scalar-type.ts'
import { SHORT_TEXT, textType } from './shared/text.ts'

const { isUidSource, search, alsoHolds, ...text } = textType({ sentSchema: { format: 'password' } })

export const password: ScalarType = {
  ...text,
  isSecret: true,
  maxStoredLength: ({ maxLength }) => maxLength ?? SHORT_TEXT,
  // A draft is checked in full too: once it is published, only the hash is left to check.
  parse: (input, rules) => text.parse(input, rules, 'full'),
  parseFilter: () => fail('cannot be filtered'),
  json: () => 'null',
  storedAs: 'hash',
}
