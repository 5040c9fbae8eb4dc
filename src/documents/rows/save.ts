/** Saves a changed document: writes only the rows and edges that differ from what was loaded. */
import type { Transaction } from '../../store/store.ts'
import { type Edge, type EdgeLists, edgesOf, type Version, type Versions } from '../versions/version.ts'
import type { Blueprint } from './blueprint.ts'
import {
  deleteEdges,
  deleteEdgesFrom,
  type EdgeKey,
  type EdgeRow,
  type ExclusiveClaim,
  insertEdges,
  insertEdgesOfNew,
  type NewEdgeRow,
  removeFromFormerOwners,
} from './edge-rows.ts'
import { reserveIds } from './reserve-ids.ts'
import { deleteVersions, insertVersions, type StoredRows, updateVersions } from './version-rows.ts'

/** What a save has stored. */
export interface Saved {
  /** The second state; new versions in it have the ids of their rows if those are known before the insert. */
  readonly versions: Versions
  /** The rows that were inserted or updated. */
  readonly rows: readonly StoredRows[]
}

/** Writes the difference between two states of a document. Unchanged versions are the same object in both. */
export async function saveVersions(
  transaction: Transaction,
  blueprint: Blueprint,
  documentId: string,
  before: Versions,
  after: Versions,
): Promise<Saved> {
  const pairs = after.flatMap((version) => {
    const old = before.find((one) => one.id !== null && one.id === version.id)
    return old && old !== version ? [{ before: old, after: version }] : []
  })
  const removedIds = before.flatMap(({ id }) =>
    id !== null && !after.some((one) => one.id === id) ? [id] : [],
  )
  deleteEdgesFrom(transaction, blueprint.relations, removedIds)
  deleteVersions(transaction, blueprint, removedIds)
  const rows = updateVersions(transaction, blueprint, documentId, pairs)
  const edges = changedEdges(blueprint, pairs)
  const claims = claimsOf(blueprint, documentId, before, after)
  const changes = { transaction, blueprint, documentId, edges, claims }
  const added = after.filter(({ id }) => id === null)
  if (added.length === 0) saveEdges(changes)
  else if (transaction.dialect.knowsRowIdsBeforeInsert)
    return { versions: withRows(after, await insertWithIds(changes, added)), rows }
  else return { versions: after, rows: [...rows, insertWithoutIds(changes, added)] }
  return { versions: after, rows }
}

interface DocumentChanges {
  readonly transaction: Transaction
  readonly blueprint: Blueprint
  readonly documentId: string
  /** Of existing rows. */
  readonly edges: { readonly removed: readonly EdgeKey[]; readonly added: readonly EdgeRow[] }
  readonly claims: readonly ExclusiveClaim[]
}

/** Inserts new versions and their edges with ids and positions that were read before. Returns the versions with their ids. */
async function insertWithIds(changes: DocumentChanges, added: Versions): Promise<Versions> {
  const { transaction, blueprint, documentId } = changes
  // A version that is published when it is created has the same edges as its draft.
  const lists = [...new Set(added.map((version) => version.edges))]
  const edgesOfLists = lists.map((list) => compare(blueprint, NONE, list).added)
  const withoutPosition = edgesOfLists.flatMap((some) =>
    some.filter(({ inversePosition }) => inversePosition === null),
  )
  const { nextId, positions } = await reserveIds(transaction, blueprint.type.table, withoutPosition)
  const stored = added.map((version, index) => ({ ...version, id: nextId + index }))
  void insertVersions(transaction, blueprint, documentId, stored)
  const position = positions.values()
  const positioned = edgesOfLists.map((some) =>
    some.map((edge) => ({
      ...edge,
      inversePosition: edge.inversePosition ?? position.next().value ?? null,
    })),
  )
  const newEdges = stored.flatMap(({ id: source, published, edges: list }) =>
    (positioned[lists.indexOf(list)] ?? []).map((edge) => ({ ...edge, source, published })),
  )
  saveEdges(changes)
  insertEdges(transaction, newEdges)
  return stored
}

/** Inserts new versions, and edges whose statement finds their rows and positions: that saves a round trip. */
function insertWithoutIds(changes: DocumentChanges, added: Versions): StoredRows {
  const { transaction, blueprint, documentId } = changes
  const rows = insertVersions(transaction, blueprint, documentId, added)
  saveEdges(changes)
  const newEdges = added.flatMap((version): NewEdgeRow[] => {
    const { locale } = version
    // A version that is published when it is created shares its edges with its draft: one statement inserts both.
    const twin = added.find((one) => one !== version && one.locale === locale && one.edges === version.edges)
    const published = twin ? null : version.published
    if (twin && version.published) return []
    return compare(blueprint, NONE, version.edges).added.map((edge) => ({ ...edge, locale, published }))
  })
  insertEdgesOfNew(transaction, blueprint.type, documentId, newEdges)
  return rows
}

function saveEdges({ transaction, blueprint, edges, claims }: DocumentChanges) {
  for (const claim of claims) removeFromFormerOwners(transaction, blueprint.type, claim)
  deleteEdges(transaction, edges.removed)
  insertEdges(transaction, edges.added)
}

/** The versions with the new ones replaced by the stored ones, which are in the same order. */
function withRows(versions: Versions, stored: Versions): Versions {
  const rows = stored.values()
  return versions.map((version) => (version.id === null ? (rows.next().value ?? version) : version))
}

/** The targets that the versions of a document take over from other owners. */
export function claimsOf(
  { exclusive }: Blueprint,
  documentId: string,
  before: Versions,
  after: Versions,
): ExclusiveClaim[] {
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

/** The edges that versions have and their rows do not, and the reverse. */
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

/** The edges that a version lost and gained. */
function compare(blueprint: Blueprint, before: EdgeLists, after: EdgeLists) {
  const removed: Removed[] = []
  const added: Added[] = []
  for (const [entry, relations] of before) {
    for (const [relation, edges] of relations) {
      const kept = byTarget(after.get(entry)?.get(relation))
      for (const { target, position, inversePosition } of edges) {
        const edge = kept.get(target)
        if (edge?.position !== position || edge.inversePosition !== inversePosition)
          removed.push({ relation, entry, target })
      }
    }
  }
  for (const [entry, relations] of after) {
    for (const [relation, edges] of relations) {
      const old = byTarget(before.get(entry)?.get(relation))
      // Only two-way relations need a position on the other side: null puts a new edge last there.
      const newPosition = blueprint.twoWay.has(relation) ? null : 0
      for (const edge of edges) {
        const { target, targetType, position, inversePosition } = edge
        const before = old.get(target)
        if (before?.position === position && before.inversePosition === inversePosition) continue
        const stored = inversePosition ?? newPosition
        added.push({ relation, entry, target, targetType, position, inversePosition: stored })
      }
    }
  }
  return { removed, added }
}

const NO_EDGES: ReadonlyMap<string, Edge> = new Map()

const byTarget = (edges: readonly Edge[] = []): ReadonlyMap<string, Edge> =>
  edges.length === 0 ? NO_EDGES : new Map(edges.map((edge) => [edge.target, edge]))
