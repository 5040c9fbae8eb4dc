/** Stores what became of a document: the rows and edges that differ from what was loaded, and no others. */
import type { Transaction } from '../store/store.ts'
import type { Blueprint } from './blueprint.ts'
import {
  deleteEdges,
  deleteEdgesFrom,
  type EdgeKey,
  type EdgeRow,
  insertEdges,
  insertEdgesOfNew,
  type NewEdgeRow,
  type Taking,
  takeFromOwners,
} from './edge-rows.ts'
import { type EdgeLists, edgesOf, type Version, type Versions } from './version.ts'
import { deleteVersions, insertVersions, updateVersions } from './version-rows.ts'

/** Writes the difference between two states of a document; untouched versions are the same object in both. */
export function saveVersions(
  transaction: Transaction,
  blueprint: Blueprint,
  documentId: string,
  before: Versions,
  after: Versions,
) {
  const pairs = after.flatMap((version) => {
    const old = before.find((one) => one.id !== null && one.id === version.id)
    return old && old !== version ? [{ before: old, after: version }] : []
  })
  const gone = before.flatMap(({ id }) => (id !== null && !after.some((one) => one.id === id) ? [id] : []))
  deleteEdgesFrom(transaction, blueprint.relations, gone)
  deleteVersions(transaction, blueprint, gone)
  updateVersions(transaction, blueprint, documentId, pairs)
  const fresh = after.filter(({ id }) => id === null)
  insertVersions(transaction, blueprint, documentId, fresh)
  for (const taking of takenBy(blueprint, documentId, before, after))
    takeFromOwners(transaction, blueprint.type, taking)
  saveEdges(transaction, blueprint, documentId, pairs, fresh)
}

/** What the versions of a document take from other owners. */
export function takenBy(
  { exclusive }: Blueprint,
  documentId: string,
  before: Versions,
  after: Versions,
): Taking[] {
  if (exclusive.size === 0) return []
  return after.flatMap((version) => {
    const old = before.find((one) => one.id !== null && one.id === version.id)
    if (old?.edges === version.edges) return []
    const { published, locale } = version
    return [...exclusive].flatMap((relation) => {
      const had = new Set((old ? edgesOf(old, 0, relation) : []).map(({ target }) => target))
      const targets = edgesOf(version, 0, relation).flatMap(({ target }) => (had.has(target) ? [] : target))
      return targets.length > 0 ? [{ relation, targets, documentId, published, locale }] : []
    })
  })
}

const NONE: EdgeLists = new Map()

function saveEdges(
  transaction: Transaction,
  blueprint: Blueprint,
  documentId: string,
  pairs: readonly { readonly before: Version; readonly after: Version }[],
  fresh: Versions,
) {
  const removed: EdgeKey[] = []
  const added: EdgeRow[] = []
  for (const { before, after } of pairs) {
    if (after.edges === before.edges) continue
    const source = Number(after.id)
    const difference = compare(blueprint, before.edges, after)
    removed.push(...difference.removed.map((edge) => ({ ...edge, source })))
    added.push(...difference.added.map((edge) => ({ ...edge, source })))
  }
  const addedToNew: NewEdgeRow[] = []
  for (const version of fresh) {
    const { locale } = version
    const difference = compare(blueprint, NONE, version)
    // What is published at once has the edges of its draft, and both are stored together.
    const twin = fresh.find((one) => one !== version && one.locale === locale && one.edges === version.edges)
    const published = twin ? null : version.published
    if (!twin || !version.published)
      addedToNew.push(...difference.added.map((edge) => ({ ...edge, locale, published })))
  }
  deleteEdges(transaction, removed)
  insertEdges(transaction, added)
  insertEdgesOfNew(transaction, blueprint.type, documentId, addedToNew)
}

/** What separates the edges of a version from those its row has. */
function compare(blueprint: Blueprint, before: EdgeLists, version: Version) {
  const removed: Omit<EdgeKey, 'source'>[] = []
  const added: Omit<EdgeRow, 'source'>[] = []
  for (const [entry, relations] of before) {
    for (const [relation, edges] of relations) {
      const kept = new Map(
        version.edges
          .get(entry)
          ?.get(relation)
          ?.map((edge) => [edge.target, edge]),
      )
      for (const { target, position, inverse } of edges) {
        const edge = kept.get(target)
        if (edge?.position !== position || edge.inverse !== inverse) removed.push({ relation, entry, target })
      }
    }
  }
  for (const [entry, relations] of version.edges) {
    for (const [relation, edges] of relations) {
      const old = new Map(
        before
          .get(entry)
          ?.get(relation)
          ?.map((edge) => [edge.target, edge]),
      )
      for (const { target, targetType, position, inverse } of edges) {
        const edge = old.get(target)
        if (edge?.position === position && edge.inverse === inverse) continue
        const last = blueprint.twoWay.has(relation) ? null : 0
        const { published } = version
        added.push({ relation, entry, target, published, targetType, position, inverse: inverse ?? last })
      }
    }
  }
  return { removed, added }
}
