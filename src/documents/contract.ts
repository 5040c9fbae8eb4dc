/** The interface of the write side, and the types that its callers pass in and get back. */
import type { ContentType } from '../model/model.ts'
import type { Scope } from '../query/scope.ts'
import type { MaybePromise } from '../store/maybe-promise.ts'
import type { Transaction } from '../store/store.ts'
import type { Origin } from './changes/origin.ts'
import type { Version } from './versions/version.ts'

/** What the caller of a write wants. */
export interface WriteRequest {
  readonly type: ContentType
  /** `published` also publishes; types without drafts ignore it. */
  readonly status: 'draft' | 'published'
  /** Null is the default locale; `*` (all locales) is for removals only. Types that are not localized ignore it. */
  readonly locale: string | null
  readonly scope: Scope
  /**
   * The caller's row rules, for the document and for others that the body names or changes. Each action that the write
   * performs is checked before and after it, in its transaction.
   */
  readonly rules?: RowRules
  /** The request that causes the write, for the change record. */
  readonly origin?: Origin
}

/** Reading a draft requires `readDrafts` as well. */
export type ReadAction = 'find' | 'findOne' | 'readDrafts'

export type DocumentAction = 'create' | 'update' | 'delete' | 'publish' | 'unpublish' | 'discard'

/** The caller's row rule for an action on documents of a type; null when there is none. */
export type RowRules = (type: ContentType, action: ReadAction | DocumentAction) => RowRule | null

/** Whether the rule covers a version. */
export type RowRule = (transaction: Transaction, written: Written) => Promise<boolean>

/** The version that a write left behind. */
export interface Written {
  readonly documentId: string
  /** '' on types that are not localized. */
  readonly locale: string
  readonly status: 'draft' | 'published'
  /** Returns its row without reading it again, if the write can. No statement may follow. */
  readonly row?: () => MaybePromise<WrittenRow>
}

export interface WrittenRow {
  readonly id: number
  readonly revision: number
  readonly served: string
}

/** Reads the result of a write in the transaction of the write. */
export type ReadBack<Result> = (transaction: Transaction, written: Written) => Promise<Result>

export interface WriteOptions {
  /** Value of an If-Match header: the write is refused unless it names the version that it changes. */
  readonly ifMatch?: string
  /**
   * The saved state that an update restores: the body may name its component entries, and a document that does not exist
   * is created with the given documentId.
   */
  readonly restored?: Version
}

export interface Documents {
  create<Result>(request: WriteRequest, data: unknown, readBack: ReadBack<Result>): Promise<Result>
  update<Result>(
    request: WriteRequest,
    documentId: string,
    data: unknown,
    readBack: ReadBack<Result>,
    options?: WriteOptions,
  ): Promise<Result>
  /** Removes the versions of one locale, or of all; does nothing when there are none. */
  remove(request: WriteRequest, documentId: string, options?: WriteOptions): Promise<void>
  /** Without a documentId, `publish`, `unpublish` and `discard` apply to the document of a single type. */
  publish<Result>(
    request: WriteRequest,
    documentId: string | null,
    readBack: ReadBack<Result>,
    options?: WriteOptions,
  ): Promise<Result>
  unpublish<Result>(
    request: WriteRequest,
    documentId: string | null,
    readBack: ReadBack<Result>,
    options?: WriteOptions,
  ): Promise<Result>
  /** Replaces the draft with the published version. */
  discard<Result>(
    request: WriteRequest,
    documentId: string | null,
    readBack: ReadBack<Result>,
    options?: WriteOptions,
  ): Promise<Result>
  /** Updates the document of a single type, or creates it. */
  upsertSingle<Result>(
    request: WriteRequest,
    data: unknown,
    readBack: ReadBack<Result>,
    options?: WriteOptions,
  ): Promise<Result>
  removeSingle(request: WriteRequest, options?: WriteOptions): Promise<void>
  /** Runs several writes in one transaction. `work` may run more than once. */
  transaction<Result>(
    work: (transaction: Transaction, documents: Documents) => Promise<Result>,
  ): Promise<Result>
  /**
   * The same operations inside a transaction that the caller has begun. The caller handles unique violations; hooks
   * that run after a write are not called.
   */
  within(transaction: Transaction): Documents
}
