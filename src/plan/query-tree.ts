/**
 * The query tree: a read that has been checked against the model and the caller's scope. Values are in a separate list, and
 * the tree refers to them by slot, so that queries that differ only in values share one compiled statement.
 */
import type { ScalarTypeName } from '../model/model.ts'
import { ID_TYPE } from '../model/scalars/index.ts'
import type { RelationKey } from '../store/tables/layout.ts'

/** The index of a value in the list of values. */
export interface Slot {
  readonly slot: number
}

/** A scalar: a column of a version row, or a member of a component entry. */
export interface Field {
  /** Its name in responses. */
  readonly name: string
  /** Its column in version rows. */
  readonly column: string
  readonly type: ScalarTypeName | 'id'
}

/**
 * A step from a document or entry to the documents or entries that belong to it. `visible` limits related documents to
 * those that the caller may see.
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

export type EdgeStep = Extract<Step, { kind: 'edges' }>

export type CompareOperator = 'eq' | 'lt' | 'lte' | 'gt' | 'gte'
export type TextOperator = 'eq' | 'contains' | 'startsWith' | 'endsWith'

export type Condition =
  | { readonly kind: 'compare'; readonly field: Field; readonly op: CompareOperator; readonly value: Slot }
  /** Compares text, folded or as it is; other fields are compared by their JSON. */
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
  /** At least one document or entry at the end of the step matches. When there is none, the condition is tested with nulls. */
  | { readonly kind: 'through'; readonly step: Step; readonly where: Condition }
  /** Whether there is anything at the end of the step. */
  | { readonly kind: 'some'; readonly step: Step; readonly is: boolean }
  /** The row is a version of the document to which the row with this numeric id belongs. */
  | { readonly kind: 'documentOfRow'; readonly value: Slot }
  | { readonly kind: 'publication'; readonly filter: PublicationFilter }
  /** Files of a kind: images, videos, sounds, or others. */
  | { readonly kind: 'fileKind'; readonly value: Slot }
  /** No version of any document has the file in one of these media attributes. */
  | { readonly kind: 'unattached'; readonly through: readonly RelationKey[] }

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
  /** The steps to the field. Of several values, the one that comes first in the sort order counts. */
  readonly steps: readonly Step[]
  readonly field: Field
  readonly descending: boolean
  /** Present when documents are sorted by how well they match a search; the field is then `SCORE`. */
  readonly score?: ScoredSearch
}

/** The search that documents are ranked by. */
export interface ScoredSearch {
  /** The folded search text. */
  readonly text: Slot
  /** A test for each attribute that is searched. */
  readonly tests: readonly AttributeSearch[]
}

/** A test of one attribute in a search: whether its text contains the search text, or its number equals it. */
export type AttributeSearch = Extract<Condition, { kind: 'text' | 'compare' }>

/** Stands for the score of a document in a search, which is computed when the document is read. Like ids, scores are integers. */
export const SCORE: Field = { name: '_score', column: '_score', type: ID_TYPE }

export interface Selection {
  /** Null means every served field. */
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
      /** For a zone: the entries that are counted. */
      readonly of?: readonly ZoneEntries[]
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
      readonly of: readonly (ZoneEntries & Shown)[]
    }
  | {
      readonly kind: 'morph'
      readonly name: string
      readonly many: boolean
      readonly relation: RelationKey
      readonly of: readonly (MorphTargets & Shown)[]
    }
  | {
      readonly kind: 'morphCount'
      readonly name: string
      readonly relation: RelationKey
      readonly of: readonly MorphTargets[]
    }
  /** The user who created the document or changed it last. */
  | { readonly kind: 'author'; readonly name: string; readonly column: string }
  /** The documents that use a file or refer to a document, up to a limit. */
  | {
      readonly kind: 'usages'
      readonly name: string
      readonly of: readonly {
        readonly type: string
        /** The media attributes or relations of the type and of its components that are considered. */
        readonly through: readonly RelationKey[]
        readonly select: Selection
        readonly where: Condition | null
      }[]
      /** Whether drafts and published versions are shown, and not only those of the requested status. */
      readonly ofAnyStatus?: true
    }

/** The entries of one component in a zone that match a condition. */
export interface ZoneEntries {
  readonly component: string
  readonly where: Condition | null
}

/** The documents of one type in a polymorphic relation that match a condition. */
export interface MorphTargets {
  readonly type: string
  readonly where: Condition | null
}

/** What is shown of the entries or documents of one kind. If any kind is sorted, the kinds follow each other. */
interface Shown {
  readonly select: Selection
  readonly sort: readonly Sort[]
}

/** A position in a sorted list, given by the values of a document, which may have been deleted since. */
export interface CursorPosition {
  /** The values of the sort terms before the id. */
  readonly keys: readonly (Slot | null)[]
  readonly id: Slot
  /** Whether the document at the position is included. */
  readonly inclusive: boolean
}

export interface Query {
  readonly type: string
  readonly status: 'draft' | 'published'
  /** The locales in the slots, any locale, or none because the type is not localized. */
  readonly locale:
    | { readonly kind: 'in'; readonly values: readonly Slot[] }
    | { readonly kind: 'any' | 'none' }
  /** A page of documents, a page that starts at a cursor, or a single document. */
  readonly target:
    | { readonly kind: 'page'; readonly start: Slot; readonly limit: Slot }
    /** The documents after a position or from the start; backward in reverse order. */
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
  /** Present when documents show `__meta`, which is for the admin app only. */
  readonly editor?: EditorMeta
}

/** What `__meta` shows of a document. */
export interface EditorMeta {
  /** The relations that can refer to it and that the caller may see. */
  readonly referrers: readonly RelationKey[]
  /** Whether the folder of a file is shown. */
  readonly folder: boolean
  /** uids of the content-types whose drafts must not be revealed, not even that there are any. */
  readonly publishedOnly: readonly string[]
}

/** Parts of a document that depend on the configured response format. */
export interface ResponseShape {
  /** `id` on documents at the top. */
  readonly id: boolean
  /** `meta: {}` on documents at the top. */
  readonly meta: boolean
  /** `documentId` on component and zone entries. */
  readonly entryDocumentId: boolean
  /** The attributes of a user that `createdBy` and `updatedBy` show; null for those that users do not have. */
  readonly creatorNames: readonly string[]
}
