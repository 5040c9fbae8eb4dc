/** Attaches uploaded files to the document that an upload names with `ref`, `refId` and `field`. */
import { authorOf } from '../documents/author.ts'
import type { ChangeRecorder } from '../documents/changes/recorder.ts'
import { documentOfRow } from '../documents/document-id.ts'
import type { RowRules } from '../documents/documents.ts'
import { findHidden } from '../documents/relations/hidden-targets.ts'
import { mediaKindOf } from '../documents/relations/resolve.ts'
import { areCovered, canRead } from '../documents/row-rules.ts'
import { blueprintOf } from '../documents/rows/blueprint.ts'
import { deleteEdgesFrom, insertEdges, loadEdges } from '../documents/rows/edge-rows.ts'
import { loadVersions } from '../documents/rows/load-versions.ts'
import { updateVersions } from '../documents/rows/version-rows.ts'
import { type Version, type Versions, versionOf } from '../documents/versions/version.ts'
import { timeAfter, writtenOf } from '../documents/write-context.ts'
import { errors } from '../errors.ts'
import { type ContentType, FILE, type MediaAttribute, type Model } from '../model/model.ts'
import type { Scope } from '../query/scope.ts'
import type { Reads } from '../reads/reads.ts'
import type { Transaction } from '../store/store.ts'
import type { Layout } from '../store/tables/layout.ts'

/** The media attribute of a document that uploaded files are attached to. */
export interface AttachTarget {
  readonly type: ContentType
  readonly attribute: MediaAttribute
  /** documentId, or numeric id of a version. */
  readonly id: string
  /** With a documentId; null for content-types that are not localized. */
  readonly locale: string | null
}

/** Reads the target from the fields of an upload; null when there is none. */
export function parseAttachTarget(
  model: Model,
  field: (name: string) => string | undefined,
  localeFor: (type: ContentType) => string | null,
): AttachTarget | null {
  const [ref, refId, name] = [field('ref'), field('refId'), field('field')]
  if (ref === undefined && refId === undefined && name === undefined) return null
  if (!ref || !refId || !name) throw errors.invalid('ref, refId and field must be given together')
  const type = model.types.get(ref)
  if (!type?.generated) throw errors.invalid(`ref is not a content-type: ${ref}`)
  const attribute = type.attributes.get(name)
  if (attribute?.kind !== 'media') throw errors.invalid(`field is not a media attribute of ${ref}: ${name}`)
  return { type, attribute, id: refId, locale: localeFor(type) }
}

/** Checked before anything is stored. */
export function checkMayAttach({ type, attribute }: AttachTarget, scope: Scope): void {
  const fields = scope.rule(type.uid, 'update')?.fields
  if (!scope.may(type.uid, 'update') || (fields && !fields.includes(attribute.name))) throw errors.forbidden()
}

export function checkFileKinds(
  { attribute }: AttachTarget,
  files: readonly { name: string; mime: string }[],
): void {
  const rejected = files.find(({ mime }) => !attribute.allowedTypes.includes(mediaKindOf(mime)))
  if (rejected) {
    throw errors.invalidValues([
      {
        path: [attribute.name],
        message: `${attribute.name} accepts ${attribute.allowedTypes.join(', ')}, but ${rejected.name} is ${rejected.mime}`,
      },
    ])
  }
}

/**
 * Appends files to a multiple attribute; a single one gets the last of them. The numeric id of a draft changes only the
 * draft; a documentId or the id of a published version changes both versions.
 */
export async function attachFiles(
  transaction: Transaction,
  layout: Layout,
  reads: Reads,
  place: AttachTarget,
  documentIds: readonly string[],
  scope: Scope,
  changes: ChangeRecorder | null,
): Promise<void> {
  const { type, attribute } = place
  const { documentId, all, versions } = await lockTargetVersions(transaction, layout, place)
  const publishes = type.draftAndPublish && versions.some(({ published }) => published)
  const rules: RowRules = (other, action) => reads.rowRuleCheck(other, scope, action)
  const write = { transaction, request: { scope, rules } }
  const areAllCovered = async () => {
    for (const version of versions)
      if (!(await areCovered(write, type, ['update'], writtenOf(documentId, version), publishes)))
        return false
    return true
  }
  if (!(await areAllCovered()))
    throw (await canRead(write, type, documentId, all)) ? errors.forbidden() : noSuchDocument(place)
  if (publishes && !scope.may(type.uid, 'publish')) throw errors.forbidden()
  const relation = layout.relationId({ type: type.uid, component: null, attribute: attribute.name })
  if (!attribute.multiple) {
    const edges = await loadEdges(transaction, type, [relation], [documentId])
    const replaced = versions.flatMap(({ id }) => edges.get(Number(id))?.get(0)?.get(relation) ?? [])
    const files = replaced.map(({ target }) => ({ type: FILE, documentId: target }))
    const hidden = await findHidden({ ...write, blueprint: { model: layout.model } }, files)
    if (replaced.some(({ target }) => hidden.has(FILE, target))) throw errors.forbidden()
  }
  const now = timeAfter(all, new Date().toISOString())
  const updatedBy = authorOf(scope.principal)
  const pairs = versions.map((before) => ({
    before,
    after: { ...before, updatedBy, updatedAt: isBehindDraft(before, all) ? before.updatedAt : now },
  }))
  updateVersions(transaction, blueprintOf(layout, type), documentId, pairs)
  changes?.addSaved({
    ...{ type, documentId, action: 'update', locale: versions[0]?.locale ?? '', before: all, at: now },
    after: all.map((version) => pairs.find(({ before }) => before === version)?.after ?? version),
  })
  const sources = versions.map(({ id, published }) => ({ source: Number(id), published }))
  if (!attribute.multiple)
    deleteEdgesFrom(
      transaction,
      [relation],
      sources.map(({ source }) => source),
    )
  // One by one: each is appended to the list as it is then.
  for (const target of attribute.multiple ? documentIds : documentIds.slice(-1)) {
    const edge = { relation, entry: 0, target, targetType: null, position: null, inversePosition: 0 }
    insertEdges(
      transaction,
      sources.map((source) => ({ ...edge, ...source })),
    )
  }
  if (!(await areAllCovered())) throw errors.forbidden()
}

const noSuchDocument = ({ type, id }: AttachTarget) =>
  errors.invalid(`refId is not a document of ${type.uid}: ${id}`)

/** A published version whose draft has later edits. With the draft's timestamp it would count as up to date. */
function isBehindDraft({ published, locale, updatedAt }: Version, all: Versions): boolean {
  const draft = published ? versionOf(all, locale, false) : null
  return draft !== null && draft.updatedAt > updatedAt
}

interface TargetVersions {
  readonly documentId: string
  readonly all: Versions
  /** The ones to change. */
  readonly versions: Versions
}

/** Locks the document against other writers. */
async function lockTargetVersions(
  transaction: Transaction,
  layout: Layout,
  target: AttachTarget,
): Promise<TargetVersions> {
  const { type, attribute, id, locale: requested } = target
  const numeric = /^\d{1,15}$/.test(id)
  const documentId = numeric ? await documentIdOf(transaction, type, Number(id)) : id
  if (documentId !== null) transaction.lock([documentId])
  const all =
    documentId === null ? [] : await loadVersions(transaction, blueprintOf(layout, type), documentId)
  const named = numeric ? all.find((version) => version.id === Number(id)) : null
  // An attribute that is not localized has one value for all locales.
  const locale = attribute.localized ? (named?.locale ?? requested) : null
  const versions = all.filter(
    (version) =>
      (locale === null || version.locale === locale) && (!named || named.published || !version.published),
  )
  if (documentId === null || versions.length === 0) throw noSuchDocument(target)
  return { documentId, all, versions }
}

async function documentIdOf(transaction: Transaction, type: ContentType, id: number): Promise<string | null> {
  const [row] = await transaction.all(documentOfRow(transaction.dialect, type, id))
  return row ? String(row.document_id) : null
}
