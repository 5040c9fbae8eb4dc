/** Any JSON value, stored as it was sent. */
import { fail, ok, type Parsed, type ScalarType } from '../scalar-type.ts'
import { findLoss } from './shared/lossless-json.ts'
import { stringSortKey, textColumn } from './shared/text.ts'

/** The compact text of a JSON value; fails when it is nested more deeply than the runtime can walk. */
export function compactJson(value: unknown): Parsed<string> {
  try {
    const text: unknown = JSON.stringify(value)
    return typeof text === 'string' ? ok(text) : fail('must be JSON')
  } catch (error) {
    return fail(error instanceof RangeError ? 'is nested too deeply' : 'must be JSON')
  }
}

/** The compact text of a JSON value that will be returned exactly as it was sent. */
export function exactJson(value: unknown): Parsed<string> {
  const loss = findLoss(value)
  return loss ? fail(loss.message, loss.path) : compactJson(value)
}

/** A filter value is JSON, or a string when it is not valid JSON. */
function parseFilter(input: string): Parsed<string> {
  try {
    return compactJson(JSON.parse(input))
  } catch {
    return compactJson(input)
  }
}

/** Stored as compact text: what is stored is what is served, and `$contains` searches that text. */
export const json: ScalarType = {
  family: 'json',
  column: textColumn,
  maxStoredLength: () => null,
  parse: exactJson,
  parseFilter,
  json: String,
  comparedText: 'stored',
  parseSortKey: stringSortKey,
  storedAs: 'json',
  alsoHolds: ['blocks'],
  inputFrom: (served) => served,
  documentation: {
    includesNull: true,
    served: () => ({ description: 'Any JSON value.' }),
    sent: () => ({ description: 'Any JSON value.' }),
    filter: { name: 'JsonFilter', value: { type: 'string', description: 'A part of the JSON text.' } },
    example: () => ({}),
    typescript: { served: () => ['Json'] },
  },
}
