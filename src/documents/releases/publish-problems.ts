/** Finds out whether documents could be published, without publishing them. */
import type { FieldProblem } from '../../errors.ts'
import type { ContentType } from '../../model/model.ts'
import type { Transaction } from '../../store/store.ts'
import type { Layout } from '../../store/tables/layout.ts'
import { Problems } from '../input/problems.ts'
import { blueprintOf } from '../rows/blueprint.ts'
import { loadVersions, withEdges } from '../rows/load-versions.ts'
import { type ClaimedValue, claimedValues, findTaken } from '../rows/taken-values.ts'
import { NOT_UNIQUE } from '../unique-conflict.ts'
import { checkVersion } from '../versions/check-version.ts'
import { versionOf } from '../versions/version.ts'

/** What keeps a document from being published, and the unique values that it then has. */
export interface PublishCheck {
  readonly problems: readonly FieldProblem[]
  readonly claimed: readonly ClaimedValue[]
}

/**
 * Checks a document in a locale, after others have been published or unpublished there; null if it does not exist there.
 */
export async function checkPublishing(
  transaction: Transaction,
  layout: Layout,
  type: ContentType,
  documentId: string,
  locale: string,
  replaced: readonly string[],
): Promise<PublishCheck | null> {
  const blueprint = blueprintOf(layout, type)
  const loading = loadVersions(transaction, blueprint, documentId)
  const versions = await withEdges(transaction, blueprint, documentId, loading)
  const version = versionOf(versions, locale, false) ?? versionOf(versions, locale, true)
  if (!version) return null
  const problems = new Problems()
  checkVersion(blueprint, version, problems)
  await findTaken({ transaction, blueprint, documentId, problems, replaced }, version)
  return { problems: problems.all, claimed: claimedValues(blueprint, version) }
}

/** The problems of documents that are published in this order: a value that one of them claims is taken for the others. */
export function problemsTogether(checks: readonly PublishCheck[]): readonly (readonly FieldProblem[])[] {
  const claimed = new Set<string>()
  return checks.map((check) => {
    const repeated = new Problems()
    for (const { key, path } of check.claimed) if (claimed.has(key)) repeated.add(path, NOT_UNIQUE)
    for (const { key } of check.claimed) claimed.add(key)
    return [...check.problems, ...repeated.all]
  })
}
