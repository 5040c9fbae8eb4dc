/** The write side: documents are created, changed, published and removed, each time in one transaction. */
import { errors } from '../errors.ts'
import type { ContentType } from '../model/model.ts'
import type { Scope } from '../query/scope.ts'
import type { Layout } from '../store/layout.ts'
import type { Store, Transaction } from '../store/store.ts'
import { refusalOf } from './conflict.ts'
import type { Later } from './hooks.ts'
import { checkPrecondition } from './identity.ts'
import { Locks } from './locks.ts'
import { removeDocument } from './remove.ts'
import type { HashPassword } from './secrets.ts'
import type { Setting } from './setting.ts'
import { singleDocument } from './single.ts'
import { discardDocument, publishDocument, unpublishDocument } from './versions.ts'
import { createDocument, prepare, updateDocument } from './write.ts'

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
}

/** Reads the answer in the transaction that wrote it. */
export type Answer<Result> = (transaction: Transaction, written: Written) => Promise<Result>

export interface WriteOptions {
  /** Value of an If-Match header: the write is refused unless it names the revision of the version asked for. */
  readonly ifMatch?: string
}

export interface Documents {
  create<Result>(target: WriteTarget, data: unknown, answer: Answer<Result>): Promise<Result>
  update<Result>(
    target: WriteTarget,
    documentId: string,
    data: unknown,
    options: WriteOptions,
    answer: Answer<Result>,
  ): Promise<Result>
  /** Removes the versions of one locale (or of all); nothing happens when there are none. */
  remove(target: WriteTarget, documentId: string, options?: WriteOptions): Promise<void>
  publish<Result>(target: WriteTarget, documentId: string, answer: Answer<Result>): Promise<Result>
  unpublish<Result>(target: WriteTarget, documentId: string, answer: Answer<Result>): Promise<Result>
  /** Makes the draft what is published. */
  discard<Result>(target: WriteTarget, documentId: string, answer: Answer<Result>): Promise<Result>
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

export interface DocumentsOptions {
  readonly store: Store
  /** The layout as it is now; it changes when the model does. */
  readonly layout: () => Layout
  readonly hashPassword: HashPassword
  readonly now?: () => Date
}

type Work<Result> = (transaction: Transaction, locks: Locks) => Promise<Result>
type InTransaction = <Result>(work: Work<Result>) => Promise<Result>

/** The write side of a server. */
export function createDocuments({
  store,
  layout,
  hashPassword,
  now = () => new Date(),
}: DocumentsOptions): Documents {
  async function ownTransaction<Result>(work: Work<Result>): Promise<Result> {
    try {
      return await Locks.through<Result>((attempt) => store.write(attempt), work)
    } catch (error) {
      throw refusalOf(error, layout().model)
    }
  }

  function operations(inTransaction: InTransaction): Documents {
    const setting = (target: WriteTarget, locks: Locks): Setting => ({
      ...{ target, locks },
      layout: layout(),
      now: now().toISOString(),
    })
    const prepared = (target: WriteTarget, data: unknown, action: 'create' | 'update') =>
      prepare(layout(), target, data, action, hashPassword)
    const version =
      (change: typeof publishDocument) =>
      <Result>(target: WriteTarget, documentId: string, answer: Answer<Result>) =>
        inTransaction(async (transaction, locks) =>
          answer(transaction, await change(transaction, setting(target, locks), documentId)),
        )
    return {
      async create(target, data, answer) {
        const body = await prepared(target, data, 'create')
        return inTransaction(async (transaction, locks) =>
          answer(transaction, await createDocument(transaction, setting(target, locks), body)),
        )
      },
      async update(target, documentId, data, options, answer) {
        const body = await prepared(target, data, 'update')
        return inTransaction(async (transaction, locks) => {
          const written = await updateDocument(transaction, setting(target, locks), documentId, body, options)
          if (!written) throw errors.notFound()
          return answer(transaction, written)
        })
      },
      remove: (target, documentId, options = {}) =>
        inTransaction((transaction, locks) =>
          removeDocument(transaction, setting(target, locks), documentId, options),
        ),
      publish: version(publishDocument),
      unpublish: version(unpublishDocument),
      discard: version(discardDocument),
      async upsertSingle(target, data, answer, options = {}) {
        const body = await prepared(target, data, 'update')
        return inTransaction(async (transaction, locks) => {
          const documentId = await singleDocument(transaction, target.type)
          if (documentId === null) checkPrecondition(options.ifMatch, null)
          const written =
            documentId === null
              ? await createDocument(transaction, setting(target, locks), body)
              : await updateDocument(transaction, setting(target, locks), documentId, body, options)
          if (!written) throw errors.notFound()
          return answer(transaction, written)
        })
      },
      removeSingle: (target, options = {}) =>
        inTransaction(async (transaction, locks) => {
          const documentId = await singleDocument(transaction, target.type)
          if (documentId !== null)
            await removeDocument(transaction, setting(target, locks), documentId, options)
        }),
      within: (transaction) => {
        const locks = Locks.within(transaction)
        return operations((work) => work(transaction, locks))
      },
    }
  }

  return operations(ownTransaction)
}
