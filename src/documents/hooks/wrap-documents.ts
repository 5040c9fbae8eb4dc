/** Wraps one function around every write of a Documents object. */
import type { DocumentAction, Documents, ReadBack, WriteOptions, WriteRequest } from '../contract.ts'

/** A write that is about to run. */
export interface DocumentWrite {
  readonly action: DocumentAction
  readonly request: WriteRequest
  /** Null for a new document, and for the document of a single type. */
  readonly documentId: string | null
  /** Undefined for actions without data. */
  readonly data: unknown
}

/** Runs the write, perhaps with another request or other data. A removal never calls `readBack`. */
export type RunWrite<Result> = (
  documents: Documents,
  changed: Pick<DocumentWrite, 'request' | 'data'>,
  readBack: ReadBack<Result>,
) => Promise<Result>

export type Wrapper = <Result>(
  write: DocumentWrite,
  readBack: ReadBack<Result>,
  run: RunWrite<Result>,
) => Promise<Result>

const NO_RESULT: ReadBack<void> = async () => {}

/** Documents whose writes all run through `wrap`. */
export function wrapDocuments(
  wrap: Wrapper,
  { transaction, within }: Pick<Documents, 'transaction' | 'within'>,
): Documents {
  const changeVersions =
    (action: 'publish' | 'unpublish' | 'discard') =>
    <Result>(
      request: WriteRequest,
      documentId: string | null,
      readBack: ReadBack<Result>,
      options?: WriteOptions,
    ): Promise<Result> =>
      wrap({ action, request, documentId, data: undefined }, readBack, (documents, changed, read) =>
        documents[action](changed.request, documentId, read, options),
      )
  return {
    create: (request, data, readBack) =>
      wrap({ action: 'create', request, documentId: null, data }, readBack, (documents, changed, read) =>
        documents.create(changed.request, changed.data, read),
      ),
    update: (request, documentId, data, readBack, options) =>
      wrap({ action: 'update', request, documentId, data }, readBack, (documents, changed, read) =>
        documents.update(changed.request, documentId, changed.data, read, options),
      ),
    upsertSingle: (request, data, readBack, options) =>
      wrap({ action: 'update', request, documentId: null, data }, readBack, (documents, changed, read) =>
        documents.upsertSingle(changed.request, changed.data, read, options),
      ),
    remove: (request, documentId, options) =>
      wrap({ action: 'delete', request, documentId, data: undefined }, NO_RESULT, (documents, changed) =>
        documents.remove(changed.request, documentId, options),
      ),
    removeSingle: (request, options) =>
      wrap(
        { action: 'delete', request, documentId: null, data: undefined },
        NO_RESULT,
        (documents, changed) => documents.removeSingle(changed.request, options),
      ),
    publish: changeVersions('publish'),
    unpublish: changeVersions('unpublish'),
    discard: changeVersions('discard'),
    transaction,
    within,
  }
}
