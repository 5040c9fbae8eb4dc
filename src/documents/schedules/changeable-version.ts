/** Checks that a caller may publish or unpublish a document, without doing so. */
import { errors } from '../../errors.ts'
import type { ContentType } from '../../model/model.ts'
import type { Transaction } from '../../store/store.ts'
import type { Layout } from '../../store/tables/layout.ts'
import type { WriteRequest } from '../contract.ts'
import { singleDocument } from '../operations/single.ts'
import { checkRulesBefore } from '../row-rules.ts'
import { blueprintOf } from '../rows/blueprint.ts'
import { loadRowIds } from '../rows/load-versions.ts'
import { writtenOf } from '../write-context.ts'
import type { ScheduledAction } from './schedules.ts'

export interface ChangeableVersion {
  readonly documentId: string
  readonly isPublished: boolean
}

interface Caller {
  readonly transaction: Transaction
  readonly request: Pick<WriteRequest, 'scope' | 'rules'>
}

/**
 * Finds a document in a locale, by its documentId or as that of a single type. Throws a 404 if it does not exist for the
 * caller, and a 403 if a row rule on one of the actions does not cover it.
 */
export async function findChangeable(
  caller: Caller,
  layout: Layout,
  type: ContentType,
  named: string | null,
  locale: string,
  actions: readonly ScheduledAction[],
): Promise<ChangeableVersion> {
  const { transaction } = caller
  const documentId = named ?? (await singleDocument(transaction, type))
  if (documentId === null) throw errors.notFound()
  transaction.lock([documentId])
  const versions = await loadRowIds(transaction, blueprintOf(layout, type), documentId)
  const inLocale = versions.filter((version) => version.locale === locale)
  const shown = inLocale.find(({ published }) => !published) ?? inLocale[0]
  if (!shown) throw errors.notFound()
  await checkRulesBefore(caller, type, actions, writtenOf(documentId, shown), versions)
  return { documentId, isPublished: inLocale.some(({ published }) => published) }
}
