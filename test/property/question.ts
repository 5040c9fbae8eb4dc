/** A read, as data: what is asked. `ask.ts` makes random ones, `url.ts` writes them as URLs, `naive.ts` answers them. */
import type { Json } from '../reference/recording.ts'

export type Operator =
  | '$eq'
  | '$ne'
  | '$eqi'
  | '$nei'
  | '$lt'
  | '$lte'
  | '$gt'
  | '$gte'
  | '$in'
  | '$notIn'
  | '$contains'
  | '$notContains'
  | '$containsi'
  | '$notContainsi'
  | '$startsWith'
  | '$startsWithi'
  | '$endsWith'
  | '$endsWithi'
  | '$between'
  | '$null'
  | '$notNull'

export type Filter =
  /** Several values mean any of them, or none of them for the negated operators. */
  | {
      readonly kind: 'field'
      readonly name: string
      readonly operator: Operator
      readonly values: readonly Json[]
    }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Filter[] }
  | { readonly kind: 'not'; readonly of: Filter }
  /** Through a relation or a component. */
  | { readonly kind: 'through'; readonly name: string; readonly of: Filter }
  | { readonly kind: 'empty'; readonly name: string; readonly is: boolean }

export interface SortKey {
  /** Names of relations and components, then of a field. */
  readonly path: readonly string[]
  readonly descending: boolean
}

export interface Select {
  /** All when null. */
  readonly fields: readonly string[] | null
  /** `*` populates everything one level deep. */
  readonly populate: readonly Populate[] | '*'
}

export type Populate =
  | {
      readonly kind: 'things'
      readonly name: string
      readonly select: Select
      readonly filters: Filter | null
      readonly sort: readonly SortKey[]
      readonly start: number | null
      readonly limit: number | null
    }
  | { readonly kind: 'count'; readonly name: string }
  | { readonly kind: 'zone'; readonly name: string; readonly star: boolean }
  /** Of a zone or a polymorphic relation: only these components or types. */
  | { readonly kind: 'on'; readonly name: string; readonly on: Readonly<Record<string, Select>> }

export type Pagination =
  | { readonly kind: 'page'; readonly page: number; readonly pageSize: number; readonly withCount: boolean }
  | { readonly kind: 'offset'; readonly start: number; readonly limit: number; readonly withCount: boolean }

/** Narrows a list by whether there is a published version, in the same locale or in any. */
export const PUBLICATIONS = [
  'never-published',
  'has-published-version',
  'never-published-document',
  'has-published-version-document',
] as const
export type Publication = (typeof PUBLICATIONS)[number]

export interface Question {
  readonly type: string
  /** The document that is asked for, by key; a list when null. Single types have neither. */
  readonly one: string | null
  readonly status: 'draft' | 'published' | null
  readonly locale: string | null
  readonly filters: Filter | null
  readonly search: string | null
  readonly publication: Publication | null
  readonly sort: readonly SortKey[]
  readonly pagination: Pagination | null
  readonly select: Select
  /** Which of several equal ways to write it. */
  readonly style: number
}
