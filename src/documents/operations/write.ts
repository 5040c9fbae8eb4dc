/** Creating and updating: validate, find what is named, lay the body over the version, store, publish. */
import { errors } from '../../errors.ts'
import { isObject } from '../../project/values.ts'
import type { MaybePromise } from '../../store/maybe-promise.ts'
import type { Transaction } from '../../store/store.ts'
import type { Layout } from '../../store/tables/layout.ts'
import type { WriteOptions, WriteTarget, Written, WrittenRow } from '../contract.ts'
import { checkPrecondition, newDocumentId } from '../identity.ts'
import { type Body, readBody, type ShapeInput } from '../input/body.ts'
import { type HashPassword, hashSecrets } from '../input/hash-passwords.ts'
import { checkKeys } from '../input/keys.ts'
import { Problems } from '../input/problems.ts'
import { generateUids } from '../input/uid.ts'
import { type Others, othersOf } from '../relations/affected-documents.ts'
import { type AskedInverse, writeInverse } from '../relations/inverse.ts'
import { isContested, lockContested } from '../relations/lock-related.ts'
import { settle } from '../relations/resolve.ts'
import { areInversesOutOfSync, syncInverses } from '../relations/sync.ts'
import { findTargets, type Targets } from '../relations/targets.ts'
import { coveredTargets } from '../relations/visible-targets.ts'
import type { Blueprint } from '../rows/blueprint.ts'
import { loadHolders } from '../rows/edge-rows.ts'
import { saveVersions, takenBy } from '../rows/save.ts'
import { noteTaken } from '../rows/taken-values.ts'
import { loadVersions, served } from '../rows/version-rows.ts'
import { applyInput, blankVersion, stamped } from '../versions/apply-input.ts'
import { checkVersion } from '../versions/check-version.ts'
import type { Merging } from '../versions/entries.ts'
import { mayAgreeAgain, originOf, shared, spread } from '../versions/locales.ts'
import { draftFrom, publishedFrom } from '../versions/publish.ts'
import {
  editedOf,
  namesOf,
  type Version,
  type Versions,
  versionOf,
  withVersion,
} from '../versions/version.ts'
import {
  checkAllowed,
  type Ground,
  groundOf,
  laterThan,
  type Setting,
  withEdges,
  writtenOf,
} from '../write-context.ts'

/** Reads a body before any transaction begins: its keys are refused here, its values once the document is found. */
export function prepare(
  layout: Layout,
  { type, scope, status }: WriteTarget,
  data: unknown,
  action: 'create' | 'update',
  hashPassword: HashPassword,
): MaybePromise<Body> {
  if (!isObject(data)) throw errors.invalidValues([{ path: [], message: 'data must be an object' }])
  checkKeys(layout.model, type, data, scope, scope.rule(type.uid, action)?.fields)
  const full = status === 'published' || !type.draftAndPublish
  return hashSecrets(readBody(layout.model, type, data, full ? 'full' : 'draft'), hashPassword)
}

/** Creates a document and answers which version to show. */
export async function createDocument(
  transaction: Transaction,
  setting: Setting,
  body: Body,
): Promise<Written> {
  const ground = groundOf(setting)
  const { blueprint, locale, stamp } = ground
  const documentId = newDocumentId()
  const targets = await lockNamed(transaction, setting, blueprint, null, body)
  const blank = blankVersion({ blueprint }, locale, stamp)
  const write = { transaction, ground, documentId, targets, outOfSync: false, body: attempt(body) }
  return finish(setting, write, [], await edit(write, blank, null))
}

/** Updates a document, or null when there is no such document. */
export async function updateDocument(
  transaction: Transaction,
  setting: Setting,
  documentId: string,
  body: Body,
  { ifMatch }: WriteOptions,
): Promise<Written | null> {
  const ground = groundOf(setting)
  const { blueprint, locale, publishes } = ground
  const targets = await lockNamed(transaction, setting, blueprint, documentId, body)
  const seen = { blueprint, documentId, locale }
  const asked = loadVersions(transaction, blueprint, documentId)
  const needsEdges = mayNeedEdges(ground, body.input)
  // What may be needed is asked for at once: the answers come back in one trip.
  const [loaded, outOfSync] = await Promise.all([
    needsEdges ? withEdges(transaction, blueprint, documentId, asked) : asked,
    publishes && areInversesOutOfSync(transaction, seen, 'published'),
  ])
  const edited = editedOf(blueprint.type, loaded, locale)
  const shown = edited ?? originOf(blueprint, loaded)
  if (!shown) return null
  const isThere = versionOf(loaded, locale, publishes) !== null
  checkPrecondition(ifMatch, namesOf(loaded, locale), isThere)
  await checkAllowed(transaction, setting.target, writtenOf(documentId, shown))
  const lacksEdges = !needsEdges && (!edited || mayAgreeAgain(blueprint, loaded, locale, body.input))
  const before = lacksEdges ? await withEdges(transaction, blueprint, documentId, loaded) : loaded
  const now = laterThan(ground, before)
  const write = { transaction, ground: now, documentId, targets, outOfSync, body: attempt(body) }
  const base = editableVersion(now, before)
  return finish(setting, write, before, await edit(write, base, versionOf(before, locale, true)))
}

/**
 * The documents that the body names, as far as the caller's rules show them, when all that the write may change is locked.
 * Rows are held after documents are locked, never before: a writer that waits for a document must not hold a row that
 * its owner is about to delete.
 */
async function lockNamed(
  transaction: Transaction,
  { target, layout: { model }, locks }: Setting,
  blueprint: Blueprint,
  documentId: string | null,
  { references, input }: Body,
): Promise<Targets> {
  const named = async (held: boolean) =>
    coveredTargets(transaction, model, await findTargets(transaction, model, references, held), target.rules)
  if (!isContested(blueprint, input)) {
    locks.begin(documentId === null ? [] : [documentId])
    return named(true)
  }
  const seen = await named(false)
  await lockContested(transaction, locks, blueprint, documentId, input, seen)
  return transaction.dialect.hasSingleWriter ? seen : named(true)
}

interface Write {
  readonly transaction: Transaction
  readonly ground: Ground
  readonly documentId: string
  readonly body: Body
  readonly targets: Targets
  /** Whether the document's inverse lists differ between its draft and its published version. */
  readonly outOfSync: boolean
}

const attempt = (body: Body): Body => ({ ...body, problems: new Problems(body.problems) })

/** Edges are read when the body or publishing may change them, or asks for them. */
function mayNeedEdges({ blueprint, publishes }: Ground, input: ShapeInput): boolean {
  const { type, requiresEdges } = blueprint
  return (
    (publishes && (type.draftAndPublish || requiresEdges)) ||
    [...input.values()].some((sent) => sent.kind !== 'scalar')
  )
}

/** The version to edit. A locale that does not exist yet starts with what all locales share. */
function editableVersion({ blueprint, locale, stamp }: Ground, versions: Versions): Version {
  const edited = editedOf(blueprint.type, versions, locale)
  if (edited) return edited
  const published = versionOf(versions, locale, true)
  if (published) return draftFrom(published, null, stamp)
  const origin = originOf(blueprint, versions)
  const blank = blankVersion({ blueprint }, locale, stamp)
  return origin ? shared(blueprint, origin, blank) : blank
}

/** The version with the body in it; nothing is stored yet. */
async function edit(write: Write, base: Version, published: Version | null): Promise<Version> {
  const { transaction, ground, documentId, body, targets } = write
  const { blueprint, stamp } = ground
  const { problems, input, newEntries } = body
  let next = newEntries > 0 ? await transaction.reserveEntryIds(newEntries) : 0
  const merging: Merging = { blueprint, targets, problems, nextEntryId: () => next++ }
  const edited = stamped(applyInput(merging, base, published, input), stamp)
  return generateUids(transaction, blueprint, documentId, edited, input)
}

/** Checks, stores and publishes the edited version, then writes the relations that other documents own. */
async function finish(setting: Setting, write: Write, before: Versions, edited: Version): Promise<Written> {
  const { transaction, ground, documentId, body } = write
  const { blueprint, locale, publishes, stamp } = ground
  const inverses = settleInverses(blueprint, body.input, write.targets, body.problems)
  let after = withVersion(before, edited)
  if (publishes) {
    checkVersion(blueprint, edited, body.problems, body.input)
    await noteTaken(transaction, blueprint, documentId, edited, body.problems)
    if (blueprint.type.draftAndPublish) {
      after = withVersion(after, publishedFrom(edited, versionOf(before, locale, true), stamp))
    }
  }
  body.problems.refuse()
  if (blueprint.type.localized) after = spread(blueprint, after, locale, stamp)
  const others = othersOf(transaction, setting.target.rules)
  await loseTaken(write, others, before, after)
  const saved = await saveVersions(transaction, blueprint, documentId, before, after)
  const seen = { blueprint, documentId, locale }
  for (const asked of inverses) await writeInverse(transaction, seen, asked, body.problems, others)
  body.problems.refuse()
  const mayChangeAgain = write.outOfSync || inverses.length > 0 || relatesToItself(after, documentId)
  if (publishes && mayChangeAgain) await syncInverses(transaction, setting.locks, seen, 'published')
  const written = ground.written(documentId)
  await checkAllowed(transaction, setting.target, written)
  await others.check()
  // On PostgreSQL others may count up its revision without a lock on it, when they take what it has.
  const isSure = transaction.dialect.hasSingleWriter && !mayChangeAgain
  const row = isSure ? rowOf(blueprint, documentId, versionOf(saved, locale, publishes)) : null
  return row ? { ...written, row } : written
}

const rowOf = (blueprint: Blueprint, documentId: string, version: Version | null): WrittenRow | null =>
  version?.id == null
    ? null
    : { id: version.id, revision: version.revision, served: served(blueprint, documentId, version) }

/** Looks at those who lose a target to the document that can belong to one owner only. */
async function loseTaken(
  { transaction, ground, documentId }: Write,
  others: Others,
  before: Versions,
  after: Versions,
) {
  const { type } = ground.blueprint
  if (!others.areRuled(type)) return
  const losing: Written[] = []
  for (const taking of takenBy(ground.blueprint, documentId, before, after))
    losing.push(...(await loadHolders(transaction, type, taking)))
  await others.lose(type, losing)
  others.change(type, losing)
}

/** A document that is its own target changes its inverse lists by what it owns. */
const relatesToItself = (versions: Versions, documentId: string) =>
  versions.some(({ edges }) =>
    [...(edges.get(0)?.values() ?? [])].some((list) => list.some(({ target }) => target === documentId)),
  )

function settleInverses(
  blueprint: Blueprint,
  input: ShapeInput,
  targets: Targets,
  problems: Problems,
): AskedInverse[] {
  return [...input].flatMap(([name, sent]) => {
    const inverse = blueprint.inverses.get(name)
    if (!inverse || sent.kind !== 'edges') return []
    const operation = settle(sent.attribute, sent.operation, sent.path, targets, problems)
    return operation ? [{ inverse, operation, path: sent.path }] : []
  })
}
