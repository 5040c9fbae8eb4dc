/** Creating and updating: find the documents that the body names, apply the body to the version, check, store, publish. */
import { errors } from '../../errors.ts'
import { isObject } from '../../project/values.ts'
import type { MaybePromise } from '../../store/maybe-promise.ts'
import type { Layout } from '../../store/tables/layout.ts'
import { loadFormerOwnersOf, saveDocument, savedRow } from '../changes/save-document.ts'
import type { DocumentAction, WriteOptions, WriteRequest, Written } from '../contract.ts'
import { type Body, parseBody, referencesOf, type ShapeInput } from '../input/body.ts'
import { type HashPassword, hashPasswords } from '../input/hash-passwords.ts'
import { checkKeys } from '../input/keys.ts'
import { Problems } from '../input/problems.ts'
import { generateUids } from '../input/uid.ts'
import { checkPrecondition } from '../precondition.ts'
import { AffectedDocuments } from '../relations/affected-documents.ts'
import { findHidden, findHiddenIn, mayHide } from '../relations/hidden-targets.ts'
import { type InverseChange, writeInverse } from '../relations/inverse.ts'
import { changesOtherDocuments, lockRelated } from '../relations/lock-related.ts'
import { withoutGuessedFiles } from '../relations/named-files.ts'
import { resolveOperation } from '../relations/resolve.ts'
import { areInversesOutOfSync, syncInverses } from '../relations/sync.ts'
import { findTargets } from '../relations/targets.ts'
import { visibleTargets } from '../relations/visible-targets.ts'
import { isWithoutDraft } from '../relations/without-draft.ts'
import { checkRules, checkRulesBefore } from '../row-rules.ts'
import { loadVersions, withEdges } from '../rows/load-versions.ts'
import { findTaken, findTakenIfFailing } from '../rows/taken-values.ts'
import { applyInput, blankVersion, withStamp } from '../versions/apply-input.ts'
import { checkVersion } from '../versions/check-version.ts'
import {
  copyToOtherLocales,
  mayMatchPublished,
  sourceOfNewLocale,
  withSharedValues,
} from '../versions/locales.ts'
import { draftFrom, publishedFrom } from '../versions/publish.ts'
import {
  editableVersionOf,
  tagsOf,
  type Version,
  type Versions,
  versionOf,
  withVersion,
} from '../versions/version.ts'
import {
  refuseUnknownLocale,
  stampedAfter,
  type WriteContext,
  writtenBy,
  writtenOf,
} from '../write-context.ts'

/** Reads a body before the transaction begins. Unknown keys are refused here, wrong values once the document is found. */
export function prepareBody(
  layout: Layout,
  request: WriteRequest,
  data: unknown,
  action: 'create' | 'update',
  hashPassword: HashPassword,
): MaybePromise<Body> {
  const { type, scope, status } = request
  if (!isObject(data)) throw errors.invalidValues([{ path: [], message: 'data must be an object' }])
  checkKeys(layout.model, type, data, scope, scope.rule(type.uid, action)?.fields)
  const publishes = status === 'published' || !type.draftAndPublish
  const body = parseBody(layout.model, type, data, publishes ? 'full' : 'draft', action === 'create')
  return hashPasswords(body, (plain) => hashPassword(plain, request))
}

/** `actions` are those whose rules must cover the new document. */
export async function createDocument(
  context: WriteContext,
  body: Body,
  actions: readonly DocumentAction[],
  restored?: Version,
): Promise<Written> {
  refuseUnknownLocale(context)
  const ready = await withInput(context, body, false, restored)
  const edited = await edit(ready, newVersion(context, restored), restored ? [restored] : [], body.input)
  return finish(ready, body.input, { before: [], edited, isOutOfSync: false, actions })
}

/** Creates a deleted document again from a saved state; null if the update does not restore one. */
export async function restoreDeleted(
  context: WriteContext,
  body: Body,
  { ifMatch, restored }: WriteOptions,
): Promise<Written | null> {
  if (!restored) return null
  checkPrecondition(ifMatch, [])
  return createDocument(context, body, ['create', 'update'], restored)
}

/** Null when there is no such document. */
export async function updateDocument(
  context: WriteContext,
  body: Body,
  { ifMatch, restored }: WriteOptions,
): Promise<Written | null> {
  refuseUnknownLocale(context)
  const { transaction, blueprint, documentId, locale, publishes } = context
  const { input } = body
  const ready = await withInput(context, body, true, restored)
  const loading = loadVersions(transaction, blueprint, documentId)
  const needsEdges = mayNeedEdges(context, input)
  // Requested together, so that PostgreSQL returns both in one round trip.
  const [loaded, isOutOfSync] = await Promise.all([
    needsEdges ? withEdges(transaction, blueprint, documentId, loading) : loading,
    publishes && areInversesOutOfSync(context, 'published'),
  ])
  const edited = editableVersionOf(blueprint.type, loaded, locale)
  const shown = edited ?? sourceOfNewLocale(blueprint, loaded)
  if (!shown) return null
  await checkRulesBefore(context, blueprint.type, ['update'], writtenOf(documentId, shown), loaded, publishes)
  checkPrecondition(ifMatch, tagsOf(loaded, locale), versionOf(loaded, locale, publishes) !== null)
  const lacksEdges = !needsEdges && (!edited || mayMatchPublished(blueprint, loaded, locale, input))
  const before = lacksEdges ? await withEdges(transaction, blueprint, documentId, loaded) : loaded
  const stamped = stampedAfter(ready, before)
  const base = versionToEdit(stamped, before, restored)
  const others = [versionOf(before, locale, true), restored ?? null].filter((version) => version !== null)
  const hidden = await findHiddenIn(context, [base, ...others], input)
  const changed = await edit({ ...stamped, hidden }, base, others, input)
  const isNewLocale = !before.some((version) => version.locale === locale)
  const actions: readonly DocumentAction[] = isNewLocale ? ['update', 'create'] : ['update']
  return finish(stamped, input, { before, edited: changed, isOutOfSync, actions })
}

/** The context with what the body needs: locks, the documents it names, ids for its new entries. */
async function withInput(
  context: WriteContext,
  body: Body,
  exists: boolean,
  restored?: Version,
): Promise<WriteContext> {
  const { transaction } = context
  const targets = await lockAndFindTargets(context, body, exists)
  let next = body.newEntries > 0 ? await transaction.reserveEntryIds(body.newEntries) : 0
  // A saved state may have values that the caller may not read.
  const problems = restored ? body.problems.withoutValues() : new Problems(body.problems)
  return { ...context, targets, problems, nextEntryId: () => next++ }
}

/**
 * The documents that the body names and the caller's rules show, once everything that the write may change is locked.
 * Documents are locked before rows are held: a write that waits for a document must not hold a row that the owner of that
 * lock is about to delete.
 */
async function lockAndFindTargets(context: WriteContext, { references, input }: Body, exists: boolean) {
  const { transaction, request, blueprint, locks, documentId, publishes } = context
  const { model } = blueprint
  const changed = [...input].flatMap(([name, sent]) =>
    blueprint.inverses.has(name) && sent.kind === 'edges' ? referencesOf(sent.operation) : [],
  )
  const find = async (held: boolean) => {
    const targets = await findTargets(transaction, model, references, held)
    const visible = await visibleTargets(transaction, model, targets, { request, changed, publishes })
    return withoutGuessedFiles(context, visible)
  }
  const ownId = exists ? documentId : null
  if (!changesOtherDocuments(blueprint, input)) {
    locks.acquire(ownId === null ? [] : [ownId])
    return find(true)
  }
  const targets = await find(false)
  await lockRelated(transaction, locks, blueprint, ownId, input, targets)
  return transaction.dialect.hasSingleWriter ? targets : find(true)
}

/** Edges are read when the body or publishing may change them, or requires them, or when they are recorded. */
function mayNeedEdges({ blueprint, publishes, changes }: WriteContext, input: ShapeInput): boolean {
  const { type, requiresEdges } = blueprint
  return (
    changes?.needsEdges(type) ||
    (publishes && (type.draftAndPublish || requiresEdges)) ||
    [...input.values()].some((sent) => sent.kind !== 'scalar')
  )
}

/** The version to edit. A locale that does not exist yet starts with the values that all locales share. */
function versionToEdit(context: WriteContext, versions: Versions, restored?: Version): Version {
  const { blueprint, locale, stamp } = context
  const existing = editableVersionOf(blueprint.type, versions, locale)
  if (existing) return existing
  const published = versionOf(versions, locale, true)
  if (published) return draftFrom(published, null, stamp)
  const source = sourceOfNewLocale(blueprint, versions)
  const blank = newVersion(context, restored)
  return source ? withSharedValues(blueprint, source, blank) : blank
}

/** A version with the defaults of its type. One that is brought back still belongs to whoever created it, when they did. */
function newVersion({ blueprint, locale, stamp }: WriteContext, restored?: Version): Version {
  const blank = blankVersion(blueprint, locale, stamp)
  return restored ? { ...blank, createdAt: restored.createdAt, createdBy: restored.createdBy } : blank
}

/** The version with the body applied; nothing is stored yet. */
function edit(
  context: WriteContext,
  base: Version,
  others: Versions,
  input: ShapeInput,
): MaybePromise<Version> {
  const edited = withStamp(applyInput(context, base, others, input), context.stamp)
  return generateUids(context, edited, input)
}

interface Edited {
  readonly before: Versions
  readonly edited: Version
  /** Whether the document's inverse lists differ between its draft and its published version. */
  readonly isOutOfSync: boolean
  /** The actions whose rules must cover the written version, beside publishing. */
  readonly actions: readonly DocumentAction[]
}

/** Checks, stores and publishes the edited version, then writes the relations that other documents own. */
async function finish(
  context: WriteContext,
  input: ShapeInput,
  { before, edited, isOutOfSync, actions }: Edited,
): Promise<Written> {
  const { transaction, request, blueprint, documentId, locale, publishes, stamp, problems } = context
  const inverses = inverseChanges(context, input)
  const changesPublished =
    publishes || inverses.some(({ inverse }) => isWithoutDraft(blueprint.type, inverse))
  if (!publishes && changesPublished && !request.scope.may(blueprint.type.uid, 'publish'))
    throw errors.forbidden()
  let after = withVersion(before, edited)
  if (publishes) {
    checkVersion(blueprint, edited, problems, input)
    await findTakenIfFailing(context, edited)
    if (blueprint.type.draftAndPublish)
      after = withVersion(after, publishedFrom(edited, versionOf(before, locale, true), stamp))
  }
  problems.throwIfAny()
  if (blueprint.type.localized) after = copyToOtherLocales(blueprint, after, locale, stamp)
  const affected = new AffectedDocuments(transaction, request)
  await checkFormerOwners(context, affected, before, after)
  const saved = await saveDocument(context, 'update', before, after)
  for (const change of inverses) await writeInverse(context, change, affected)
  // An engine may not have been sent the version yet, which it refuses if a value is taken.
  if (publishes && !problems.isEmpty) await findTaken(context, edited)
  problems.throwIfAny()
  const mayChangeAgain = isOutOfSync || inverses.length > 0 || relatesToItself(after, documentId)
  if (publishes && mayChangeAgain) await syncInverses(context, 'published')
  const written = writtenBy(context)
  await checkRules(context, blueprint.type, actions, written, changesPublished)
  await affected.checkChanged()
  const row = mayChangeAgain ? null : savedRow(context, saved, written)
  return row ? { ...written, row } : written
}

/** Checks documents that lose a target which can have one owner only: hidden ones, and those that a rule does not cover. */
async function checkFormerOwners(
  context: WriteContext,
  affected: AffectedDocuments,
  before: Versions,
  after: Versions,
) {
  const { request, blueprint } = context
  const { type, model } = blueprint
  const { uid } = type
  // A caller that only writes, and may find no document of the type, is not kept from displacing them.
  const mayBeHidden = request.scope.may(uid, 'find') && mayHide(model, request, uid)
  if (!mayBeHidden && !affected.hasRules(type)) return
  const owners = await loadFormerOwnersOf(context, before, after)
  if (mayBeHidden) {
    const hidden = await findHidden(
      context,
      owners.map(({ documentId }) => ({ type: uid, documentId })),
    )
    if (owners.some(({ documentId }) => hidden.has(uid, documentId))) throw errors.forbidden()
  }
  await affected.checkLosing(type, owners)
  affected.addChanged(type, owners)
}

/** A document that relates to itself changes its inverse lists with the edges it owns. */
const relatesToItself = (versions: Versions, documentId: string) =>
  versions.some(({ edges }) =>
    [...(edges.get(0)?.values() ?? [])].some((list) => list.some(({ target }) => target === documentId)),
  )

function inverseChanges({ blueprint, targets, problems }: WriteContext, input: ShapeInput): InverseChange[] {
  return [...input].flatMap(([name, sent]) => {
    const inverse = blueprint.inverses.get(name)
    if (!inverse || sent.kind !== 'edges') return []
    const operation = resolveOperation(sent.attribute, sent.operation, sent.path, targets, problems)
    return operation ? [{ inverse, operation, path: sent.path }] : []
  })
}
