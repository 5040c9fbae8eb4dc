/** A password: checked as text when written, hashed by the write side, never served. */
import { fail, type ScalarType } from '../scalar.ts'
import { textual } from './textual.ts'

export const password: ScalarType = {
  ...textual(),
  parseFilter: () => fail('cannot be filtered'),
  json: () => 'null',
}
