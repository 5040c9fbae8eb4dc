/** Any JSON value, kept as it was sent. */
import { ok, type ScalarType } from '../scalar.ts'

/** JSON is kept as compact text: what is stored is what is served, and `$contains` searches that text. */
export const jsonColumn = { sqlite: 'TEXT', postgres: 'text COLLATE "C"' } as const

/** A filter value names a JSON value: as JSON, or as the text itself when it is not JSON. */
export function jsonFilter(input: string) {
  try {
    return ok(JSON.stringify(JSON.parse(input)))
  } catch {
    return ok(JSON.stringify(input))
  }
}

export const json: ScalarType = {
  family: 'json',
  column: jsonColumn,
  parse: (input) => ok(JSON.stringify(input)),
  parseFilter: jsonFilter,
  json: String,
}
