/** The statements on the table of edges. Each takes any number of edges at once. */
import type { ContentType } from '../../model/model.ts'
import type { Dialect } from '../../store/dialect.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { SqlValue } from '../../store/statement.ts'
import type { Transaction } from '../../store/store.ts'
import { EDGES } from '../../store/tables/layout.ts'
import type { Written } from '../contract.ts'
import type { Edge, EdgeLists } from '../versions/version.ts'
import { amongNumbers, amongTexts, place, places, statement } from './statement.ts'

const edges = sql.table(EDGES)

export interface EdgeKey {
  readonly relation: number
  readonly source: number
  readonly entry: number
  readonly target: string
}

/** An edge to store; null puts it last in the list of its owner, or in that of its target. */
export interface EdgeRow extends EdgeKey {
  /** Whether the row it starts at is a published one. */
  readonly published: boolean
  readonly targetType: string | null
  readonly position: number | null
  readonly inverse: number | null
}

/** Rows in one statement; more go into several. */
const MOST_ROWS = 64

function chunks<Item>(items: readonly Item[]): (readonly Item[])[] {
  if (items.length <= MOST_ROWS) return items.length === 0 ? [] : [items]
  const count = Math.ceil(items.length / MOST_ROWS)
  return Array.from({ length: count }, (_, index) => items.slice(index * MOST_ROWS, (index + 1) * MOST_ROWS))
}

const MEMBERS = {
  relation: 'integer',
  source: 'bigint',
  entry: 'bigint',
  target: 'text',
  target_type: 'text',
  position: 'double precision',
  inverse_position: 'double precision',
  locale: 'text',
  published: 'integer',
} as const

type Member = keyof typeof MEMBERS

/** `with v as (…)`: the given rows as a table. PostgreSQL learns the types of parameters from the first row. */
function given(members: readonly Member[], count: number) {
  const first = members.map((member) => sql`cast(${place} as ${sql.raw(MEMBERS[member])})`)
  const rows = [sql.join(first), ...Array.from({ length: count - 1 }, () => places(members.length))]
  return sql`with v (${sql.join(members.map((member) => sql.id(member)))}) as (values ${sql.join(rows.map((row) => sql`(${row})`))})`
}

const KEY: readonly Member[] = ['relation', 'source', 'entry', 'target']
const EDGE: readonly Member[] = [...KEY, 'published', 'target_type', 'position', 'inverse_position']
const NEW_EDGE: readonly Member[] = [...EDGE.filter((member) => member !== 'source'), 'locale']

/** Stores edges that are not there yet. */
export function insertEdges(transaction: Transaction, rows: readonly EdgeRow[]) {
  for (const some of chunks(rows)) {
    const { dialect } = transaction
    const isPlaced = some.every(({ position, inverse }) => position !== null && inverse !== null)
    const plain = () => sql`${intoEdges(dialect)}
      values ${sql.join(some.map(() => sql`(${places(EDGE.length)})`))}`
    const placing = () => sql`${given(EDGE, some.length)} ${intoEdges(dialect)}
      select v.relation, v.source, v.entry, v.target, v.published, v.target_type,
        coalesce(v.position, (select coalesce(max(x.position), 0) + 1 from ${edges} as x
          where x.relation = v.relation and x.source = v.source and x.entry = v.entry)),
        coalesce(v.inverse_position, ${afterLastOfTarget(dialect)})
      from v`
    const values: SqlValue[] = []
    for (const row of some) {
      values.push(row.relation, row.source, row.entry, row.target, row.published ? 1 : 0)
      values.push(row.targetType, row.position, row.inverse)
    }
    const shape = `edges insert|${isPlaced}|${some.length}`
    transaction.run(statement(dialect, shape, isPlaced ? plain : placing, values))
    transaction.touch(EDGES)
  }
}

/** An edge of a version whose row has just been inserted, and whose id nobody has asked for. */
export type NewEdgeRow = Omit<EdgeRow, 'source' | 'published'> & {
  readonly locale: string
  /** Null for one of the draft and one of what is published, both just inserted. */
  readonly published: boolean | null
}

const BOTH = 2

/** Stores edges of new versions of a document; the database knows the ids of their rows. */
export function insertEdgesOfNew(
  transaction: Transaction,
  { table }: ContentType,
  documentId: string,
  rows: readonly NewEdgeRow[],
) {
  for (const some of chunks(rows)) {
    const { dialect } = transaction
    // Where an edge comes in its target's list is looked up once for both versions.
    const build = () => sql`${given(NEW_EDGE, some.length)}, n as materialized (
        select v.*, coalesce(v.inverse_position, ${afterLastOfTarget(dialect)}) as place from v)
      ${intoEdges(dialect)}
      select n.relation, o.id, n.entry, n.target, o.published, n.target_type, n.position, n.place
      from n ${dialect.joinInOrder} ${sql.table(table)} as o on o.document_id = ${place}
        and o.locale = n.locale and (n.published = ${sql.lit(BOTH)} or o.published = n.published)`
    const values = some.flatMap((row): SqlValue[] => [
      ...[row.relation, row.entry, row.target, row.published === null ? BOTH : row.published ? 1 : 0],
      ...[row.targetType, row.position, row.inverse, row.locale],
    ])
    const shape = `edges insert of new|${table}|${some.length}`
    transaction.run(statement(dialect, shape, build, [...values, documentId]))
    transaction.touch(EDGES)
  }
}

const intoEdges = (dialect: Dialect) => sql`${dialect.insertInto(edges)}
  (relation, source, entry, target, published, target_type, position, inverse_position)`

/** The number behind all in the list of an edge's target. */
function afterLastOfTarget(dialect: Dialect) {
  const last = (among: Sql) => sql`coalesce((select max(x.inverse_position) from ${edges} as x
    where x.target = v.target and x.relation = v.relation ${among}), 0)`
  if (!dialect.separatesDraftsInInverseIndex) return sql`1 + ${last(sql``)}`
  // Drafts and published ones stand apart in the index, each with the largest number at its end.
  return sql`1 + greatest(${last(sql`and x.published = 0`)}, ${last(sql`and x.published = 1`)})`
}

/** Removes edges that may or may not be there. */
export function deleteEdges(transaction: Transaction, keys: readonly EdgeKey[]) {
  for (const some of chunks(keys)) {
    const build = () => sql`${given(KEY, some.length)} delete from ${edges}
      where (relation, source, entry, target) in (select relation, source, entry, target from v)`
    const values = some.flatMap((key): SqlValue[] => [key.relation, key.source, key.entry, key.target])
    transaction.run(statement(transaction.dialect, `edges delete|${some.length}`, build, values))
    transaction.touch(EDGES)
  }
}

/** The relations of a type are part of the text: they only change with the model. */
const isOneOf = (relations: readonly number[]) =>
  sql`relation in (${sql.join(relations.map((relation) => sql.lit(relation)))})`

/** Removes every edge of some relations that starts at the given rows. */
export function deleteEdgesFrom(
  transaction: Transaction,
  relations: readonly number[],
  sources: readonly number[],
) {
  if (relations.length === 0 || sources.length === 0) return
  const { dialect } = transaction
  const build = () =>
    sql`delete from ${edges} where ${isOneOf(relations)} and ${amongNumbers(dialect, sql.ref('source'))}`
  const shape = `edges delete from|${relations.join()}`
  transaction.run(statement(dialect, shape, build, [JSON.stringify(sources)]))
  transaction.touch(EDGES)
}

/** Removes every edge that leads to a document. */
export function deleteEdgesTo(transaction: Transaction, documentId: string) {
  const build = () => sql`delete from ${edges} where target = ${place}`
  transaction.run(statement(transaction.dialect, 'edges delete to', build, [documentId]))
  transaction.touch(EDGES)
}

/** Targets that belong to one owner at a time, and the version that takes them from the owners they had of its kind. */
export interface Taking {
  readonly relation: number
  readonly targets: readonly string[]
  readonly documentId: string
  readonly published: boolean
  readonly locale: string
}

// The plus keeps the planner off the primary key, which starts with the relation and not with the target.
const held = (dialect: Dialect) => sql`${amongTexts(dialect, sql.ref('target'))} and +relation = ${place}`

/** Versions of other owners, of the status and locale of the one that takes. */
const others = () => sql`o.published = ${place} and o.locale = ${place} and o.document_id <> ${place}`

const holders = (dialect: Dialect) =>
  sql`o.id in (select source from ${edges} where ${held(dialect)}) and ${others()}`

const parametersOf = ({ relation, targets, documentId, published, locale }: Taking): SqlValue[] => [
  ...[JSON.stringify(targets), relation],
  ...[published ? 1 : 0, locale, documentId],
]

/** The versions that have now what is about to be taken. */
export async function loadHolders(
  transaction: Transaction,
  { table }: ContentType,
  taking: Taking,
): Promise<Written[]> {
  const { dialect } = transaction
  const build = () => sql`select o.document_id from ${sql.table(table)} as o where ${holders(dialect)}`
  const rows = await transaction.all(statement(dialect, `edges held|${table}`, build, parametersOf(taking)))
  const { locale, published } = taking
  return rows.map((row) => ({
    documentId: String(row.document_id),
    locale,
    status: published ? 'published' : 'draft',
  }))
}

/** Takes targets from the owners they had. */
export function takeFromOwners(transaction: Transaction, owner: ContentType, taking: Taking) {
  const { dialect } = transaction
  const table = sql.table(owner.table)
  const parameters = parametersOf(taking)
  const bump = () => sql`update ${table} as o set revision = revision + 1 where ${holders(dialect)}`
  const take = () => sql`delete from ${edges} where ${held(dialect)} and exists (
    select 1 from ${table} as o where o.id = ${edges}.source and ${others()})`
  transaction.run(statement(dialect, `edges bump|${owner.table}`, bump, parameters))
  transaction.run(statement(dialect, `edges take|${owner.table}`, take, parameters))
  transaction.touch(EDGES)
  transaction.touch(owner.table)
}

/** All edges of some relations that start at rows of a document, by row. */
export async function loadEdges(
  transaction: Transaction,
  { table }: ContentType,
  relations: readonly number[],
  documentId: string,
): Promise<ReadonlyMap<number, EdgeLists>> {
  const bySource = new Map<number, Map<number, Map<number, Edge[]>>>()
  if (relations.length === 0) return bySource
  const { dialect } = transaction
  const build =
    () => sql`select e.relation, e.source, e.entry, e.target, e.target_type, e.position, e.inverse_position
    from ${sql.table(table)} as o ${dialect.joinInOrder} ${edges} as e on e.source = o.id and e.${isOneOf(relations)}
    where o.document_id = ${place}`
  const shape = `edges load|${table}|${relations.join()}`
  for (const row of await transaction.all(statement(dialect, shape, build, [documentId]))) {
    const byEntry = within(bySource, Number(row.source), () => new Map<number, Map<number, Edge[]>>())
    const byRelation = within(byEntry, Number(row.entry), () => new Map<number, Edge[]>())
    within(byRelation, Number(row.relation), (): Edge[] => []).push({
      target: String(row.target),
      targetType: row.target_type === null ? null : String(row.target_type),
      position: Number(row.position),
      inverse: Number(row.inverse_position),
    })
  }
  for (const byEntry of bySource.values())
    for (const byRelation of byEntry.values()) for (const list of byRelation.values()) list.sort(byPosition)
  return bySource
}

const byPosition = (one: Edge, other: Edge) =>
  one.position - other.position || (one.target < other.target ? -1 : 1)

function within<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}
