/**
 * The inverse side of two-way relations, written from there: its edges belong to rows of the owners. A document with
 * drafts changes the draft rows of owners with drafts; one without changes both. Owners without drafts have one row.
 */
import { sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'
import { EDGES } from '../../store/tables/layout.ts'
import type { Path, Problems } from '../input/problems.ts'
import type { Inverse } from '../rows/blueprint.ts'
import { place, statement } from '../rows/statement.ts'
import { loadRowIds } from '../rows/version-rows.ts'
import { writtenOf } from '../write-context.ts'
import type { Others } from './affected-documents.ts'
import { changeList, changeOne, targetsOf } from './edges.ts'
import type { Operation } from './operation.ts'
import type { Placed } from './ordering.ts'
import { type OwnerEdge, ownerLocale, type Seen, storeOwnerEdges } from './owners.ts'
import type { Target } from './targets.ts'

/** An owner in the list of the document. */
interface Listed extends Placed {
  readonly source: number
  /** Its place in the owner's list. */
  readonly own: number
}

/** Lists of owners by status: drafts (false) and published ones (true), as far as the document sees them. */
type Lists<Item extends Placed> = ReadonlyMap<boolean, readonly Item[]>

const statusesOf = ({ blueprint: { type } }: Seen, { owner }: Inverse): readonly boolean[] =>
  owner.draftAndPublish ? (type.draftAndPublish ? [false] : [false, true]) : [true]

/** What a body asks of an inverse attribute. */
export interface AskedInverse {
  readonly inverse: Inverse
  readonly operation: Operation<Target>
  readonly path: Path
}

/** Does what a body asks of an inverse attribute. */
export async function writeInverse(
  transaction: Transaction,
  seen: Seen,
  { inverse, operation, path }: AskedInverse,
  problems: Problems,
  others: Others,
) {
  const locale = ownerLocale(seen, inverse)
  const statuses = statusesOf(seen, inverse)
  // A document that names itself may have had no such row when the names were looked up.
  const ownRows = targetsOf(operation).some(({ documentId }) => documentId === seen.documentId)
    ? await loadRowIds(transaction, seen.blueprint, seen.documentId)
    : []
  const rowsOf = (target: Target) => (target.documentId === seen.documentId ? ownRows : target.rows)
  const rowOf = (target: Target, published: boolean) =>
    rowsOf(target).find((row) => row.locale === locale && row.published === published)?.id ?? null
  for (const target of targetsOf(operation)) {
    if (statuses.some((published) => rowOf(target, published) !== null)) continue
    const missing = locale === '' ? 'no version' : `no version in the locale ${locale}`
    problems.add(path, `names the document ${target.documentId}, which has ${missing}`)
  }
  if (!problems.none) return
  const before = await loadOwners(transaction, seen, inverse, statuses, locale)
  const union = unionOf(before)
  const order = inverse.attribute.many
    ? changeList(union, operation, path, problems, afterAll(union))
    : changeOne(union, operation, path, problems)
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
  const named = new Set([...added.keys(), ...disconnectedBy(operation)])
  const versionsOf = (test: (edge: OwnerEdge) => boolean) =>
    changes.filter(test).map(({ owner, published }) => writtenOf(owner, { locale, published }))
  await others.lose(
    inverse.owner,
    versionsOf(({ owner, has }) => !has && !named.has(owner)),
  )
  storeOwnerEdges(transaction, seen, inverse, changes)
  others.change(
    inverse.owner,
    versionsOf(({ had, has }) => had !== has),
  )
}

const disconnectedBy = (operation: Operation<Target>): readonly string[] =>
  operation.kind === 'set' ? [] : operation.disconnect.map(({ documentId }) => documentId)

async function loadOwners(
  transaction: Transaction,
  { documentId }: Seen,
  { relation, owner }: Inverse,
  statuses: readonly boolean[],
  locale: string,
): Promise<Lists<Listed>> {
  const build = () => sql`select e.source, e.position, e.inverse_position, o.document_id, o.published
    from ${sql.table(EDGES)} as e join ${sql.table(owner.table)} as o on o.id = e.source
    where e.target = ${place} and e.relation = ${place} and o.locale = ${place}
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
          own: Number(row.position),
        })),
    ]),
  )
}

/**
 * Drafts and published owners as the one list that the document has: an owner has the place of its draft. Both lists
 * get their places from it, so that they agree in what they both show.
 */
function unionOf(lists: Lists<Placed>): readonly Placed[] {
  const places = new Map<string, Placed>()
  for (const published of [true, false])
    for (const one of lists.get(published) ?? []) places.set(one.key, one)
  return [...places.values()].sort((one, other) => one.position - other.position)
}

/** A number past all others: a list that is set anew must not meet the places of versions that are not written now. */
const afterAll = (list: readonly Placed[]) => Math.floor(Math.max(0, list.at(-1)?.position ?? 0)) + 1

/** What becomes of the edges of one list. `sourceOf` is the row of an owner that shall be in it, or null. */
function changesOf(
  before: readonly Listed[],
  order: readonly Placed[],
  published: boolean,
  sourceOf: (key: string) => number | null,
): OwnerEdge[] {
  const old = new Map(before.map((one) => [one.key, one]))
  const kept = order.flatMap(({ key, position }): OwnerEdge[] => {
    const source = sourceOf(key)
    if (source === null) return []
    const known = old.get(key)
    old.delete(key)
    if (known?.position === position) return []
    const places = { position: known?.own ?? null, inverse: position }
    return [{ owner: key, source, published, had: known !== undefined, has: true, ...places }]
  })
  const gone = [...old.values()].map(
    ({ key, source, own, position }): OwnerEdge => ({
      owner: key,
      source,
      published,
      had: true,
      has: false,
      position: own,
      inverse: position,
    }),
  )
  return [...gone, ...kept]
}
