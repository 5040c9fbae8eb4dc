/** The types of `filters` and `sort`: for each attribute the operators and values that suit its type. */
import type { Shape } from './schema.ts'

interface Presence {
  $null?: boolean
  $notNull?: boolean
}

interface Equality<Value> extends Presence {
  $eq?: Value | readonly Value[]
  $ne?: Value | readonly Value[]
  $in?: readonly Value[]
  $notIn?: readonly Value[]
}

interface Ordering<Value> extends Equality<Value> {
  $lt?: Value
  $lte?: Value
  $gt?: Value
  $gte?: Value
  $between?: readonly [Value, Value]
}

interface Parts {
  $contains?: string
  $notContains?: string
  $containsi?: string
  $notContainsi?: string
}

interface Wording extends Parts {
  $eqi?: string
  $nei?: string
  $startsWith?: string
  $startsWithi?: string
  $endsWith?: string
  $endsWithi?: string
}

interface Texts<Value> extends Ordering<Value>, Wording {}

type Condition<Value, Operators> =
  | Value
  | readonly Value[]
  | (Operators & { $not?: Condition<Value, Operators> })

/** The condition on a field, by the type of its attribute. `Shown` is the type it has in answers. */
type FieldFilter<Type, Shown> = Type extends 'boolean'
  ? Condition<boolean, Equality<boolean>>
  : Type extends 'id' | 'integer' | 'float' | 'decimal'
    ? Condition<number, Ordering<number>>
    : Type extends 'biginteger'
      ? Condition<string | number | bigint, Ordering<string | number | bigint>>
      : Type extends 'date' | 'datetime' | 'timestamp'
        ? Condition<string | Date, Ordering<string | Date>>
        : Type extends 'enumeration'
          ? Condition<NonNullable<Shown>, Texts<NonNullable<Shown>>>
          : Type extends 'json' | 'blocks'
            ? Parts & Presence
            : Condition<string, Texts<string>>

/** A document: its documentId or its numeric id. */
export type Id = string | number

/** The condition on what a link leads to; never for what cannot be filtered. */
type LinkFilter<Link> = Link extends { toOne: infer To extends Shape } | { toMany: infer To extends Shape }
  ? Id | readonly Id[] | (Equality<Id> & Filters<To>)
  : Link extends { component: infer Of extends Shape } | { components: infer Of extends Shape }
    ? Presence & Filters<Of>
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
