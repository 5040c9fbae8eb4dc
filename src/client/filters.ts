/** The types of `filters` and `sort`: the operators and values of each attribute depend on its type. */
import type { Shape } from './schema.ts'

interface NullOperators {
  $null?: boolean
  $notNull?: boolean
}

interface EqualityOperators<Value> extends NullOperators {
  $eq?: Value | readonly Value[]
  $ne?: Value | readonly Value[]
  $in?: readonly Value[]
  $notIn?: readonly Value[]
}

interface OrderOperators<Value> extends EqualityOperators<Value> {
  $lt?: Value
  $lte?: Value
  $gt?: Value
  $gte?: Value
  $between?: readonly [Value, Value]
}

interface SubstringOperators {
  $contains?: string
  $notContains?: string
  $containsi?: string
  $notContainsi?: string
}

interface StringOperators extends SubstringOperators {
  $eqi?: string
  $nei?: string
  $startsWith?: string
  $startsWithi?: string
  $endsWith?: string
  $endsWithi?: string
}

interface TextOperators<Value> extends OrderOperators<Value>, StringOperators {}

type Condition<Value, Operators> =
  | Value
  | readonly Value[]
  | (Operators & { $not?: Condition<Value, Operators> })

/** The condition on a field, by the type of its attribute. `Shown` is its type in responses. */
type FieldFilter<Type, Shown> = Type extends 'boolean'
  ? Condition<boolean, EqualityOperators<boolean>>
  : Type extends 'id' | 'integer' | 'float' | 'decimal'
    ? Condition<number, OrderOperators<number>>
    : Type extends 'biginteger'
      ? Condition<string | number | bigint, OrderOperators<string | number | bigint>>
      : Type extends 'date' | 'datetime' | 'timestamp'
        ? Condition<string | Date, OrderOperators<string | Date>>
        : Type extends 'enumeration'
          ? Condition<NonNullable<Shown>, TextOperators<NonNullable<Shown>>>
          : Type extends 'json' | 'blocks'
            ? SubstringOperators & NullOperators
            : Condition<string, TextOperators<string>>

/** The documentId or the numeric id of a document. */
export type Id = string | number

/** The condition on the target of a link; never if it cannot be filtered. */
type LinkFilter<Link> = Link extends { toOne: infer To extends Shape } | { toMany: infer To extends Shape }
  ? Id | readonly Id[] | (EqualityOperators<Id> & Filters<To>)
  : Link extends { component: infer Of extends Shape } | { components: infer Of extends Shape }
    ? NullOperators & Filters<Of>
    : never

type Filterable<Links> = {
  [Name in keyof Links]: Links[Name] extends
    | { toOne: unknown }
    | { toMany: unknown }
    | { component: unknown }
    | { components: unknown }
    ? Name
    : never
}[keyof Links]

/** The filters of a content-type or component. */
export type Filters<Of extends Shape> = {
  [Name in keyof Of['attributes']]?: FieldFilter<
    Of['attributes'][Name],
    Name extends keyof Of['fields'] ? Of['fields'][Name] : never
  >
} & { [Name in Filterable<Of['links']>]?: LinkFilter<Of['links'][Name]> } & {
  $and?: readonly Filters<Of>[]
  $or?: readonly Filters<Of>[]
  $not?: Filters<Of>
}

type Order = 'asc' | 'desc'

type SortTarget<Link> = Link extends { toOne: infer To extends Shape } | { toMany: infer To extends Shape }
  ? SortObject<To>
  : Link extends { component: infer Of extends Shape } | { components: infer Of extends Shape }
    ? SortObject<Of>
    : never

type SortObject<Of extends Shape> = { [Name in keyof Of['attributes']]?: Order } & {
  [Name in Filterable<Of['links']>]?: SortTarget<Of['links'][Name]>
}

type SortTerm<Of extends Shape> =
  | (keyof Of['attributes'] & string)
  | `${keyof Of['attributes'] & string}:${Order}`
  | SortObject<Of>

/** `'name'`, `'name:desc'`, `{ chef: { name: 'desc' } }`, or a list of them. */
export type Sort<Of extends Shape> = SortTerm<Of> | readonly SortTerm<Of>[]

/** How well a document matches `_q`; the best match is first by default. */
type Score = '_score' | `_score:${Order}` | { _score?: Order }

/** The same for a list, which can also be sorted by `_score` when it is searched. */
export type ListSort<Of extends Shape> = SortTerm<Of> | Score | readonly (SortTerm<Of> | Score)[]
