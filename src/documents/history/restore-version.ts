/** Makes a saved state the content of its document again, or creates the document if it was deleted. */
import { errors, type FieldProblem } from '../../errors.ts'
import { type Attribute, type ContentType, FILE } from '../../model/model.ts'
import { compile } from '../../store/compile.ts'
import type { Sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'
import { type Layout, reachableComponents } from '../../store/tables/layout.ts'
import type { Documents, ReadBack, WriteOptions, WriteRequest } from '../contract.ts'
import type { Reference } from '../relations/operation.ts'
import { findTargets } from '../relations/targets.ts'
import { visibleTargets } from '../relations/visible-targets.ts'
import { type Blueprint, blueprintOf } from '../rows/blueprint.ts'
import type { Version } from '../versions/version.ts'
import { bodyOfState, type StateOfTarget } from './body-of-state.ts'
import type { ConvertedState } from './convert-state.ts'
import { readState } from './read-states.ts'

export interface Restored<Result> {
  readonly result: Result
  /** What the state had that could not be restored, with the reasons. */
  readonly notRestored: readonly FieldProblem[]
}

export interface VersionToRestore {
  /** The document to change; it is created with this documentId if it does not exist. */
  readonly documentId: string
  /** The number of a saved state of this document, or, on a single type, of an earlier one. */
  readonly version: number
}

/**
 * Restores a saved state in an open transaction, as an update by the caller of the request: of the draft, and of the
 * published version too if the request has the status `published`. The locale of the request must be that of the state.
 */
export async function restoreVersion<Result>(
  transaction: Transaction,
  documents: Documents,
  layout: Layout,
  request: WriteRequest,
  { documentId, version }: VersionToRestore,
  readBack: ReadBack<Result>,
  options: WriteOptions = {},
): Promise<Restored<Result>> {
  const { type, scope } = request
  const read = (query: Sql) => transaction.all(compile(transaction.dialect, query))
  const reader = { read, layout }
  const found = await readState(reader, type, type.kind === 'single' ? null : documentId, version)
  if (!found) throw errors.notFound()
  const saved = found.state.version
  const blueprint = blueprintOf(layout, type)
  const stateOfTarget = await findExisting(transaction, blueprint, request, saved)
  const { data, notRestored } = bodyOfState(blueprint, saved, scope, stateOfTarget)
  const result = await documents.update(request, documentId, data, readBack, { ...options, restored: saved })
  return { result, notRestored: [...lostInMigrations(type, found.state), ...notRestored] }
}

/** What the model of today cannot hold of a state. */
const lostInMigrations = (
  { singular, attributes }: ContentType,
  { removed, incomplete }: ConvertedState,
): FieldProblem[] => [
  ...[...removed.keys()].map((name) => ({
    path: [name],
    message: attributes.has(name)
      ? `${name} was not restored: its value could not be converted`
      : `${name} was not restored: ${singular} no longer has this attribute`,
  })),
  ...[...incomplete].map((name) => ({
    path: [name],
    message: attributes.has(name)
      ? `${name} was not restored completely: content-types have changed since then`
      : `${name} was not restored: ${singular} no longer has this attribute`,
  })),
]

/** The content-type that each relation of a type and of its components leads to; polymorphic ones are left out. */
function targetTypes({ model, type, owned, relationIn }: Blueprint): ReadonlyMap<number, string> {
  const types = new Map<number, string>()
  const add = (attribute: Attribute, relation: () => number) => {
    if (attribute.kind === 'media') types.set(relation(), FILE)
    else if (attribute.kind === 'relation' && attribute.side === 'owner' && attribute.target !== null)
      types.set(relation(), attribute.target)
  }
  for (const { attribute, relation } of owned.values()) add(attribute, () => relation)
  for (const { uid, attributes } of reachableComponents(model, type))
    for (const attribute of attributes.values()) add(attribute, () => relationIn(uid, attribute.name))
  return types
}

/** Finds out which targets of the state's edges still exist for the caller. */
async function findExisting(
  transaction: Transaction,
  blueprint: Blueprint,
  request: WriteRequest,
  version: Version,
): Promise<StateOfTarget> {
  const { model, type } = blueprint
  const references = referencesOf(blueprint, version).filter((reference) => model.types.has(reference.type))
  if (references.length === 0) return () => 'missing'
  const targets = await findTargets(transaction, model, references, false)
  const publishes = request.status === 'published' || !type.draftAndPublish
  const visible = await visibleTargets(transaction, model, targets, { request, changed: [], publishes })
  return (uid, documentId) => {
    const reference = { type: uid, name: { documentId }, path: [] }
    if (visible.find(reference)) return 'visible'
    // Whether a rule would have covered a document that is gone cannot be known.
    const mayKnowAll = !targets.find(reference) && !request.scope.rule(uid, 'find')?.filters
    return mayKnowAll ? 'missing' : 'unknown'
  }
}

/** Every target of the version's edges, of the type that its relation leads to. */
function referencesOf(blueprint: Blueprint, { edges }: Version): Reference[] {
  const types = targetTypes(blueprint)
  return [...edges.values()].flatMap((relations) =>
    [...relations].flatMap(([relation, list]) =>
      list.map(({ target, targetType }) => ({
        type: targetType ?? types.get(relation) ?? '',
        name: { documentId: target },
        path: [],
      })),
    ),
  )
}
