/** What every scalar attribute type provides; one file each in `scalars/`, collected in `scalars/index.ts`. */
import type { ScalarAttribute, ScalarTypeName } from './model.ts'

/** What is kept in a column: booleans as 0 and 1, instants as ISO text, JSON as compact text. */
export type Stored = string | number | bigint

/** `full` when publishing; `draft` leaves out format, minimum length and the like (SPEC: drafts may be incomplete). */
export type Strictness = 'draft' | 'full'

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      readonly message: string
      /** Where inside the value the problem is, for values with parts (a node of a rich text); absent for the value itself. */
      readonly path?: readonly string[]
    }

export const ok = <T>(value: T): Parsed<T> => ({ ok: true, value })
export const fail = (message: string, path?: readonly string[]): Parsed<never> =>
  path ? { ok: false, message, path } : { ok: false, message }

/** How a column compares: text by code point, numbers by value. Every type supports every operator of its family. */
type Family = 'text' | 'number' | 'boolean' | 'json'

export interface ScalarType {
  readonly family: Family
  readonly column: { readonly sqlite: string; readonly postgres: string }
  /** A value of a request body (never null) to what is stored. `message` continues a sentence that starts with the path. */
  readonly parse: (input: unknown, attribute: ScalarAttribute, strictness: Strictness) => Parsed<Stored>
  /** A value of a filter to what it is compared with; lenient where the reference is (a date accepts a timestamp). */
  readonly parseFilter: (input: string, attribute: ScalarAttribute) => Parsed<Stored>
  /** The JSON text that is served for a stored value. */
  readonly json: (stored: Stored) => string
}

/** A scalar attribute that no schema has given any rules. */
export const plainScalar = (name: string, type: ScalarTypeName): ScalarAttribute => ({
  kind: 'scalar',
  name,
  type,
  required: false,
  private: false,
  localized: false,
  unique: false,
  default: undefined,
  min: null,
  max: null,
  minLength: null,
  maxLength: null,
  regex: null,
  enum: [],
  targetField: null,
  generate: false,
})
