/** Stores what became of a document: the rows and edges that differ from what was loaded, and no others. */
import type { Transaction } from '../store/store.ts'
import type { Blueprint } from './blueprint.ts'
import {
  deleteEdges,
  deleteEdgesFrom,
  type EdgeKey,
  type EdgeRow,
  insertEdges,
  takeFromOwners,
} from './edge-rows.ts'
import type { EdgeLists, Version, Versions } from './version.ts'
import { deleteVersions, insertVersions, updateVersions } from './version-rows.ts'

/** Writes the difference between two states of a document; untouched versions are the same object in both. Answers with the rows it has now. */
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
  await deleteEdgesFrom(transaction, blueprint.relations, gone)
  await deleteVersions(transaction, blueprint, gone)
  await updateVersions(transaction, blueprint, pairs)
  const inserted = await insertVersions(
    transaction,
    blueprint,
    documentId,
    after.filter(({ id }) => id === null),
  )
  await saveEdges(transaction, blueprint, documentId, [
    ...pairs.map((pair) => ({ version: pair.after, before: pair.before.edges })),
    ...inserted.map((version) => ({ version, before: NONE })),
  ])
  return [...after.filter(({ id }) => id !== null), ...inserted]
}

const NONE: EdgeLists = new Map()

async function saveEdges(
  transaction: Transaction,
  blueprint: Blueprint,
  documentId: string,
  changes: readonly { readonly version: Version; readonly before: EdgeLists }[],
) {
  const removed: EdgeKey[] = []
  const added: EdgeRow[] = []
  for (const { version, before } of changes) {
    if (version.edges === before) continue
    const difference = compare(blueprint, before, version)
    removed.push(...difference.removed)
    added.push(...difference.added)
    for (const [relation, targets] of difference.taken) {
      await takeFromOwners(transaction, blueprint.type, relation, targets, {
        documentId,
        published: version.published,
        locale: version.locale,
      })
    }
  }
  await deleteEdges(transaction, removed)
  await insertEdges(transaction, added)
}

/** What separates the edges of a version from those its row has. */
function compare(blueprint: Blueprint, before: EdgeLists, version: Version) {
  const source = Number(version.id)
  const removed: EdgeKey[] = []
  const added: EdgeRow[] = []
  const taken = new Map<number, string[]>()
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
        if (edge?.position !== position || edge.inverse !== inverse)
          removed.push({ relation, source, entry, target })
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
        added.push({ relation, source, entry, target, targetType, position, inverse: inverse ?? last })
        if (!edge && blueprint.exclusive.has(relation))
          taken.set(relation, [...(taken.get(relation) ?? []), target])
      }
    }
  }
  return { removed, added, taken }
}
