/** Publishing, unpublishing and discarding: the draft and the published version of one locale. */
import { errors } from '../../errors.ts'
import { saveDocument, savedRow } from '../changes/save-document.ts'
import type { DocumentAction, WriteOptions, Written } from '../contract.ts'
import { checkPrecondition } from '../precondition.ts'
import { syncInverses } from '../relations/sync.ts'
import { checkRules, checkRulesBefore } from '../row-rules.ts'
import { loadVersions, withEdges } from '../rows/load-versions.ts'
import { findTakenIfFailing } from '../rows/taken-values.ts'
import { checkVersion } from '../versions/check-version.ts'
import { copyToOtherLocales } from '../versions/locales.ts'
import { draftFrom, publishedFrom } from '../versions/publish.ts'
import { tagsOf, type Version, type Versions, versionOf, withVersion } from '../versions/version.ts'
import {
  refuseUnknownLocale,
  stampedAfter,
  type WriteContext,
  writtenBy,
  writtenOf,
} from '../write-context.ts'

interface Loaded {
  /** The context of the write, with a time after the versions. */
  readonly context: WriteContext
  readonly versions: Versions
  readonly draft: Version | null
  readonly published: Version | null
}

/** Loads a document that must have a version in this locale. */
async function load(
  context: WriteContext,
  action: DocumentAction,
  { ifMatch }: WriteOptions,
): Promise<Loaded> {
  refuseUnknownLocale(context)
  const { transaction, blueprint, documentId, locale } = context
  if (!blueprint.type.draftAndPublish) throw errors.application(`${blueprint.type.singular} has no drafts`)
  context.locks.acquire([documentId])
  const loading = loadVersions(transaction, blueprint, documentId)
  const versions = await withEdges(transaction, blueprint, documentId, loading)
  const draft = versionOf(versions, locale, false)
  const published = versionOf(versions, locale, true)
  const shown = draft ?? published
  if (!shown) throw errors.notFound()
  await checkRulesBefore(context, blueprint.type, [action], writtenOf(documentId, shown), versions)
  checkPrecondition(ifMatch, tagsOf(versions, locale))
  return { context: stampedAfter(context, versions), versions, draft, published }
}

async function save(
  { context, versions }: Loaded,
  after: Versions,
  action: 'publish' | 'unpublish' | 'discard',
): Promise<Written> {
  const { blueprint, locale, stamp } = context
  const all = blueprint.type.localized ? copyToOtherLocales(blueprint, after, locale, stamp) : after
  const saved = await saveDocument(context, action, versions, all)
  const written = writtenBy(context, action === 'publish' ? 'published' : 'draft')
  // The draft of a document that is unpublished may be unchanged, and so not saved.
  const hasChangedAgain = action === 'unpublish' || (await syncInverses(context, written.status))
  await checkRules(context, blueprint.type, [action], written)
  const row = hasChangedAgain ? null : savedRow(context, saved, written)
  return row ? { ...written, row } : written
}

/** Makes the published version equal to the draft, if the draft is complete. */
export async function publishDocument(initial: WriteContext, options: WriteOptions): Promise<Written> {
  const loaded = await load(initial, 'publish', options)
  const { context, versions, published } = loaded
  const { blueprint, stamp, problems } = context
  const draft = loaded.draft ?? (published && draftFrom(published, null, stamp))
  if (!draft) throw errors.notFound()
  checkVersion(blueprint, draft, problems)
  await findTakenIfFailing(context, draft)
  problems.throwIfAny()
  const after = withVersion(withVersion(versions, draft), publishedFrom(draft, published, stamp))
  return save(loaded, after, 'publish')
}

/** Removes the published version. The draft stays, or is created from the published version. */
export async function unpublishDocument(initial: WriteContext, options: WriteOptions): Promise<Written> {
  const loaded = await load(initial, 'unpublish', options)
  const { context, versions, draft, published } = loaded
  if (!published) return writtenBy(context, 'draft')
  const others = versions.filter((version) => version !== published)
  const after = draft ? others : [...others, draftFrom(published, null, context.stamp)]
  return save(loaded, after, 'unpublish')
}

/** Makes the draft equal to the published version. */
export async function discardDocument(initial: WriteContext, options: WriteOptions): Promise<Written> {
  const loaded = await load(initial, 'discard', options)
  const { context, versions, draft, published } = loaded
  if (!published) throw errors.application('Cannot discard: the document has no published version')
  const after = withVersion(versions, draftFrom(published, draft, context.stamp))
  return save(loaded, after, 'discard')
}
