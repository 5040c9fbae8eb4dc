/** A read query as data. `query-generator.ts` generates it, `url.ts` writes it as a URL, `naive-evaluator.ts` evaluates it. */
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
  /** A filter on the other end of a relation, or on a component. */
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
      readonly kind: 'nested'
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

/** Filters by whether a published version exists, in the same locale or in any. */
export const PUBLICATIONS = [
  'never-published',
  'has-published-version',
  'never-published-document',
  'has-published-version-document',
] as const
export type Publication = (typeof PUBLICATIONS)[number]

export interface ReadQuery {
  readonly type: string
  /** The key of the document to read; null for lists and single types. */
  readonly documentKey: string | null
  readonly status: 'draft' | 'published' | null
  readonly locale: string | null
  readonly filters: Filter | null
  readonly search: string | null
  readonly publication: Publication | null
  readonly sort: readonly SortKey[]
  readonly pagination: Pagination | null
  readonly select: Select
  /** Selects one of several equivalent ways to write the URL. */
  readonly style: number
}
