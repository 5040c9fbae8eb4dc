/**
 * The query tree: everything a read can ask, checked against the model and the caller before it is built. Values are
 * not in the tree but in a list beside it; the tree holds their slots. So the tree alone is the shape of a query,
 * and two queries that differ in values only share one compiled statement.
 */
import type { ScalarTypeName } from '../model/model.ts'
import type { RelationKey } from '../store/tables/layout.ts'

/** The place of a value in the list of values that belongs to the tree. */
export interface Slot {
  readonly slot: number
}

/** A scalar of the thing at hand: a column of a version row, or a member of a component entry. */
export interface Field {
  /** Its name in answers. */
  readonly name: string
  /** Its column on version rows. */
  readonly column: string
  readonly type: ScalarTypeName | 'id'
}

/**
 * A way from the thing at hand to things that belong to it. `visible` limits related documents to those the caller may
 * see, in whatever way the step is used.
 */
export type Step =
  | {
      readonly kind: 'edges'
      readonly direction: 'forward' | 'backward'
      readonly relation: RelationKey
      readonly target: string
      readonly visible: Condition | null
    }
  | { readonly kind: 'entries'; readonly attribute: string }
  | { readonly kind: 'localizations'; readonly target: string; readonly visible: Condition | null }

export type CompareOperator = 'eq' | 'lt' | 'lte' | 'gt' | 'gte'
export type TextOperator = 'eq' | 'contains' | 'startsWith' | 'endsWith'

export type Condition =
  | { readonly kind: 'compare'; readonly field: Field; readonly op: CompareOperator; readonly value: Slot }
  /** Compares text, folded or as it is; a field that is no text counts as its JSON. */
  | {
      readonly kind: 'text'
      readonly field: Field
      readonly op: TextOperator
      readonly fold: boolean
      readonly value: Slot
    }
  | { readonly kind: 'in'; readonly field: Field; readonly values: readonly Slot[] }
  | { readonly kind: 'null'; readonly field: Field; readonly is: boolean }
  | { readonly kind: 'and' | 'or'; readonly all: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  /** Some thing at the end of the step meets the condition; when there is none, a thing made of nulls stands for it. */
  | { readonly kind: 'through'; readonly step: Step; readonly where: Condition }
  /** There is (or is no) thing at the end of the step. */
  | { readonly kind: 'some'; readonly step: Step; readonly is: boolean }
  /** The row is a version of the document that has a version with this numeric id. */
  | { readonly kind: 'documentOfRow'; readonly value: Slot }
  | { readonly kind: 'publication'; readonly filter: PublicationFilter }

export const publicationFilters = [
  'never-published',
  'has-published-version',
  'modified',
  'unmodified',
  'never-published-document',
  'has-published-version-document',
  'published-without-draft',
  'published-with-draft',
] as const
export type PublicationFilter = (typeof publicationFilters)[number]

export interface Sort {
  /** From the root to the thing that holds the field; of several things the first in the order asked counts. */
  readonly steps: readonly Step[]
  readonly field: Field
  readonly descending: boolean
}

export interface Selection {
  /** Null means all that is served. */
  readonly fields: readonly Field[] | null
  readonly populate: readonly Populate[]
}

export type Populate =
  | {
      readonly kind: 'related'
      readonly name: string
      readonly step: Extract<Step, { kind: 'edges' | 'localizations' }>
      readonly many: boolean
      readonly select: Selection
      readonly where: Condition | null
      readonly sort: readonly Sort[]
      readonly start: Slot | null
      readonly limit: Slot | null
    }
  | {
      readonly kind: 'count'
      readonly name: string
      readonly step: Step
      readonly where: Condition | null
      /** Of a zone: the components whose entries count. */
      readonly components?: readonly string[]
    }
  | {
      readonly kind: 'component'
      readonly name: string
      readonly many: boolean
      readonly step: Extract<Step, { kind: 'entries' }>
      readonly select: Selection
      readonly where: Condition | null
      readonly sort: readonly Sort[]
    }
  | {
      readonly kind: 'zone'
      readonly name: string
      readonly step: Extract<Step, { kind: 'entries' }>
      readonly of: readonly { readonly component: string; readonly select: Selection }[]
    }
  | {
      readonly kind: 'morph'
      readonly name: string
      readonly many: boolean
      readonly relation: RelationKey
      readonly of: readonly {
        readonly type: string
        readonly select: Selection
        readonly where: Condition | null
      }[]
    }
  /** Of a file: the documents that show it, as many as fit into an answer. */
  | {
      readonly kind: 'usages'
      readonly name: string
      readonly of: readonly {
        readonly type: string
        /** The media attributes, its own and those of its components, that count. */
        readonly through: readonly RelationKey[]
        readonly select: Selection
        readonly where: Condition | null
      }[]
    }

/** A place in a sorted list: at the values a document had when it was seen, whether or not it is still there. */
export interface CursorPosition {
  /** The values of the sort terms before the id. */
  readonly keys: readonly (Slot | null)[]
  readonly id: Slot
  /** Whether the document at the position itself is part of what follows. */
  readonly inclusive: boolean
}

export interface Query {
  readonly type: string
  readonly status: 'draft' | 'published'
  /** Which locales: those in the slots, any, or not asked because the type has none. */
  readonly locale:
    | { readonly kind: 'in'; readonly values: readonly Slot[] }
    | { readonly kind: 'any' | 'none' }
  /** A page of documents with their count, a part of a walk through them, or the one document that is asked for. */
  readonly target:
    | { readonly kind: 'page'; readonly start: Slot; readonly limit: Slot }
    /** So many documents from a position on, or from the beginning; backward in reverse order. */
    | {
        readonly kind: 'cursor'
        readonly from: CursorPosition | null
        readonly backward: boolean
        readonly limit: Slot
      }
    | { readonly kind: 'document'; readonly documentId: Slot }
    | { readonly kind: 'first' }
  readonly where: Condition | null
  readonly sort: readonly Sort[]
  readonly select: Selection
  readonly shape: ResponseShape
}

/** The outline of answers: what the seed adds to each document, and what a create leaves out. */
export interface ResponseShape {
  /** `id` on documents at the top. */
  readonly id: boolean
  /** `meta: {}` on documents at the top. */
  readonly meta: boolean
  /** `documentId` on component and zone entries. */
  readonly entryDocumentId: boolean
}
