/** Publishing, unpublishing and discarding: the draft and the published version of one locale. */
import { errors } from '../../errors.ts'
import type { Transaction } from '../../store/store.ts'
import type { WriteOptions, Written } from '../contract.ts'
import { checkPrecondition } from '../identity.ts'
import { Problems } from '../input/problems.ts'
import { syncInverses } from '../relations/sync.ts'
import { saveVersions } from '../rows/save.ts'
import { noteTaken } from '../rows/taken-values.ts'
import { loadVersions } from '../rows/version-rows.ts'
import { checkVersion } from '../versions/check-version.ts'
import { spread } from '../versions/locales.ts'
import { draftFrom, publishedFrom } from '../versions/publish.ts'
import { namesOf, type Version, type Versions, versionOf, withVersion } from '../versions/version.ts'
import {
  checkAllowed,
  type Ground,
  groundOf,
  laterThan,
  type Setting,
  withEdges,
  writtenOf,
} from '../write-context.ts'

interface Loaded {
  readonly ground: Ground
  readonly versions: Versions
  readonly draft: Version | null
  readonly published: Version | null
}

/** The versions of a document that has one in this locale. */
async function load(
  transaction: Transaction,
  setting: Setting,
  documentId: string,
  { ifMatch }: WriteOptions,
): Promise<Loaded> {
  const ground = groundOf(setting)
  const { blueprint, locale } = ground
  if (!blueprint.type.draftAndPublish) throw errors.application(`${blueprint.type.singular} has no drafts`)
  setting.locks.begin([documentId])
  const rows = loadVersions(transaction, blueprint, documentId)
  const versions = await withEdges(transaction, blueprint, documentId, rows)
  const shown = versionOf(versions, locale, false) ?? versionOf(versions, locale, true)
  if (!shown) throw errors.notFound()
  checkPrecondition(ifMatch, namesOf(versions, locale))
  await checkAllowed(transaction, setting.target, writtenOf(documentId, shown))
  return {
    ground: laterThan(ground, versions),
    versions,
    draft: versionOf(versions, locale, false),
    published: versionOf(versions, locale, true),
  }
}

async function store(
  transaction: Transaction,
  { ground, versions }: Loaded,
  documentId: string,
  after: Versions,
  status: 'draft' | 'published',
): Promise<Written> {
  const { blueprint, locale, stamp } = ground
  const all = blueprint.type.localized ? spread(blueprint, after, locale, stamp) : after
  await saveVersions(transaction, blueprint, documentId, versions, all)
  return ground.written(documentId, status)
}

/** Makes the published version what the draft is, when the draft is complete. */
export async function publishDocument(
  transaction: Transaction,
  setting: Setting,
  documentId: string,
  options: WriteOptions,
): Promise<Written> {
  const loaded = await load(transaction, setting, documentId, options)
  const { ground, versions, published } = loaded
  const draft = loaded.draft ?? (published && draftFrom(published, null, ground.stamp))
  if (!draft) throw errors.notFound()
  const problems = new Problems()
  checkVersion(ground.blueprint, draft, problems)
  await noteTaken(transaction, ground.blueprint, documentId, draft, problems)
  problems.refuse()
  const after = withVersion(withVersion(versions, draft), publishedFrom(draft, published, ground.stamp))
  const written = await store(transaction, loaded, documentId, after, 'published')
  await syncInverses(transaction, setting.locks, { ...ground, documentId }, 'published')
  return written
}

/** Takes the published version away; the draft stays, or is made from it. */
export async function unpublishDocument(
  transaction: Transaction,
  setting: Setting,
  documentId: string,
  options: WriteOptions,
): Promise<Written> {
  const loaded = await load(transaction, setting, documentId, options)
  const { ground, versions, draft, published } = loaded
  if (!published) return ground.written(documentId, 'draft')
  const kept = versions.filter((version) => version !== published)
  const after = draft ? kept : [...kept, draftFrom(published, null, ground.stamp)]
  return store(transaction, loaded, documentId, after, 'draft')
}

/** Makes the draft what the published version is. */
export async function discardDocument(
  transaction: Transaction,
  setting: Setting,
  documentId: string,
  options: WriteOptions,
): Promise<Written> {
  const loaded = await load(transaction, setting, documentId, options)
  const { ground, versions, draft, published } = loaded
  if (!published) throw errors.application('Nothing is published that the draft could go back to')
  const after = withVersion(versions, draftFrom(published, draft, ground.stamp))
  const written = await store(transaction, loaded, documentId, after, 'draft')
  await syncInverses(transaction, setting.locks, { ...ground, documentId }, 'draft')
  return written
}
