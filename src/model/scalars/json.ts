/** Any JSON value, kept as it was sent. */
import { fail, ok, type Parsed, type ScalarType } from '../scalar-type.ts'
import { findLoss } from './shared/lossless-json.ts'

/** JSON is kept as compact text: what is stored is what is served, and `$contains` searches that text. */
export const jsonColumn = { sqlite: 'TEXT', postgres: 'text COLLATE "C"' } as const

/** The compact text of a JSON value; what is nested beyond what the runtime can walk is refused. */
export function compactJson(value: unknown): Parsed<string> {
  try {
    const text: unknown = JSON.stringify(value)
    return typeof text === 'string' ? ok(text) : fail('must be JSON')
  } catch (error) {
    return fail(error instanceof RangeError ? 'is nested too deeply' : 'must be JSON')
  }
}

/** The compact text of a JSON value that comes back exactly as it was sent; what would not is refused where it stands. */
export function exactJson(value: unknown): Parsed<string> {
  const loss = findLoss(value)
  return loss ? fail(loss.message, loss.path) : compactJson(value)
}

/** A filter value names a JSON value: as JSON, or as the text itself when it is not JSON. */
export function jsonFilter(input: string): Parsed<string> {
  try {
    return compactJson(JSON.parse(input))
  } catch {
    return compactJson(input)
  }
}

export const json: ScalarType = {
  family: 'json',
  column: jsonColumn,
  parse: exactJson,
  parseFilter: jsonFilter,
  json: String,
}
