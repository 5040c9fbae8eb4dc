/** The types of `fields` and `populate`. */
import type { Filters, Sort } from './filters.ts'
import type { Shape } from './schema.ts'

type FieldName<Of extends Shape> = keyof Of['fields'] & string

/** Names of fields, or `*` for all. */
export type Fields<Of extends Shape> = '*' | FieldName<Of> | readonly FieldName<Of>[]

type LinkName<Of extends Shape> = keyof Of['links'] & string

/** `*`, a name, a list of names, or an object that says of each name what to show. */
export type Populate<Of extends Shape> =
  | '*'
  | LinkName<Of>
  | readonly LinkName<Of>[]
  | { readonly [Name in LinkName<Of>]?: Wish<Of['links'][Name]> }

interface Selection<Of extends Shape> {
  readonly fields?: Fields<Of>
  readonly populate?: Populate<Of>
}

interface Narrowed<Of extends Shape> extends Selection<Of> {
  readonly filters?: Filters<Of>
}

interface Listed<Of extends Shape> extends Narrowed<Of> {
  readonly sort?: Sort<Of>
  /** The number of them instead of what they are. */
  readonly count?: boolean
}

interface Paged<Of extends Shape> extends Listed<Of> {
  readonly start?: number
  readonly limit?: number
}

interface Mixed<Shapes> {
  readonly populate?: '*'
  /** Shows only the named ones, each as it says. */
  readonly on?: {
    readonly [Name in keyof Shapes]?: boolean | Selection<Shapes[Name] extends Shape ? Shapes[Name] : never>
  }
}

type Wish<Link> =
  | boolean
  | (Link extends { toMany: infer To extends Shape } | { files: infer To extends Shape }
      ? Paged<To>
      : Link extends { toOne: infer To extends Shape } | { file: infer To extends Shape }
        ? Narrowed<To>
        : Link extends { components: infer Of extends Shape }
          ? Listed<Of>
          : Link extends { component: infer Of extends Shape }
            ? Narrowed<Of>
            : Link extends { zone: infer Shapes }
              ? Mixed<Shapes> & { readonly count?: boolean }
              : Link extends { morphOne: infer Shapes } | { morphMany: infer Shapes }
                ? Mixed<Shapes>
                : never)

type Simple = string | number | boolean | bigint | Date | null | undefined

type Keys<Union> = Union extends Simple | readonly unknown[] ? never : keyof Union

type At<Union, Key> = Union extends Simple | readonly unknown[]
  ? never
  : Key extends keyof Union
    ? Union[Key]
    : never

/**
 * The given type with every key that the allowed type does not have turned into never: a compiler that infers a type
 * from an object does not look for misspelt keys by itself.
 */
export type Exact<Allowed, Given> = Given extends Simple | readonly unknown[]
  ? Given
  : { [Key in keyof Given]: Key extends Keys<Allowed> ? Exact<At<Allowed, Key>, Given[Key]> : never }
