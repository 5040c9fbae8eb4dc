/** Finds out whether a document could be published, without publishing it. */
import type { FieldProblem } from '../../errors.ts'
import type { ContentType } from '../../model/model.ts'
import type { Transaction } from '../../store/store.ts'
import type { Layout } from '../../store/tables/layout.ts'
import { Problems } from '../input/problems.ts'
import { blueprintOf } from '../rows/blueprint.ts'
import { loadVersions, withEdges } from '../rows/load-versions.ts'
import { findTaken } from '../rows/taken-values.ts'
import { checkVersion } from '../versions/check-version.ts'
import { versionOf } from '../versions/version.ts'

/**
 * What keeps a document from being published in a locale, after others have been unpublished there; null if it does not
 * exist there.
 */
export async function publishProblems(
  transaction: Transaction,
  layout: Layout,
  type: ContentType,
  documentId: string,
  locale: string,
  unpublished: readonly string[],
): Promise<readonly FieldProblem[] | null> {
  const blueprint = blueprintOf(layout, type)
  const loading = loadVersions(transaction, blueprint, documentId)
  const versions = await withEdges(transaction, blueprint, documentId, loading)
  const version = versionOf(versions, locale, false) ?? versionOf(versions, locale, true)
  if (!version) return null
  const problems = new Problems()
  checkVersion(blueprint, version, problems)
  await findTaken({ transaction, blueprint, documentId, problems, wasRefused: true, unpublished }, version)
  return problems.all
}
