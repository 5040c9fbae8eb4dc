/**
 * The record of a change of content. A write makes its records in its own transaction, so that a record exists exactly
 * when the change does. Whoever needs them is a ChangeSink.
 */
import type { ContentType } from '../../model/model.ts'
import type { Principal } from '../../query/scope.ts'
import type { MaybePromise } from '../../store/maybe-promise.ts'
import type { Transaction } from '../../store/store.ts'
import type { Layout } from '../../store/tables/layout.ts'
import type { DocumentAction } from '../contract.ts'
import type { EdgeRow } from '../rows/edge-rows.ts'
import type { Version } from '../versions/version.ts'
import type { Origin } from './origin.ts'

/**
 * On types with drafts, `update` changes the draft and `publish` the published version; a request that does both makes
 * two records. `upload` creates a file.
 */
export type ChangeAction = DocumentAction | 'upload'

/** The versions of a document in one locale. */
export interface VersionPair {
  readonly draft: Version | null
  readonly published: Version | null
}

export interface VersionChange {
  readonly before: VersionPair
  readonly after: VersionPair
}

/** One action on one document in one locale. */
export interface ChangeRecord {
  readonly action: ChangeAction
  readonly type: ContentType
  /** Names the relations that edges have as numbers. */
  readonly layout: Layout
  readonly documentId: string
  /** '' on types that are not localized. */
  readonly locale: string
  /** Whether it concerns the published version. Otherwise only a draft has changed. */
  readonly published: boolean
  /**
   * The versions before and after the whole write. Edges are complete in what a write removes; elsewhere only if the
   * write needed them. Null if the document changed through an edge that another document's write added or removed, or
   * with many others in an import: its versions can be read in the transaction.
   */
  readonly versions: VersionChange | null
  /** The edges of other documents to a document that was removed completely. */
  readonly incoming: readonly EdgeRow[]
  readonly by: Principal
  /** Null for writes that no request caused. */
  readonly origin: Origin | null
  readonly at: string
}

/** Receives the records of every write. */
export interface ChangeSink {
  /**
   * Called once for each write that changes something, in its transaction, with its records in order. Rejecting refuses
   * the write. A write that is attempted again calls it again; the failed attempt leaves no trace.
   */
  record(transaction: Transaction, records: readonly ChangeRecord[]): MaybePromise<void>
  /** Whether it needs the edges of every saved version of a type, including those that the write itself does not need. */
  needsEdges?(type: ContentType): boolean
  /** Present if it does not receive the records of imports. */
  readonly skipsImports?: true
}

/** The actions that lead from one state of a locale to the other, in order. `performed` is the requested action. */
export function actionsBetween(
  { draftAndPublish }: Pick<ContentType, 'draftAndPublish'>,
  { before, after }: VersionChange,
  performed: DocumentAction,
): DocumentAction[] {
  const existed = before.draft !== null || before.published !== null
  const exists = after.draft !== null || after.published !== null
  const isPublished = after.published !== null && after.published !== before.published
  if (!exists) return existed ? ['delete'] : []
  if (!draftAndPublish) return isPublished ? [existed ? 'update' : 'create'] : []
  const published: DocumentAction[] = isPublished ? ['publish'] : []
  if (!existed) return ['create', ...published]
  if (before.published !== null && after.published === null) return ['unpublish']
  // A draft that publishing creates has the content of the published version.
  if (after.draft === before.draft || performed === 'publish') return published
  return [performed === 'discard' ? 'discard' : 'update', ...published]
}
