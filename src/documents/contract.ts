/** What the write side offers to the rooms above it, and what it asks of them. */
import type { ContentType } from '../model/model.ts'
import type { Scope } from '../query/scope.ts'
import type { Transaction } from '../store/store.ts'

/** What a write is for. */
export interface WriteTarget {
  readonly type: ContentType
  /** `published` also publishes; types without drafts ignore it. */
  readonly status: 'draft' | 'published'
  /** Null is the default locale; `*` (all) is for removals only. Types that are not localized ignore it. */
  readonly locale: string | null
  readonly scope: Scope
  /** Whether the caller's rules cover a version; asked before a write and after it, in its transaction. */
  readonly allowed?: (transaction: Transaction, written: Written) => Promise<boolean>
  /** The caller's rules on other documents, which the body may name. */
  readonly rules?: Rules
}

/** What a row rule of the caller says about documents of a type; null without a rule. */
export type Rules = (
  type: ContentType,
  action: 'find' | 'update' | 'delete',
) => ((transaction: Transaction, written: Written) => Promise<boolean>) | null

/** The version that a write left behind, to be read for the answer. */
export interface Written {
  readonly documentId: string
  /** '' on types that are not localized. */
  readonly locale: string
  readonly status: 'draft' | 'published'
  /** Its row as it is now, where that is sure without a look. */
  readonly row?: WrittenRow
}

export interface WrittenRow {
  readonly id: number
  readonly revision: number
  readonly served: string
}

/** Reads the answer in the transaction that wrote it. */
export type Answer<Result> = (transaction: Transaction, written: Written) => Promise<Result>

export interface WriteOptions {
  /** Value of an If-Match header: the write is refused unless it names the version that it changes. */
  readonly ifMatch?: string
}

export interface Documents {
  create<Result>(target: WriteTarget, data: unknown, answer: Answer<Result>): Promise<Result>
  update<Result>(
    target: WriteTarget,
    documentId: string,
    data: unknown,
    answer: Answer<Result>,
    options?: WriteOptions,
  ): Promise<Result>
  /** Removes the versions of one locale (or of all); nothing happens when there are none. */
  remove(target: WriteTarget, documentId: string, options?: WriteOptions): Promise<void>
  /** Without a documentId, this and the next two are for the document of a single type. */
  publish<Result>(
    target: WriteTarget,
    documentId: string | null,
    answer: Answer<Result>,
    options?: WriteOptions,
  ): Promise<Result>
  unpublish<Result>(
    target: WriteTarget,
    documentId: string | null,
    answer: Answer<Result>,
    options?: WriteOptions,
  ): Promise<Result>
  /** Makes the draft what is published. */
  discard<Result>(
    target: WriteTarget,
    documentId: string | null,
    answer: Answer<Result>,
    options?: WriteOptions,
  ): Promise<Result>
  /** Updates the document of a single type, or creates it. */
  upsertSingle<Result>(
    target: WriteTarget,
    data: unknown,
    answer: Answer<Result>,
    options?: WriteOptions,
  ): Promise<Result>
  removeSingle(target: WriteTarget, options?: WriteOptions): Promise<void>
  /**
   * The same operations inside a transaction that is under way; whoever began it answers for unique violations, and does
   * what is left for `later` once the transaction is durable.
   */
  within(transaction: Transaction, later: Later): Documents
}

/** Does something once the transaction under way is durable. */
export type Later = (work: () => Promise<void>) => Promise<void> | void
