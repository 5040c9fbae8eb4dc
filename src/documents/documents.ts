/** The write side: documents are created, changed, published and removed, each time in one transaction. */
import { errors } from '../errors.ts'
import type { Store, Transaction } from '../store/store.ts'
import type { Layout } from '../store/tables/layout.ts'
import type { Answer, Documents, WriteOptions, WriteTarget, Written } from './contract.ts'
import { checkPrecondition } from './identity.ts'
import type { HashPassword } from './input/hash-passwords.ts'
import { Locks } from './locks.ts'
import { discardDocument, publishDocument, unpublishDocument } from './operations/publish.ts'
import { removeDocument } from './operations/remove.ts'
import { singleDocument } from './operations/single.ts'
import { createDocument, prepare, updateDocument } from './operations/write.ts'
import { writeAgain } from './retry-unique.ts'
import { refusalOf } from './unique-conflict.ts'
import type { Setting } from './write-context.ts'

export type { Documents, Rules, WriteTarget, Written } from './contract.ts'

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
      return await Locks.through<Result>((attempt) => writeAgain(store, attempt), work)
    } catch (error) {
      throw refusalOf(error, layout().model)
    }
  }

  function operations(inTransaction: InTransaction, told: (written: Written) => Written): Documents {
    const setting = (target: WriteTarget, locks: Locks): Setting => ({
      ...{ target, locks },
      layout: layout(),
      now: now().toISOString(),
    })
    const prepared = (target: WriteTarget, data: unknown, action: 'create' | 'update') =>
      prepare(layout(), target, data, action, hashPassword)
    const version =
      (change: typeof publishDocument) =>
      <Result>(
        target: WriteTarget,
        documentId: string | null,
        answer: Answer<Result>,
        options: WriteOptions = {},
      ) =>
        inTransaction(async (transaction, locks) => {
          const id = documentId ?? (await singleDocument(transaction, target.type))
          if (id === null) throw errors.notFound()
          return answer(transaction, await change(transaction, setting(target, locks), id, options))
        })
    return {
      async create(target, data, answer) {
        const body = await prepared(target, data, 'create')
        return inTransaction(async (transaction, locks) =>
          answer(transaction, told(await createDocument(transaction, setting(target, locks), body))),
        )
      },
      async update(target, documentId, data, answer, options = {}) {
        const body = await prepared(target, data, 'update')
        return inTransaction(async (transaction, locks) => {
          const written = await updateDocument(transaction, setting(target, locks), documentId, body, options)
          if (!written) throw errors.notFound()
          return answer(transaction, told(written))
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
          if (documentId === null) checkPrecondition(options.ifMatch, [])
          const written =
            documentId === null
              ? await createDocument(transaction, setting(target, locks), body)
              : await updateDocument(transaction, setting(target, locks), documentId, body, options)
          if (!written) throw errors.notFound()
          return answer(transaction, told(written))
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
        return operations((work) => work(transaction, locks), lookedAt)
      },
    }
  }

  return operations(ownTransaction, (written) => written)
}

/** Of several writes in a transaction each is looked at, so that one which the database refuses shows before the next. */
const lookedAt = ({ documentId, locale, status }: Written): Written => ({ documentId, locale, status })
