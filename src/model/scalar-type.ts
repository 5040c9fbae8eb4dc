/**
 * What an attribute type defines: everything the server knows about it. Each type has its own file in `scalars/`, and
 * `scalars/index.ts` lists them. Adding a type touches nothing else.
 */
import type { JsonSchema } from './json-schema.ts'
import type { Pattern } from './pattern/pattern.ts'
import type { SchemaObject } from './schema/schema-object.ts'

/** A value as a column holds it: booleans as 0 and 1, instants as ISO strings, JSON as compact text. */
export type Stored = string | number | bigint

/** `full` when publishing. `draft` skips formats, minimum lengths and patterns, because drafts may be incomplete. */
export type Strictness = 'draft' | 'full'

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      readonly message: string
      /** Where inside the value the problem is, such as a node of a rich text; absent for the value itself. */
      readonly path?: readonly string[]
    }

export const ok = <T>(value: T): Parsed<T> => ({ ok: true, value })
export const fail = (message: string, path?: readonly string[]): Parsed<never> =>
  path ? { ok: false, message, path } : { ok: false, message }

/** The minimum or maximum of a number; a bigint where a number would lose digits. */
export type Bound = number | bigint

/** What a schema can declare for a scalar attribute. */
export interface ScalarRules {
  readonly required: boolean
  readonly unique: boolean
  /** Undefined when the schema declares none. */
  readonly default: unknown
  readonly min: Bound | null
  readonly max: Bound | null
  readonly minLength: number | null
  readonly maxLength: number | null
  readonly regex: Pattern | null
  readonly enum: readonly string[]
  /** The attribute that a uid is derived from, and whether it is generated when absent. */
  readonly targetField: string | null
  readonly generate: boolean
}

/** The rules of an attribute for which the schema declares nothing. */
export const NO_RULES: ScalarRules = {
  required: false,
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
}

export interface ScalarType extends Storage, SchemaOptions, QueryBehavior, Conversion {
  /** Text compares by code point, instants by their ISO form, numbers by value, JSON by its text. */
  readonly family: 'text' | 'instant' | 'number' | 'boolean' | 'json'
  /** Hashed before it is stored; never served, filtered, converted or repeated in an error. */
  readonly isSecret?: true
  /** An empty string counts as no value: it is stored as null. */
  readonly isNullWhenEmpty?: true
  /** From a value of a request body (never null) to what is stored. The message continues a sentence that starts with the path. */
  readonly parse: (input: unknown, rules: ScalarRules, strictness: Strictness) => Parsed<Stored>
  /** From a value of a filter to what it is compared with. More lenient than `parse`: a date accepts a timestamp. */
  readonly parseFilter: (input: string) => Parsed<Stored>
  /** The JSON that is served for a stored value. */
  readonly json: (stored: Stored) => string
  readonly documentation: ScalarDocumentation
}

interface Storage {
  readonly column: { readonly sqlite: string; readonly postgres: string }
  /** The cast from a member of an entry's JSON to a value that compares like the column, where the engine needs another one. */
  readonly entryCast?: { readonly sqlite?: string; readonly postgres?: string }
  /** The maximum number of characters of a stored value; null when there is none. */
  readonly maxStoredLength: (rules: ScalarRules) => number | null
}

interface SchemaOptions {
  /** Keys of the schema that only this type has. */
  readonly optionKeys?: readonly string[]
  readonly readOptions?: (schema: SchemaObject) => Partial<ScalarRules>
  /** Whether `min` and `max` may have more digits than a JSON number. */
  readonly hasExactBounds?: true
  /** Whether a uid can be derived from it. */
  readonly isUidSource?: true
}

interface QueryBehavior {
  /** How `_q` searches it: for a part of the text or for an equal value; not at all when absent. */
  readonly search?: 'contains' | 'equals'
  /** What text operators such as `$contains` compare. */
  readonly comparedText: 'stored' | 'cast' | 'served'
  /** Whether the column holds integers only, though a filter may compare with a fraction. */
  readonly isInteger?: true
  /** Whether many documents are likely to have the same value. */
  readonly hasFewValues?: true
  /** A stored value that travelled as JSON inside a cursor; undefined when it is not one of this type. */
  readonly parseSortKey: (key: unknown) => Stored | undefined
}

/** What becomes of stored values when a schema changes the type of an attribute. */
interface Conversion {
  /** A name for the form of the stored value. */
  readonly storedAs: string
  /** Stored forms of other types that are valid values of this type without conversion. */
  readonly alsoHolds?: readonly string[]
  /** The served value of another type in the form in which a body would send it to this one. */
  readonly inputFrom?: (served: unknown, from: ScalarType) => unknown
  /** The text of a served value without its structure. */
  readonly plainText?: (served: unknown) => string
}

/** How values appear in the OpenAPI document and in generated TypeScript. */
export interface ScalarDocumentation {
  /** A name under which the schema is declared once and referred to. */
  readonly sharedSchema?: string
  /** Whether the schema and the TypeScript type include null already. */
  readonly includesNull?: true
  /** Drafts may break the rules of the attribute, so the schema of a served value does not promise them. */
  readonly served: (rules: ScalarRules) => JsonSchema
  readonly sent: (rules: ScalarRules) => JsonSchema
  /** Sentences about the rules that the schema of a sent value cannot express. */
  readonly sentences?: (rules: ScalarRules) => readonly string[]
  /** The schema of a value in a filter; types with the same name share it. */
  readonly filter: { readonly name: string; readonly value: JsonSchema }
  /** A valid value for an attribute of this name; null where the rules allow no simple one. */
  readonly example: (rules: ScalarRules, name: string) => unknown
  readonly typescript: {
    /** The members of a union; `quote` makes a string literal type. */
    readonly served: (rules: ScalarRules, quote: (text: string) => string) => readonly string[]
    /** What bodies accept, where that is more than what is served. */
    readonly sent?: readonly string[]
  }
}
