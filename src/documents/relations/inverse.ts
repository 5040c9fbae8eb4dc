/**
 * The inverse side of two-way relations: its edges belong to rows of the owners. A document with drafts changes the
 * draft rows of owners with drafts; one without changes both. Owners without drafts have one row for everything.
 */
import { sql } from 'kysely'
import { EDGES } from '../../store/layout.ts'
import type { Transaction } from '../../store/store.ts'
import type { Blueprint, Inverse } from '../blueprint.ts'
import { deleteEdges, deleteEdgesFrom, type EdgeRow, insertEdges } from '../edge-rows.ts'
import type { Path, Problems } from '../problems.ts'
import { amongNumbers, place, statement } from '../statement.ts'
import { connect, disconnect, follow, type Placed, replace } from './arrange.ts'
import { keyed, targetsOf, unknownAnchor } from './edges.ts'
import type { Operation } from './operation.ts'
import type { Target } from './targets.ts'

/** The document whose inverse side is written, and in which locale. */
export interface Seen {
  readonly blueprint: Blueprint
  readonly documentId: string
  /** '' on types that are not localized. */
  readonly locale: string
}

/** The locale of the owners' rows that a document sees. */
export function ownerLocale({ blueprint: { type, model }, locale }: Seen, { owner }: Inverse): string {
  if (!owner.localized) return ''
  return type.localized ? locale : model.locales.default
}

/** Which rows of the owners the edited version sees: drafts (false), published ones (true), or both. */
const statusesOf = ({ blueprint: { type } }: Seen, { owner }: Inverse): readonly boolean[] =>
  owner.draftAndPublish ? (type.draftAndPublish ? [false] : [false, true]) : [true]

interface OwnerEdge extends Placed {
  readonly source: number
  /** Its place in the owner's list. */
  readonly own: number
}

/** Does what a body asks of an inverse attribute. */
export async function writeInverse(
  transaction: Transaction,
  seen: Seen,
  inverse: Inverse,
  operation: Operation<Target>,
  path: Path,
  problems: Problems,
) {
  const statuses = statusesOf(seen, inverse)
  const locale = ownerLocale(seen, inverse)
  const before = await loadOwners(transaction, seen, inverse, statuses, locale)
  const rowOf = (target: Target, published: boolean) =>
    target.rows.find((row) => row.locale === locale && row.published === published)?.id ?? null
  for (const target of targetsOf(operation)) {
    if (statuses.some((published) => rowOf(target, published) !== null)) continue
    const missing = locale === '' ? 'no version' : `no version in the locale ${locale}`
    problems.add(path, `names the document ${target.documentId}, which has ${missing}`)
  }
  if (!problems.none) return
  const has = (target: Target, published: boolean) => rowOf(target, published) !== null
  const after = inverse.attribute.many
    ? changeLists(before, operation, has, path, problems)
    : changeSingle(before, operation, has)
  if (after === null) return
  const sources = new Map(
    targetsOf(operation).flatMap((target) =>
      statuses.flatMap((published): [string, number][] => {
        const id = rowOf(target, published)
        return id === null ? [] : [[`${published} ${target.documentId}`, id]]
      }),
    ),
  )
  const removed: number[] = []
  const moved: number[] = []
  const stored: EdgeRow[] = []
  const joining: number[] = []
  const edge = (source: number, position: number | null, placed: Placed): EdgeRow => ({
    relation: inverse.relation,
    source,
    entry: 0,
    target: seen.documentId,
    targetType: inverse.attribute.morph ? seen.blueprint.type.uid : null,
    position,
    inverse: placed.position,
  })
  for (const published of statuses) {
    const old = new Map(before.get(published)?.map((one) => [one.key, one]))
    const list = after.get(published) ?? []
    const keys = new Set(list.map(({ key }) => key))
    for (const one of old.values()) if (!keys.has(one.key)) removed.push(one.source)
    for (const placed of list) {
      const known = old.get(placed.key)
      if (known?.position === placed.position) continue
      const source = known?.source ?? sources.get(`${published} ${placed.key}`)
      if (source === undefined) continue
      if (known) moved.push(source)
      else joining.push(source)
      stored.push(edge(source, known ? known.own : inverse.ownerAttribute.many ? null : 1, placed))
    }
  }
  await storeOwnerEdges(transaction, seen, inverse, { removed, moved, joining, stored })
}

interface OwnerChanges {
  /** Rows that lose their edge, whose edge moves in our list, and that get one. */
  readonly removed: readonly number[]
  readonly moved: readonly number[]
  readonly joining: readonly number[]
  readonly stored: readonly EdgeRow[]
}

async function storeOwnerEdges(
  transaction: Transaction,
  { documentId }: Seen,
  { relation, owner, ownerAttribute }: Inverse,
  { removed, moved, joining, stored }: OwnerChanges,
) {
  // An owner that has room for one leaves the document it had.
  if (!ownerAttribute.many) await deleteEdgesFrom(transaction, [relation], joining)
  await deleteEdges(
    transaction,
    [...removed, ...moved].map((source) => ({ relation, source, entry: 0, target: documentId })),
  )
  await insertEdges(transaction, stored)
  const changed = [...removed, ...joining]
  if (changed.length === 0) return
  const build = () => sql`update ${sql.table(owner.table)} set revision = revision + 1
    where ${amongNumbers(transaction.engine, sql.ref('id'))}`
  await transaction.run(
    statement(transaction.engine, `bump|${owner.table}`, build, [JSON.stringify(changed)]),
  )
  transaction.touch(owner.table)
}

type Lists<Item extends Placed> = ReadonlyMap<boolean, readonly Item[]>

async function loadOwners(
  transaction: Transaction,
  { documentId }: Seen,
  { relation, owner }: Inverse,
  statuses: readonly boolean[],
  locale: string,
): Promise<Lists<OwnerEdge>> {
  const build = () => sql`select e.source, e.position, e.inverse_position, o.document_id, o.published
    from ${sql.table(EDGES)} as e join ${sql.table(owner.table)} as o on o.id = e.source
    where e.target = ${place} and e.relation = ${place} and o.locale = ${place}
    order by e.inverse_position, e.source`
  const rows = await transaction.all(
    statement(transaction.engine, `owners|${owner.table}`, build, [documentId, relation, locale]),
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

type Has = (target: Target, published: boolean) => boolean

/** Several documents for one place: the last counts. */
function changeSingle(before: Lists<Placed>, operation: Operation<Target>, has: Has): Lists<Placed> {
  const last = targetsOf(operation).at(-1)
  return mapLists(before, (list, published) => {
    if (last) return has(last, published) ? replace(list, [last.documentId]) : []
    return operation.kind === 'set' ? [] : disconnect(list, keysOf(operation.disconnect))
  })
}

const keysOf = (targets: readonly Target[]) => targets.map(({ documentId }) => documentId)

const mapLists = <Item extends Placed>(
  lists: Lists<Item>,
  change: (list: readonly Item[], published: boolean) => readonly Placed[],
): Map<boolean, readonly Placed[]> =>
  new Map([...lists].map(([published, list]) => [published, change(list, published)]))

/** The same change in the list of drafts and in that of published owners; null on an anchor that neither has. */
function changeLists(
  before: Lists<Placed>,
  operation: Operation<Target>,
  has: Has,
  path: Path,
  problems: Problems,
): Lists<Placed> | null {
  if (operation.kind === 'set') {
    // Numbers that no version used before: they cannot meet those of versions that are not written now.
    const last = [...before.values()].flat().reduce((most, { position }) => Math.max(most, position), 0)
    const first = Math.floor(last) + 1
    return mapLists(before, (list, published) =>
      replace(list, keysOf(operation.targets.filter((target) => has(target, published))), first),
    )
  }
  const lists = mapLists(before, (list) => disconnect(list, keysOf(operation.disconnect)))
  for (const [index, { target, place: asked }] of operation.connect.entries()) {
    const shown = [...lists.keys()].filter((published) => has(target, published))
    const placed = new Map(
      [...lists.keys()].map((published) => [
        published,
        connect(lists.get(published) ?? [], target.documentId, keyed(asked)),
      ]),
    )
    const model = [...placed.values()].find((list) => list !== null)
    if (!model) {
      unknownAnchor(problems, path, index, asked)
      return null
    }
    // A list without the anchor follows the order of the one that has it.
    for (const published of shown) {
      lists.set(
        published,
        placed.get(published) ?? follow(lists.get(published) ?? [], target.documentId, model),
      )
    }
  }
  return lists
}

/** Makes the owners' rows of one status show to the document what those of the other status show. */
export async function syncInverses(transaction: Transaction, seen: Seen, to: 'draft' | 'published') {
  const { type, inverses } = seen.blueprint
  const both = type.draftAndPublish ? [...inverses.values()].filter(({ owner }) => owner.draftAndPublish) : []
  if (both.length === 0) return
  let found = await differences(transaction, seen, both, to)
  if (found.length === 0) return
  await transaction.lock([...new Set(found.map(({ owner }) => owner))])
  found = await differences(transaction, seen, both, to)
  for (const [index, inverse] of both.entries()) {
    const own = found.filter((one) => one.index === index)
    const wanted = own.filter((one) => one.wanted)
    await storeOwnerEdges(transaction, seen, inverse, {
      removed: own.filter((one) => !one.wanted).map(({ source }) => source),
      moved: wanted.filter((one) => !one.joins).map(({ source }) => source),
      joining: wanted.filter((one) => one.joins).map(({ source }) => source),
      stored: wanted.map(({ source, position, inverse: order }) => ({
        relation: inverse.relation,
        source,
        entry: 0,
        target: seen.documentId,
        targetType: inverse.attribute.morph ? type.uid : null,
        position: inverse.ownerAttribute.many ? position : 1,
        inverse: order,
      })),
    })
  }
}

interface Difference {
  readonly index: number
  readonly wanted: boolean
  /** Whether the row has no edge to the document yet. */
  readonly joins: boolean
  readonly source: number
  readonly owner: string
  readonly position: number | null
  readonly inverse: number
}

async function differences(
  transaction: Transaction,
  seen: Seen,
  inverses: readonly Inverse[],
  to: 'draft' | 'published',
): Promise<readonly Difference[]> {
  const edges = sql.table(EDGES)
  const parts = (inverse: Inverse, index: number) => {
    const table = sql.table(inverse.owner.table)
    const twins = sql`t.document_id = f.document_id and t.locale = f.locale`
    // f and t are the rows of an owner that the order is taken from and brought to; d and e their edges.
    const where = (
      edge: 'd' | 'e',
    ) => sql`${sql.id(edge)}.target = ${place} and ${sql.id(edge)}.relation = ${place}
      and f.locale = ${place} and f.document_id <> ${place}
      and f.published = ${sql.lit(to === 'published' ? 0 : 1)} and t.published = ${sql.lit(to === 'published' ? 1 : 0)}`
    const taken = sql`exists (select 1 from ${edges} as x where x.relation = d.relation and x.source = t.id
      and x.entry = 0 and x.position = d.position)`
    return [
      sql`select ${sql.lit(index)} as n, 1 as wanted, t.id as source, f.document_id as owner,
          case when e.target is null then 1 else 0 end as joins,
          case when e.target is not null then e.position when ${taken} then null else d.position end as position,
          d.inverse_position as inverse_position
        from ${edges} as d join ${table} as f on f.id = d.source join ${table} as t on ${twins}
        left join ${edges} as e on e.relation = d.relation and e.source = t.id and e.entry = 0 and e.target = d.target
        where ${where('d')} and (e.target is null or e.inverse_position <> d.inverse_position)`,
      sql`select ${sql.lit(index)} as n, 0 as wanted, t.id as source, f.document_id as owner, 0 as joins,
          e.position as position, e.inverse_position as inverse_position
        from ${edges} as e join ${table} as t on t.id = e.source join ${table} as f on ${twins}
        left join ${edges} as d on d.relation = e.relation and d.source = f.id and d.entry = 0 and d.target = e.target
        where ${where('e')} and d.target is null`,
    ]
  }
  const build = () => sql.join(inverses.flatMap(parts), sql` union all `)
  const parameters = inverses.flatMap((inverse) => {
    const own = [seen.documentId, inverse.relation, ownerLocale(seen, inverse), seen.documentId]
    return [...own, ...own]
  })
  const shape = `differences|${seen.blueprint.type.uid}|${inverses.map(({ owner }) => owner.table).join()}|${to}`
  const rows = await transaction.all(statement(transaction.engine, shape, build, parameters))
  return rows.map((row) => ({
    index: Number(row.n),
    wanted: row.wanted === 1,
    joins: row.joins === 1,
    source: Number(row.source),
    owner: String(row.owner),
    position: row.position === null ? null : Number(row.position),
    inverse: Number(row.inverse_position),
  }))
}
