/** The types of `fields` and `populate`. */
import type { Filters, Sort } from './filters.ts'
import type { Shape } from './schema.ts'

type FieldName<Of extends Shape> = keyof Of['fields'] & string

/** Names of fields, or `*` for all. */
export type Fields<Of extends Shape> = '*' | FieldName<Of> | readonly FieldName<Of>[]

type LinkName<Of extends Shape> = keyof Of['links'] & string

/** `*`, a name, a list of names, or an object with options for each name. */
export type Populate<Of extends Shape> =
  | '*'
  | LinkName<Of>
  | readonly LinkName<Of>[]
  | { readonly [Name in LinkName<Of>]?: PopulateOptions<Of['links'][Name]> }

interface SelectOptions<Of extends Shape> {
  readonly fields?: Fields<Of>
  readonly populate?: Populate<Of>
}

interface FilterOptions<Of extends Shape> extends SelectOptions<Of> {
  readonly filters?: Filters<Of>
}

interface ListOptions<Of extends Shape> extends FilterOptions<Of> {
  readonly sort?: Sort<Of>
  /** Returns only the number of items. */
  readonly count?: boolean
}

interface PageOptions<Of extends Shape> extends ListOptions<Of> {
  readonly start?: number
  readonly limit?: number
}

/** For the entries of one component in a zone, or the documents of one content-type in a polymorphic relation. */
interface KindOptions<Of extends Shape> extends FilterOptions<Of> {
  readonly sort?: Sort<Of>
}

interface MixedOptions<Shapes> {
  readonly populate?: '*'
  /** Includes only the named types, each with its own options. */
  readonly on?: {
    readonly [Name in keyof Shapes]?: boolean | KindOptions<Shapes[Name] extends Shape ? Shapes[Name] : never>
  }
}

type PopulateOptions<Link> =
  | boolean
  | (Link extends { toMany: infer To extends Shape } | { files: infer To extends Shape }
      ? PageOptions<To>
      : Link extends { toOne: infer To extends Shape } | { file: infer To extends Shape }
        ? FilterOptions<To>
        : Link extends { components: infer Of extends Shape }
          ? ListOptions<Of>
          : Link extends { component: infer Of extends Shape }
            ? FilterOptions<Of>
            : Link extends { zone: infer Shapes } | { morphOne: infer Shapes } | { morphMany: infer Shapes }
              ? MixedOptions<Shapes> & { readonly count?: boolean }
              : never)

type Simple = string | number | boolean | bigint | Date | null | undefined

type Keys<Union> = Union extends Simple | readonly unknown[] ? never : keyof Union

type ValueAt<Union, Key> = Union extends Simple | readonly unknown[]
  ? never
  : Key extends keyof Union
    ? Union[Key]
    : never

/**
 * The given type, with `never` for every key that the allowed type does not have. TypeScript does not check an object
 * for unknown keys when it infers a type from it.
 */
export type Exact<Allowed, Given> = Given extends Simple | readonly unknown[]
  ? Given
  : { [Key in keyof Given]: Key extends Keys<Allowed> ? Exact<ValueAt<Allowed, Key>, Given[Key]> : never }
