/** Performs the entries of a release in an open transaction, and collects everything that keeps it from being published. */
import { ApiError, type FieldProblem } from '../../errors.ts'
import type { ContentType } from '../../model/model.ts'
import type { Transaction } from '../../store/store.ts'
import type { Layout } from '../../store/tables/layout.ts'
import type { Documents, WriteRequest } from '../contract.ts'
import { blueprintOf } from '../rows/blueprint.ts'
import { loadRowIds } from '../rows/load-versions.ts'
import { type ReleaseEntry, setFormer } from './entries.ts'

/** The request for an entry; null if its content-type no longer exists. */
export type RequestOf = (entry: ReleaseEntry) => WriteRequest | null

/** The state in the history that an entry is about to replace, if it has one. */
export type FormerState = (transaction: Transaction, entry: ReleaseEntry) => Promise<number | null>

/** Documents are unpublished first, so that others can take over their unique values. */
export const inOrderOfPublishing = <Entry extends ReleaseEntry>(entries: readonly Entry[]): Entry[] =>
  (['unpublish', 'publish'] as const).flatMap((action) => entries.filter((entry) => entry.action === action))

/** Returns the problems of all entries; if there are any, the caller must reject the transaction. */
export async function performEntries(
  transaction: Transaction,
  documents: Documents,
  layout: Layout,
  entries: readonly ReleaseEntry[],
  requestOf: RequestOf,
  formerStateOf: FormerState,
): Promise<readonly FieldProblem[]> {
  transaction.lock(entries.map(({ documentId }) => documentId))
  const problems: FieldProblem[] = []
  for (const entry of inOrderOfPublishing(entries)) {
    const index = entries.indexOf(entry)
    const request = requestOf(entry)
    if (!request) {
      problems.push(problemOf(index, [], `The content-type ${entry.type} no longer exists`))
      continue
    }
    try {
      const wasPublished = await isPublished(transaction, layout, request.type, entry)
      const formerState = wasPublished ? await formerStateOf(transaction, entry) : null
      await documents[entry.action](request, entry.documentId, async () => null)
      setFormer(transaction, entry.id, wasPublished, formerState)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      problems.push(...problemsIn(error, index, entry))
    }
  }
  return problems
}

export async function isPublished(
  transaction: Transaction,
  layout: Layout,
  type: ContentType,
  entry: ReleaseEntry,
): Promise<boolean> {
  const versions = await loadRowIds(transaction, blueprintOf(layout, type), entry.documentId)
  return versions.some(({ locale, published }) => published && locale === entry.locale)
}

/** A document that the caller may not change is not named: it may not exist for the caller. */
function problemsIn(
  error: ApiError,
  index: number,
  { type, documentId, locale }: ReleaseEntry,
): FieldProblem[] {
  if (error.status === 403 || error.status === 404)
    return [problemOf(index, [], `Entry ${index + 1}: the document does not exist, or may not be changed`)]
  const where = `${type} ${documentId}${locale === '' ? '' : ` (${locale})`}`
  const { errors } = error.details
  const fields: readonly FieldProblem[] = Array.isArray(errors)
    ? errors
    : [{ path: [], message: error.message }]
  return fields.map(({ path, message }) => problemOf(index, path, `${where}: ${message}`))
}

const problemOf = (index: number, path: readonly string[], message: string): FieldProblem => ({
  path: ['entries', String(index), ...path],
  message,
})
