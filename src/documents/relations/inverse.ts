/**
 * Writes two-way relations from their inverse side, where the edges belong to rows of the owners. A document with drafts
 * changes the draft rows of owners with drafts; one without drafts changes both. Owners without drafts have one row.
 */
import { sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'
import { EDGES } from '../../store/tables/layout.ts'
import type { Path } from '../input/problems.ts'
import type { Inverse } from '../rows/blueprint.ts'
import { loadRowIds } from '../rows/load-versions.ts'
import { placeholder, statement } from '../rows/statement.ts'
import { type WriteContext, writtenOf } from '../write-context.ts'
import type { AffectedDocuments } from './affected-documents.ts'
import { changeList, changeOne, targetsOf } from './edges.ts'
import { findHidden } from './hidden-targets.ts'
import type { Operation } from './operation.ts'
import type { PositionedItem } from './ordering.ts'
import { checkDisplaced, type OwnerEdge, ownerLocale, storeOwnerEdges } from './owners.ts'
import type { Target } from './targets.ts'

/** An owner in the document's list; its `position` is that in the document's list. */
interface ListedOwner extends PositionedItem {
  readonly source: number
  readonly positionAtOwner: number
}

/** The document's list of owners for each status: drafts (false) and published versions (true). */
type ListsByStatus<Item extends PositionedItem> = ReadonlyMap<boolean, readonly Item[]>

const statusesOf = ({ blueprint: { type } }: WriteContext, { owner }: Inverse): readonly boolean[] =>
  owner.draftAndPublish ? (type.draftAndPublish ? [false] : [false, true]) : [true]

/** What a body changes in an inverse attribute. */
export interface InverseChange {
  readonly inverse: Inverse
  readonly operation: Operation<Target>
  readonly path: Path
}

export async function writeInverse(
  context: WriteContext,
  { inverse, operation, path }: InverseChange,
  affected: AffectedDocuments,
) {
  const { transaction, blueprint, documentId, problems } = context
  const locale = ownerLocale(context, inverse)
  const statuses = statusesOf(context, inverse)
  // When a document names itself, its rows may not have existed yet when the targets were read.
  const ownRows = targetsOf(operation).some((target) => target.documentId === documentId)
    ? await loadRowIds(transaction, blueprint, documentId)
    : []
  const rowsOf = (target: Target) => (target.documentId === documentId ? ownRows : target.rows)
  const rowOf = (target: Target, published: boolean) =>
    rowsOf(target).find((row) => row.locale === locale && row.published === published)?.id ?? null
  for (const target of targetsOf(operation)) {
    if (statuses.some((published) => rowOf(target, published) !== null)) continue
    const missing = locale === '' ? 'no version' : `no version in the locale ${locale}`
    problems.add(path, `refers to document ${target.documentId}, which has ${missing}`)
  }
  if (!problems.isEmpty) return
  const before = await loadOwners(context, inverse, statuses, locale)
  const merged = mergedList(before)
  const isHidden = await hiddenOwners(context, inverse, operation, merged)
  const change = { path, problems, isHidden, first: positionAfter(merged) }
  const order = inverse.attribute.many
    ? changeList(merged, operation, change)
    : changeOne(merged, operation, change)
  if (order === null) return
  const added = new Map(targetsOf(operation).map((target) => [target.documentId, target]))
  const changes = [...before].flatMap(([published, list]) => {
    const present = new Map(list.map(({ key, source }) => [key, source]))
    return changesOf(list, order, published, (key) => {
      const target = added.get(key)
      return target ? rowOf(target, published) : (present.get(key) ?? null)
    })
  })
  if (changes.length === 0) return
  await checkDisplaced(context, inverse, changes)
  const named = new Set([...added.keys(), ...disconnectedBy(operation)])
  const versionsOf = (test: (edge: OwnerEdge) => boolean) =>
    changes.filter(test).map(({ owner, published }) => writtenOf(owner, { locale, published }))
  await affected.checkLosing(
    inverse.owner,
    versionsOf(({ owner, has }) => !has && !named.has(owner)),
  )
  storeOwnerEdges(context, inverse, changes)
  keepPositionsAhead(transaction, changes)
  affected.addChanged(
    inverse.owner,
    versionsOf(({ had, has }) => had !== has),
  )
}

/** Tells which of the owners the caller may not see, as far as the operation could remove them. */
async function hiddenOwners(
  context: WriteContext,
  { attribute, owner }: Inverse,
  operation: Operation<Target>,
  list: readonly PositionedItem[],
): Promise<(key: string) => boolean> {
  if (attribute.many && operation.kind === 'change') return () => false
  const owners = list.map(({ key }) => ({ type: owner.uid, documentId: key }))
  const hidden = await findHidden(context, owners)
  return (key) => hidden.has(owner.uid, key)
}

/** Edges that are added from the other side later must come after these. */
function keepPositionsAhead(transaction: Transaction, stored: readonly OwnerEdge[]) {
  if (stored.length === 0) return
  const { dialect } = transaction
  const highest = stored.reduce((most, { inversePosition }) => Math.max(most, inversePosition), 0)
  for (const advance of dialect.advancePositions(placeholder))
    transaction.run(statement(dialect, 'positions', () => advance, [highest]))
}

const disconnectedBy = (operation: Operation<Target>): readonly string[] =>
  operation.kind === 'set' ? [] : operation.disconnect.map(({ documentId }) => documentId)

async function loadOwners(
  { transaction, documentId }: WriteContext,
  { relation, owner }: Inverse,
  statuses: readonly boolean[],
  locale: string,
): Promise<ListsByStatus<ListedOwner>> {
  const build = () => sql`select e.source, e.position, e.inverse_position, o.document_id, o.published
    from ${sql.table(EDGES)} as e join ${sql.table(owner.table)} as o on o.id = e.source
    where e.target = ${placeholder} and e.relation = ${placeholder} and o.locale = ${placeholder}
    order by e.inverse_position, e.source`
  const rows = await transaction.all(
    statement(transaction.dialect, `owners|${owner.table}`, build, [documentId, relation, locale]),
  )
  return new Map(
    statuses.map((published) => [
      published,
      rows
        .filter((row) => (row.published === 1) === published)
        .map((row) => ({
          key: String(row.document_id),
          position: Number(row.inverse_position),
          source: Number(row.source),
          positionAtOwner: Number(row.position),
        })),
    ]),
  )
}

/**
 * Draft and published owners as one list, in which an owner has the position of its draft. Both lists take their
 * positions from it, so that they agree on the order of what they both show.
 */
function mergedList(lists: ListsByStatus<PositionedItem>): readonly PositionedItem[] {
  const items = new Map<string, PositionedItem>()
  for (const published of [true, false]) for (const one of lists.get(published) ?? []) items.set(one.key, one)
  return [...items.values()].sort((one, other) => one.position - other.position)
}

/** A new list starts after all old positions, which rows that this write leaves alone still have. */
const positionAfter = (list: readonly PositionedItem[]) =>
  Math.floor(Math.max(0, list.at(-1)?.position ?? 0)) + 1

/** The changes of one list. `sourceOf` gives the row of an owner in the new order, or null if it has none. */
function changesOf(
  before: readonly ListedOwner[],
  order: readonly PositionedItem[],
  published: boolean,
  sourceOf: (key: string) => number | null,
): OwnerEdge[] {
  const remaining = new Map(before.map((one) => [one.key, one]))
  const kept = order.flatMap(({ key, position }): OwnerEdge[] => {
    const source = sourceOf(key)
    if (source === null) return []
    const known = remaining.get(key)
    remaining.delete(key)
    if (known?.position === position) return []
    return [
      {
        owner: key,
        source,
        published,
        had: known !== undefined,
        has: true,
        position: known?.positionAtOwner ?? null,
        inversePosition: position,
      },
    ]
  })
  const removed = [...remaining.values()].map(
    ({ key, source, positionAtOwner, position }): OwnerEdge => ({
      owner: key,
      source,
      published,
      had: true,
      has: false,
      position: positionAtOwner,
      inversePosition: position,
    }),
  )
  return [...removed, ...kept]
}
