/** Something around every write, whichever it is. */
import type { Answer, Documents, WriteOptions, WriteTarget } from '../contract.ts'

export type DocumentAction = 'create' | 'update' | 'delete' | 'publish' | 'unpublish' | 'discard'

/** A write that is about to be made. */
export interface Call {
  readonly action: DocumentAction
  readonly target: WriteTarget
  /** Null when it has no name yet, or is that of a single type. */
  readonly documentId: string | null
  /** Undefined for actions that have none. */
  readonly data: unknown
}

/** Makes the write, perhaps for another target or with other data. The answer of a removal is never asked for. */
export type Make<Result> = (
  documents: Documents,
  changed: Pick<Call, 'target' | 'data'>,
  answer: Answer<Result>,
) => Promise<Result>

export type Around = <Result>(call: Call, answer: Answer<Result>, make: Make<Result>) => Promise<Result>

const NO_ANSWER: Answer<void> = async () => {}

/** Documents each of whose writes goes through `around`. */
export function documentsAround(around: Around, within: Documents['within']): Documents {
  const version =
    (action: 'publish' | 'unpublish' | 'discard') =>
    <Result>(
      target: WriteTarget,
      documentId: string | null,
      answer: Answer<Result>,
      options?: WriteOptions,
    ): Promise<Result> =>
      around({ action, target, documentId, data: undefined }, answer, (documents, changed, read) =>
        documents[action](changed.target, documentId, read, options),
      )
  return {
    create: (target, data, answer) =>
      around({ action: 'create', target, documentId: null, data }, answer, (documents, changed, read) =>
        documents.create(changed.target, changed.data, read),
      ),
    update: (target, documentId, data, answer, options) =>
      around({ action: 'update', target, documentId, data }, answer, (documents, changed, read) =>
        documents.update(changed.target, documentId, changed.data, read, options),
      ),
    upsertSingle: (target, data, answer, options) =>
      around({ action: 'update', target, documentId: null, data }, answer, (documents, changed, read) =>
        documents.upsertSingle(changed.target, changed.data, read, options),
      ),
    remove: (target, documentId, options) =>
      around({ action: 'delete', target, documentId, data: undefined }, NO_ANSWER, (documents, changed) =>
        documents.remove(changed.target, documentId, options),
      ),
    removeSingle: (target, options) =>
      around(
        { action: 'delete', target, documentId: null, data: undefined },
        NO_ANSWER,
        (documents, changed) => documents.removeSingle(changed.target, options),
      ),
    publish: version('publish'),
    unpublish: version('unpublish'),
    discard: version('discard'),
    within,
  }
}
