/** The write side: creates, changes, publishes and removes documents, each write in one transaction. */
import { errors } from '../errors.ts'
import type { Store } from '../store/store.ts'
import type { Layout } from '../store/tables/layout.ts'
import type { ChangeSink } from './changes/change-record.ts'
import type { DocumentAction, Documents, ReadBack, WriteOptions, WriteRequest, Written } from './contract.ts'
import { newDocumentId } from './document-id.ts'
import { hashAhead } from './input/hash-ahead.ts'
import type { HashPassword } from './input/hash-passwords.ts'
import { discardDocument, publishDocument, unpublishDocument } from './operations/publish.ts'
import { removeDocument } from './operations/remove.ts'
import { singleDocument } from './operations/single.ts'
import { createDocument, prepareBody, restoreDeleted, updateDocument } from './operations/write.ts'
import { checkPrecondition } from './precondition.ts'
import { type Attempt, attemptWithin, runWrite } from './run-write.ts'
import { type SlowWriteReport, type WriteRecord, WriteTimer } from './slow-writes.ts'
import { validationErrorOf } from './unique-conflict.ts'
import { createContext, type WriteContext } from './write-context.ts'

export type { Documents, RowRule, RowRules, WriteRequest, Written } from './contract.ts'

export interface DocumentsOptions {
  readonly store: Store
  /** The layout as it is now; it changes when the model does. */
  readonly layout: () => Layout
  readonly hashPassword: HashPassword
  readonly now?: () => Date
  readonly slowWrites?: SlowWriteReport | undefined
  /** Receive the records of every change. Without sinks no records are made. */
  readonly sinks?: readonly ChangeSink[]
}

/** Runs one write, in a transaction of its own or inside one that has begun. */
type Run = <Result>(write: WriteRecord, work: (attempt: Attempt) => Promise<Result>) => Promise<Result>

export function createDocuments(options: DocumentsOptions): Documents {
  const { store, layout, hashPassword, now = () => new Date(), slowWrites, sinks = [] } = options

  async function runInTransaction<Result>(
    timer: WriteTimer,
    work: (attempt: Attempt) => Promise<Result>,
  ): Promise<Result> {
    const running = runWrite(store, (attempt) => {
      timer.attemptStarted()
      return work(attempt)
    })
    try {
      return await (slowWrites ? timer.watch(running, slowWrites) : running)
    } catch (error) {
      throw validationErrorOf(error, layout().model)
    }
  }

  const runAlone: Run = (write, work) => {
    const timer = new WriteTimer()
    timer.record(write)
    return runInTransaction(timer, work)
  }

  const runInside =
    (attempt: Attempt, timer: WriteTimer): Run =>
    (write, work) => {
      timer.record(write)
      return work(attempt)
    }

  const transaction: Documents['transaction'] = (work) => {
    const timer = new WriteTimer()
    return hashAhead(hashPassword, (begin) =>
      runInTransaction(timer, async (attempt) => {
        timer.clear()
        const hashes = begin()
        const result = await work(
          attempt.transaction,
          operations(runInside(attempt, timer), attempt, hashes.hash),
        )
        hashes.check()
        return result
      }),
    )
  }

  /** The operations, each in a transaction of its own unless all belong to one attempt. */
  function operations(run: Run, shared: Attempt | null, hash: HashPassword): Documents {
    /** Performs one operation on a document, and records what it changes. */
    async function perform<Result>(
      attempt: Attempt,
      request: WriteRequest,
      documentId: string,
      operation: (context: WriteContext) => Promise<Result>,
    ): Promise<Result> {
      const context = createContext(attempt, request, documentId, {
        layout: layout(),
        now: now().toISOString(),
        sinks,
      })
      const result = await operation(context)
      const recording = context.changes?.write(attempt.transaction)
      if (recording) await recording
      return result
    }
    const bodyOf = (request: WriteRequest, data: unknown, action: 'create' | 'update') =>
      prepareBody(layout(), request, data, action, hash)
    // Inside a larger transaction each result is read, so that a write which the database refuses fails by itself.
    const reported = ({ transaction }: Attempt, { row, ...written }: Written): Written => {
      if (!row || shared !== null) return written
      const complete = () => {
        transaction.complete()
        return row()
      }
      return { ...written, row: complete }
    }

    const changeVersions =
      (action: 'publish' | 'unpublish' | 'discard', change: typeof publishDocument) =>
      <Result>(
        request: WriteRequest,
        documentId: string | null,
        readBack: ReadBack<Result>,
        options: WriteOptions = {},
      ) => {
        const record = recordOf(action, request, documentId)
        return run(record, async (attempt) => {
          const id = documentId ?? (await singleDocument(attempt.transaction, request.type))
          if (id === null) throw errors.notFound()
          record.documentId = id
          const written = await perform(attempt, request, id, (context) => change(context, options))
          return readBack(attempt.transaction, reported(attempt, written))
        })
      }

    return {
      async create(request, data, readBack) {
        const body = await bodyOf(request, data, 'create')
        const record = recordOf('create', request, null)
        return run(record, async (attempt) => {
          const written = await perform(attempt, request, newDocumentId(), (context) =>
            createDocument(context, body, ['create']),
          )
          record.documentId = written.documentId
          return readBack(attempt.transaction, reported(attempt, written))
        })
      },
      async update(request, documentId, data, readBack, options = {}) {
        const body = await bodyOf(request, data, 'update')
        return run(recordOf('update', request, documentId), async (attempt) => {
          const written = await perform(
            attempt,
            request,
            documentId,
            async (context) =>
              (await updateDocument(context, body, options)) ?? restoreDeleted(context, body, options),
          )
          if (!written) throw errors.notFound()
          return readBack(attempt.transaction, reported(attempt, written))
        })
      },
      remove: (request, documentId, options = {}) =>
        run(recordOf('delete', request, documentId), (attempt) =>
          perform(attempt, request, documentId, (context) => removeDocument(context, options)),
        ),
      publish: changeVersions('publish', publishDocument),
      unpublish: changeVersions('unpublish', unpublishDocument),
      discard: changeVersions('discard', discardDocument),
      async upsertSingle(request, data, readBack, options = {}) {
        const body = await bodyOf(request, data, 'update')
        const record = recordOf('update', request, null)
        return run(record, async (attempt) => {
          const documentId = await singleDocument(attempt.transaction, request.type)
          if (documentId === null) checkPrecondition(options.ifMatch, [])
          const written = await perform(attempt, request, documentId ?? newDocumentId(), (context) =>
            documentId === null
              ? createDocument(context, body, ['create', 'update'])
              : updateDocument(context, body, options),
          )
          if (!written) throw errors.notFound()
          record.documentId = written.documentId
          return readBack(attempt.transaction, reported(attempt, written))
        })
      },
      removeSingle: (request, options = {}) => {
        const record = recordOf('delete', request, null)
        return run(record, async (attempt) => {
          const documentId = await singleDocument(attempt.transaction, request.type)
          if (documentId === null) return checkPrecondition(options.ifMatch, [])
          record.documentId = documentId
          await perform(attempt, request, documentId, (context) => removeDocument(context, options))
        })
      },
      transaction: shared ? (work) => work(shared.transaction, operations(run, shared, hash)) : transaction,
      within(transaction) {
        const attempt = attemptWithin(transaction)
        return operations((_write, work) => work(attempt), attempt, hash)
      },
    }
  }

  return operations(runAlone, null, hashPassword)
}

const recordOf = (
  action: DocumentAction,
  { type }: WriteRequest,
  documentId: string | null,
): WriteRecord => ({
  action,
  type: type.uid,
  documentId,
})
