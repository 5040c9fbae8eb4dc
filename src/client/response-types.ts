/** The types of responses: what a document contains, depending on the query. */
import type { Shape } from './schema.ts'

export type Status = 'draft' | 'published'

/** The parts of a query that decide what a response contains. */
export interface ResponseQuery {
  readonly fields?: unknown
  readonly populate?: unknown
  readonly status?: unknown
}

/**
 * A document (or component) in a response. It has the requested fields, and the relations, media, components and zones
 * that are populated. In a draft, any of them may be null.
 */
export type Answer<Of extends Shape, Query extends ResponseQuery = Record<never, never>> = Shown<
  Of,
  Query,
  IsDraft<Of, Query['status']>
>

type Flatten<Type> = { [Key in keyof Type]: Type[Key] } & {}

type Shown<Of extends Shape, Query, Draft> = Flatten<
  FieldsShown<Of, Query extends { fields: infer Names } ? Names : '*', Draft> &
    (Query extends { populate: infer Populate } ? LinksShown<Of, Populate, Draft> : unknown)
>

/** A document is a draft if its type has drafts and the query requests them; a component if its document is one. */
type IsDraft<Of extends Shape, Requested> = [Requested] extends ['draft']
  ? Of extends { drafts: false }
    ? false
    : true
  : false

type IdField = 'id' | 'documentId'
type NeverNullField = IdField | 'createdAt' | 'updatedAt' | 'locale'

type NamesIn<Names> = Names extends readonly (infer Name)[] ? Name : Names

type FieldsShown<Of extends Shape, Names, Draft> = {
  [Name in keyof Of['fields'] as '*' extends NamesIn<Names>
    ? Name
    : Name extends NamesIn<Names> | IdField
      ? Name
      : never]: Draft extends true
    ? Name extends NeverNullField
      ? Of['fields'][Name]
      : Of['fields'][Name] | null
    : Of['fields'][Name]
}

type LinksShown<Of extends Shape, Populate, Draft> = Populate extends '*'
  ? { [Name in keyof Of['links']]: LinkShown<Of, Name, true, Draft> }
  : Populate extends string | readonly string[]
    ? { [Name in keyof Of['links'] & NamesIn<Populate>]: LinkShown<Of, Name, true, Draft> }
    : {
        [Name in keyof Of['links'] & keyof Populate as Populate[Name] extends false
          ? never
          : Name]: LinkShown<Of, Name, Populate[Name], Draft>
      }

type LinkShown<Of extends Shape, Name extends keyof Of['links'], Options, Draft> = Options extends {
  count: true
}
  ? { count: number }
  : Of['links'][Name] extends { component: infer Inner extends Shape }
    ?
        | Shown<Inner, Options, Draft>
        | (Draft extends true
            ? null
            : Options extends { filters: unknown }
              ? null
              : NullUnlessRequired<Of, Name>)
    : LinkedShown<Of['links'][Name], Options, Draft>

type NullUnlessRequired<Of extends Shape, Name> = Name extends Of['required'] ? never : null

type LinkedShown<Link, Options, Draft> = Link extends
  | { toOne: infer To extends Shape }
  | { file: infer To extends Shape }
  ? Related<To, Options, Draft> | null
  : Link extends { toMany: infer To extends Shape } | { files: infer To extends Shape }
    ? Related<To, Options, Draft>[]
    : Link extends { components: infer Inner extends Shape }
      ? Shown<Inner, Options, Draft>[]
      : Link extends { zone: infer Shapes }
        ? MixedShown<Shapes, Options, Draft, '__component'>[]
        : Link extends { morphMany: infer Shapes }
          ? MixedShown<Shapes, Options, Draft, '__type'>[]
          : Link extends { morphOne: infer Shapes }
            ? MixedShown<Shapes, Options, Draft, '__type'> | null
            : never

/** A related document has the requested status, if its type has drafts. */
type Related<To extends Shape, Options, Draft> = Shown<
  To,
  Options,
  To extends { drafts: false } ? false : Draft
>

/** Entries of several types: all of them, or only those named by `on`. */
type MixedShown<Shapes, Options, Draft, TypeKey extends string> = Options extends { on: infer On }
  ? {
      [Name in keyof Shapes & keyof On]: On[Name] extends false
        ? never
        : WithTypeKey<Shapes[Name], On[Name], Draft, TypeKey, Name>
    }[keyof Shapes & keyof On]
  : { [Name in keyof Shapes]: WithTypeKey<Shapes[Name], Options, Draft, TypeKey, Name> }[keyof Shapes]

type WithTypeKey<Inner, Options, Draft, TypeKey extends string, Name> = Inner extends Shape
  ? Flatten<
      { [Key in TypeKey]: Name } & Shown<Inner, Options, Inner extends { drafts: false } ? false : Draft>
    >
  : never

export interface PageMeta {
  page: number
  pageSize: number
  pageCount: number
  total: number
}

export interface OffsetMeta {
  start: number
  limit: number
  total: number
}

export interface CursorMeta {
  pageSize: number
  total: number
  /** Null at the end of the list. */
  nextCursor: string | null
  /** Null at the start of the list. */
  previousCursor: string | null
}

export type Pagination =
  | {
      readonly page?: number
      readonly pageSize?: number
      readonly withCount?: boolean
      readonly cursor?: never
    }
  | {
      readonly start?: number
      readonly limit?: number
      readonly withCount?: boolean
      readonly cursor?: never
    }
  | {
      /** `start`, or a cursor of the previous response. */
      readonly cursor: string
      readonly pageSize?: number
      readonly withCount?: boolean
      readonly page?: never
      readonly start?: never
    }

/**
 * The pagination of a list: by cursor, by offset if `start` or `limit` is set, else by page. It has counts unless
 * `withCount` is false; by cursor only if `withCount` is true.
 */
export type PaginationMeta<Given> = Given extends { cursor: string }
  ? Given extends { withCount: true }
    ? CursorMeta
    : Omit<CursorMeta, 'total'>
  : Given extends { withCount: false }
    ? Omit<MetaByMode<Given>, 'total' | 'pageCount'>
    : MetaByMode<Given>

type MetaByMode<Given> = Given extends { start: number } | { limit: number } ? OffsetMeta : PageMeta
