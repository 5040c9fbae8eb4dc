/** Keeps the saved states of documents: a sink that stores them in the transaction of the change. */

import type { Transaction } from '../../store/store.ts'
import { authorText } from '../changes/author-text.ts'
import type { ChangeRecord, ChangeSink } from '../changes/change-record.ts'
import { type Blueprint, blueprintOf } from '../rows/blueprint.ts'
import { loadVersions, withEdges } from '../rows/load-versions.ts'
import { type Version, versionOf } from '../versions/version.ts'
import { insertStates, type SavedState } from './insert-states.ts'
import { serializeContent, serializeState } from './state.ts'

export const historySink: ChangeSink = {
  needsEdges: ({ history }) => history,
  // Edges are imported after rows; `existing-content.ts` saves the states once an import is complete.
  skipsImports: true,
  record(transaction, all) {
    const records = all.filter(({ type }) => type.history)
    if (records.length === 0) return
    if (records.every(isComplete)) return insertStates(transaction, savedStates(records, versionAfter))
    return loadIncomplete(transaction, records).then((loaded) =>
      insertStates(
        transaction,
        savedStates(records, (record) => loaded.get(keyOf(record)) ?? versionAfter(record)),
      ),
    )
  },
}

/** The version that a record is about; null if there is none. */
function versionAfter({ action, versions }: ChangeRecord): Version | null {
  if (!versions) return null
  const { before, after } = versions
  if (action === 'delete') return before.draft ?? before.published
  if (action === 'publish') return after.published
  return after.draft ?? after.published
}

/** Whether a record has the version with all its edges. */
const isComplete = (record: ChangeRecord) =>
  record.action === 'delete' || (record.versions !== null && !relatesToOwnType(blueprint(record)))

const blueprint = ({ layout, type }: ChangeRecord) => blueprintOf(layout, type)

/** A document of such a type can change its own edges once more, from the inverse side of the relation. */
const relatesToOwnType = ({ inverses, type }: Blueprint) =>
  [...inverses.values()].some(({ owner }) => owner === type)

const keyOf = ({ documentId, locale, action }: ChangeRecord) => `${documentId} ${locale} ${action}`

/** The versions of incomplete records, as they are stored now. */
async function loadIncomplete(
  transaction: Transaction,
  records: readonly ChangeRecord[],
): Promise<ReadonlyMap<string, Version>> {
  const versions = new Map<string, Version>()
  const byDocument = Map.groupBy(
    records.filter((record) => !isComplete(record)),
    ({ documentId }) => documentId,
  )
  for (const [documentId, list] of byDocument) {
    const [first] = list
    if (!first) continue
    const loading = loadVersions(transaction, blueprint(first), documentId)
    const loaded = await withEdges(transaction, blueprint(first), documentId, loading)
    for (const record of list) {
      const { action, locale, type } = record
      const isPublished = action === 'publish' || !type.draftAndPublish
      const version = versionOf(loaded, locale, isPublished) ?? versionOf(loaded, locale, !isPublished)
      if (version) versions.set(keyOf(record), version)
    }
  }
  return versions
}

/** One state for each record. What one write both saves and publishes is one state. */
function savedStates(
  records: readonly ChangeRecord[],
  versionOf: (record: ChangeRecord) => Version | null,
): SavedState[] {
  const states: (SavedState & { readonly version: Version; readonly content: string })[] = []
  for (const record of records) {
    const version = versionOf(record)
    if (!version) continue
    const last = states.at(-1)
    const isSameDocument = last?.documentId === record.documentId && last.locale === record.locale
    const draft = isSameDocument && record.action === 'publish' ? last : null
    const content =
      draft && haveSameValues(draft.version, version)
        ? draft.content
        : serializeContent(blueprint(record), version)
    const state = stateOf(record, version, content)
    if (draft?.content === content) states[states.length - 1] = { ...state, action: draft.action }
    else states.push(state)
  }
  return states
}

/** A version that was published from a draft shares its values and entries, and has its edges. */
const haveSameValues = (draft: Version, published: Version) =>
  draft.values === published.values && draft.lists === published.lists

function stateOf(record: ChangeRecord, version: Version, content: string) {
  const { type, documentId, action, by, origin, at } = record
  return {
    ...{ type, documentId, action, at, version, content },
    locale: version.locale,
    published: version.published || isPublishedToo(record, version, content),
    author: authorText(by),
    requestId: origin?.requestId ?? null,
    rowId: version.id,
    rowPublished: version.published,
    state: serializeState(version, content),
  }
}

/** Whether a deleted draft had the content of the published version, so that callers who see no drafts may see it. */
function isPublishedToo(record: ChangeRecord, version: Version, content: string): boolean {
  const published = record.action === 'delete' ? record.versions?.before.published : null
  return (
    published != null && published !== version && serializeContent(blueprint(record), published) === content
  )
}
