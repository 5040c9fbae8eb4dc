/** Stores what became of a document: the rows and edges that differ from what was loaded, and no others. */
import type { Transaction } from '../../store/store.ts'
import { type Edge, type EdgeLists, edgesOf, type Version, type Versions } from '../versions/version.ts'
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
import { lookAhead } from './reserve-ids.ts'
import { deleteVersions, insertVersions, updateVersions } from './version-rows.ts'

/**
 * Writes the difference between two states of a document; untouched versions are the same object in both. Gives the
 * second, with the ids of rows that are new where the engine tells them beforehand.
 */
export async function saveVersions(
  transaction: Transaction,
  blueprint: Blueprint,
  documentId: string,
  before: Versions,
  after: Versions,
): Promise<Versions> {
  const pairs = after.flatMap((version) => {
    const old = before.find((one) => one.id !== null && one.id === version.id)
    return old && old !== version ? [{ before: old, after: version }] : []
  })
  const gone = before.flatMap(({ id }) => (id !== null && !after.some((one) => one.id === id) ? [id] : []))
  deleteEdgesFrom(transaction, blueprint.relations, gone)
  deleteVersions(transaction, blueprint, gone)
  updateVersions(transaction, blueprint, documentId, pairs)
  const edges = changedEdges(blueprint, pairs)
  const takings = takenBy(blueprint, documentId, before, after)
  const writing = { transaction, blueprint, documentId, edges, takings }
  const fresh = after.filter(({ id }) => id === null)
  if (fresh.length === 0) saveEdges(writing)
  else if (transaction.dialect.knowsRowIdsBeforeInsert)
    return withRows(after, await saveNewWithIds(writing, fresh))
  else saveNew(writing, fresh)
  return after
}

interface Writing {
  readonly transaction: Transaction
  readonly blueprint: Blueprint
  readonly documentId: string
  /** Those of rows that are there. */
  readonly edges: { readonly removed: readonly EdgeKey[]; readonly added: readonly EdgeRow[] }
  readonly takings: readonly Taking[]
}

/** Stores new versions with their edges, whose ids and places are asked for before; gives them with their ids. */
async function saveNewWithIds(writing: Writing, fresh: Versions): Promise<Versions> {
  const { transaction, blueprint, documentId } = writing
  // What is published at once has the edges of its draft, which are looked at once.
  const lists = [...new Set(fresh.map((version) => version.edges))]
  const ofLists = lists.map((list) => compare(blueprint, NONE, list).added)
  const unplaced = ofLists.flatMap((some) => some.filter(({ inverse }) => inverse === null))
  const { nextId, places } = await lookAhead(transaction, blueprint.type.table, unplaced)
  const stored = fresh.map((version, index) => ({ ...version, id: nextId + index }))
  insertVersions(transaction, blueprint, documentId, stored)
  const place = places.values()
  const placed = ofLists.map((some) =>
    some.map((edge) => ({ ...edge, inverse: edge.inverse ?? place.next().value ?? null })),
  )
  const ofNew = stored.flatMap(({ id: source, published, edges: list }) =>
    (placed[lists.indexOf(list)] ?? []).map((edge) => ({ ...edge, source, published })),
  )
  saveEdges(writing)
  insertEdges(transaction, ofNew)
  return stored
}

/** Stores new versions, and edges that find their rows and places while they are stored: one trip less. */
function saveNew(writing: Writing, fresh: Versions) {
  const { transaction, blueprint, documentId } = writing
  insertVersions(transaction, blueprint, documentId, fresh)
  saveEdges(writing)
  const ofNew = fresh.flatMap((version): NewEdgeRow[] => {
    const { locale } = version
    // What is published at once has the edges of its draft, and both are stored together.
    const twin = fresh.find((one) => one !== version && one.locale === locale && one.edges === version.edges)
    const published = twin ? null : version.published
    if (twin && version.published) return []
    return compare(blueprint, NONE, version.edges).added.map((edge) => ({ ...edge, locale, published }))
  })
  insertEdgesOfNew(transaction, blueprint.type, documentId, ofNew)
}

function saveEdges({ transaction, blueprint, edges, takings }: Writing) {
  for (const taking of takings) takeFromOwners(transaction, blueprint.type, taking)
  deleteEdges(transaction, edges.removed)
  insertEdges(transaction, edges.added)
}

/** The versions with those that were new as they are stored, in the same order. */
function withRows(versions: Versions, stored: Versions): Versions {
  const rows = stored.values()
  return versions.map((version) => (version.id === null ? (rows.next().value ?? version) : version))
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

/** What separates the edges of versions from those their rows have. */
function changedEdges(
  blueprint: Blueprint,
  pairs: readonly { readonly before: Version; readonly after: Version }[],
) {
  const removed: EdgeKey[] = []
  const added: EdgeRow[] = []
  for (const { before, after } of pairs) {
    if (after.edges === before.edges) continue
    const source = Number(after.id)
    const { published } = after
    const difference = compare(blueprint, before.edges, after.edges)
    removed.push(...difference.removed.map((edge) => ({ ...edge, source })))
    added.push(...difference.added.map((edge) => ({ ...edge, source, published })))
  }
  return { removed, added }
}

type Removed = Omit<EdgeKey, 'source'>
type Added = Omit<EdgeRow, 'source' | 'published'>

/** What separates the edges of a version from those it had. */
function compare(blueprint: Blueprint, before: EdgeLists, after: EdgeLists) {
  const removed: Removed[] = []
  const added: Added[] = []
  for (const [entry, relations] of before) {
    for (const [relation, edges] of relations) {
      const kept = byTarget(after.get(entry)?.get(relation))
      for (const { target, position, inverse } of edges) {
        const edge = kept.get(target)
        if (edge?.position !== position || edge.inverse !== inverse) removed.push({ relation, entry, target })
      }
    }
  }
  for (const [entry, relations] of after) {
    for (const [relation, edges] of relations) {
      const old = byTarget(before.get(entry)?.get(relation))
      const last = blueprint.twoWay.has(relation) ? null : 0
      for (const { target, targetType, position, inverse } of edges) {
        const edge = old.get(target)
        if (edge?.position === position && edge.inverse === inverse) continue
        added.push({ relation, entry, target, targetType, position, inverse: inverse ?? last })
      }
    }
  }
  return { removed, added }
}

const NO_EDGES: ReadonlyMap<string, Edge> = new Map()

const byTarget = (edges: readonly Edge[] = []): ReadonlyMap<string, Edge> =>
  edges.length === 0 ? NO_EDGES : new Map(edges.map((edge) => [edge.target, edge]))
