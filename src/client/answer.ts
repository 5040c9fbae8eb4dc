/** The types of answers: what a document shows, given what was asked for. */
import type { Shape } from './schema.ts'

export type Status = 'draft' | 'published'

/** What was asked for, as far as it decides what an answer shows. */
export interface Asked {
  readonly fields?: unknown
  readonly populate?: unknown
  readonly status?: unknown
}

/**
 * A document (or component) as an answer shows it. Populated relations, media, components and zones are there only when
 * they are asked for, fields only those that are asked for. Drafts may lack anything.
 */
export type Answer<Of extends Shape, Query extends Asked = Record<never, never>> = Shown<
  Of,
  Query,
  IsDraft<Of, Query['status']>
>

type Flat<Type> = { [Key in keyof Type]: Type[Key] } & {}

type Shown<Of extends Shape, Query, Draft> = Flat<
  FieldsShown<Of, Query extends { fields: infer Names } ? Names : '*', Draft> &
    (Query extends { populate: infer Wishes } ? LinksShown<Of, Wishes, Draft> : unknown)
>

/** Components are drafts when their document is; documents when they have drafts and those are asked for. */
type IsDraft<Of extends Shape, Asked> = [Asked] extends ['draft']
  ? Of extends { drafts: false }
    ? false
    : true
  : false

type Always = 'id' | 'documentId'
type Dated = Always | 'createdAt' | 'updatedAt' | 'locale'

type NamesIn<Names> = Names extends readonly (infer Name)[] ? Name : Names

type FieldsShown<Of extends Shape, Names, Draft> = {
  [Name in keyof Of['fields'] as '*' extends NamesIn<Names>
    ? Name
    : Name extends NamesIn<Names> | Always
      ? Name
      : never]: Draft extends true
    ? Name extends Dated
      ? Of['fields'][Name]
      : Of['fields'][Name] | null
    : Of['fields'][Name]
}

type LinksShown<Of extends Shape, Wishes, Draft> = Wishes extends '*'
  ? { [Name in keyof Of['links']]: LinkShown<Of, Name, true, Draft> }
  : Wishes extends string | readonly string[]
    ? { [Name in keyof Of['links'] & NamesIn<Wishes>]: LinkShown<Of, Name, true, Draft> }
    : {
        [Name in keyof Of['links'] & keyof Wishes as Wishes[Name] extends false ? never : Name]: LinkShown<
          Of,
          Name,
          Wishes[Name],
          Draft
        >
      }

type LinkShown<Of extends Shape, Name extends keyof Of['links'], Wish, Draft> = Wish extends { count: true }
  ? { count: number }
  : Of['links'][Name] extends { component: infer Inner extends Shape }
    ?
        | Shown<Inner, Wish, Draft>
        | (Draft extends true ? null : Wish extends { filters: unknown } ? null : NullUnless<Of, Name>)
    : LinkedShown<Of['links'][Name], Wish, Draft>

type NullUnless<Of extends Shape, Name> = Name extends Of['required'] ? never : null

type LinkedShown<Link, Wish, Draft> = Link extends
  | { toOne: infer To extends Shape }
  | { file: infer To extends Shape }
  ? Related<To, Wish, Draft> | null
  : Link extends { toMany: infer To extends Shape } | { files: infer To extends Shape }
    ? Related<To, Wish, Draft>[]
    : Link extends { components: infer Inner extends Shape }
      ? Shown<Inner, Wish, Draft>[]
      : Link extends { zone: infer Shapes }
        ? MixedShown<Shapes, Wish, Draft, '__component'>[]
        : Link extends { morphMany: infer Shapes }
          ? MixedShown<Shapes, Wish, Draft, '__type'>[]
          : Link extends { morphOne: infer Shapes }
            ? MixedShown<Shapes, Wish, Draft, '__type'> | null
            : never

/** A related document is shown in the status that was asked for, when it has one. */
type Related<To extends Shape, Wish, Draft> = Shown<To, Wish, To extends { drafts: false } ? false : Draft>

/** Entries of several kinds: all of them, or those that `on` names. */
type MixedShown<Shapes, Wish, Draft, Mark extends string> = Wish extends { on: infer On }
  ? {
      [Name in keyof Shapes & keyof On]: On[Name] extends false
        ? never
        : Marked<Shapes[Name], On[Name], Draft, Mark, Name>
    }[keyof Shapes & keyof On]
  : { [Name in keyof Shapes]: Marked<Shapes[Name], Wish, Draft, Mark, Name> }[keyof Shapes]

type Marked<Inner, Wish, Draft, Mark extends string, Name> = Inner extends Shape
  ? Flat<{ [Key in Mark]: Name } & Shown<Inner, Wish, Inner extends { drafts: false } ? false : Draft>>
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
  /** Null at its beginning. */
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
      /** `start`, or a cursor of the answer before. */
      readonly cursor: string
      readonly pageSize?: number
      readonly withCount?: boolean
      readonly page?: never
      readonly start?: never
    }

/**
 * The meta of a list: by cursor when one was given, by offset when `start` or `limit` was asked for. Without counts when
 * they were not wanted; by cursor they must be asked for.
 */
export type PaginationMeta<Asked> = Asked extends { cursor: string }
  ? Asked extends { withCount: true }
    ? CursorMeta
    : Omit<CursorMeta, 'total'>
  : Asked extends { withCount: false }
    ? Omit<Mode<Asked>, 'total' | 'pageCount'>
    : Mode<Asked>

type Mode<Asked> = Asked extends { start: number } | { limit: number } ? OffsetMeta : PageMeta
