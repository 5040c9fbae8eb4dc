/** Reads and writes the table of edges. Every function takes any number of edges. */
import type { ContentType } from '../../model/model.ts'
import type { Dialect } from '../../store/dialect.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { SqlValue } from '../../store/statement.ts'
import type { Transaction } from '../../store/store.ts'
import { EDGES } from '../../store/tables/layout.ts'
import type { Written } from '../contract.ts'
import type { Edge, EdgeLists } from '../versions/version.ts'
import { inDocuments, inNumberList, inTextList, placeholder, placeholders, statement } from './statement.ts'

const edges = sql.table(EDGES)

export interface EdgeKey {
  readonly relation: number
  readonly source: number
  readonly entry: number
  readonly target: string
}

/** An edge to store. A position of null puts it last in the list of its owner, or in that of its target. */
export interface EdgeRow extends EdgeKey {
  /** Whether it starts at the row of a published version. */
  readonly published: boolean
  readonly targetType: string | null
  readonly position: number | null
  readonly inversePosition: number | null
}

/** Rows per statement. */
const MAX_ROWS = 64

function chunks<Item>(items: readonly Item[]): (readonly Item[])[] {
  if (items.length <= MAX_ROWS) return items.length === 0 ? [] : [items]
  const count = Math.ceil(items.length / MAX_ROWS)
  return Array.from({ length: count }, (_, index) => items.slice(index * MAX_ROWS, (index + 1) * MAX_ROWS))
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

/** Names that no content-type can have for its table. */
const VALUES = sql.id('octavo_values')
const NEW_EDGES = sql.id('octavo_new_edges')

/** The parameters as a table in a WITH clause. PostgreSQL takes their types from the first row. */
function valuesTable(members: readonly Member[], count: number) {
  const first = members.map((member) => sql`cast(${placeholder} as ${sql.raw(MEMBERS[member])})`)
  const rows = [sql.join(first), ...Array.from({ length: count - 1 }, () => placeholders(members.length))]
  return sql`with ${VALUES} (${sql.join(members.map((member) => sql.id(member)))}) as (values ${sql.join(rows.map((row) => sql`(${row})`))})`
}

const KEY: readonly Member[] = ['relation', 'source', 'entry', 'target']
const EDGE: readonly Member[] = [...KEY, 'published', 'target_type', 'position', 'inverse_position']
const NEW_EDGE: readonly Member[] = [...EDGE.filter((member) => member !== 'source'), 'locale']

/** Inserts edges that do not exist yet. */
export function insertEdges(transaction: Transaction, rows: readonly EdgeRow[]) {
  for (const chunk of chunks(rows)) {
    const { dialect } = transaction
    const hasPositions = chunk.every(
      ({ position, inversePosition }) => position !== null && inversePosition !== null,
    )
    const plain = () => sql`${intoEdges(dialect)}
      values ${sql.join(chunk.map(() => sql`(${placeholders(EDGE.length)})`))}`
    const positioning = () => sql`${valuesTable(EDGE, chunk.length)} ${intoEdges(dialect)}
      select v.relation, v.source, v.entry, v.target, v.published, v.target_type,
        coalesce(v.position, (select coalesce(max(x.position), 0) + 1 from ${edges} as x
          where x.relation = v.relation and x.source = v.source and x.entry = v.entry)),
        coalesce(v.inverse_position, ${afterLastOfTarget(dialect)})
      from ${VALUES} as v`
    const values: SqlValue[] = []
    for (const row of chunk) {
      values.push(row.relation, row.source, row.entry, row.target, row.published ? 1 : 0)
      values.push(row.targetType, row.position, row.inversePosition)
    }
    const shape = `edges insert|${hasPositions}|${chunk.length}`
    transaction.run(statement(dialect, shape, hasPositions ? plain : positioning, values))
    transaction.touch(EDGES)
  }
}

/** An edge of a version whose row was just inserted, and whose id is not known here. */
export type NewEdgeRow = Omit<EdgeRow, 'source' | 'published'> & {
  readonly locale: string
  /** Null for two edges: one of the draft and one of the published version, both just inserted. */
  readonly published: boolean | null
}

const BOTH = 2

/** Inserts edges of new versions of a document; the statement finds the ids of their rows. */
export function insertEdgesOfNew(
  transaction: Transaction,
  { table }: ContentType,
  documentId: string,
  rows: readonly NewEdgeRow[],
) {
  for (const chunk of chunks(rows)) {
    const { dialect } = transaction
    // The position in the target's list is the same for both versions and found once.
    const build = () => sql`${valuesTable(NEW_EDGE, chunk.length)}, ${NEW_EDGES} as materialized (
        select v.*, coalesce(v.inverse_position, ${afterLastOfTarget(dialect)}) as last_position from ${VALUES} as v)
      ${intoEdges(dialect)}
      select n.relation, o.id, n.entry, n.target, o.published, n.target_type, n.position, n.last_position
      from ${NEW_EDGES} as n ${dialect.joinInOrder} ${sql.table(table)} as o on o.document_id = ${placeholder}
        and o.locale = n.locale and (n.published = ${sql.lit(BOTH)} or o.published = n.published)`
    const values = chunk.flatMap((row): SqlValue[] => [
      ...[row.relation, row.entry, row.target, row.published === null ? BOTH : row.published ? 1 : 0],
      ...[row.targetType, row.position, row.inversePosition, row.locale],
    ])
    const shape = `edges insert of new|${table}|${chunk.length}`
    transaction.run(statement(dialect, shape, build, [...values, documentId]))
    transaction.touch(EDGES)
  }
}

const intoEdges = (dialect: Dialect) => sql`${dialect.insertInto(edges)}
  (relation, source, entry, target, published, target_type, position, inverse_position)`

/** A position after the last one in the list of an edge's target. */
const afterLastOfTarget = ({ nextPosition }: Dialect): Sql =>
  nextPosition ??
  sql`1 + coalesce((select max(x.inverse_position) from ${edges} as x
    where x.target = v.target and x.relation = v.relation), 0)`

/** Deletes edges; those that do not exist are ignored. */
export function deleteEdges(transaction: Transaction, keys: readonly EdgeKey[]) {
  for (const chunk of chunks(keys)) {
    const build = () => sql`${valuesTable(KEY, chunk.length)} delete from ${edges}
      where (relation, source, entry, target) in (select relation, source, entry, target from ${VALUES})`
    const values = chunk.flatMap((key): SqlValue[] => [key.relation, key.source, key.entry, key.target])
    transaction.run(statement(transaction.dialect, `edges delete|${chunk.length}`, build, values))
    transaction.touch(EDGES)
  }
}

/** Relations are literals in the SQL text: they only change with the model. */
const isOneOf = (relations: readonly number[]) =>
  sql`relation in (${sql.join(relations.map((relation) => sql.lit(relation)))})`

/** Deletes every edge of some relations that starts at the given rows. */
export function deleteEdgesFrom(
  transaction: Transaction,
  relations: readonly number[],
  sources: readonly number[],
) {
  if (relations.length === 0 || sources.length === 0) return
  const { dialect } = transaction
  const build = () =>
    sql`delete from ${edges} where ${isOneOf(relations)} and ${inNumberList(dialect, sql.ref('source'))}`
  const shape = `edges delete from|${relations.join()}`
  transaction.run(statement(dialect, shape, build, [JSON.stringify(sources)]))
  transaction.touch(EDGES)
}

/** Deletes every edge to a document. */
export function deleteEdgesTo(transaction: Transaction, documentId: string) {
  const build = () => sql`delete from ${edges} where target = ${placeholder}`
  transaction.run(statement(transaction.dialect, 'edges delete to', build, [documentId]))
  transaction.touch(EDGES)
}

/** A version's claim to targets that can have one owner only: former owners of the same status and locale lose them. */
export interface ExclusiveClaim {
  readonly relation: number
  readonly targets: readonly string[]
  readonly documentId: string
  readonly published: boolean
  readonly locale: string
}

// The plus keeps the planner from using the primary key, which starts with the relation and not with the target.
const isClaimed = (dialect: Dialect) =>
  sql`${inTextList(dialect, sql.ref('target'))} and +relation = ${placeholder}`

/** Versions of other documents with the status and locale of the claim. */
const isOtherOwner = () =>
  sql`o.published = ${placeholder} and o.locale = ${placeholder} and o.document_id <> ${placeholder}`

const isFormerOwner = (dialect: Dialect) =>
  sql`o.id in (select source from ${edges} where ${isClaimed(dialect)}) and ${isOtherOwner()}`

const parametersOf = ({ relation, targets, documentId, published, locale }: ExclusiveClaim): SqlValue[] => [
  ...[JSON.stringify(targets), relation],
  ...[published ? 1 : 0, locale, documentId],
]

/** The versions that have claimed targets now. */
export async function loadFormerOwners(
  transaction: Transaction,
  { table }: ContentType,
  claim: ExclusiveClaim,
): Promise<Written[]> {
  const { dialect } = transaction
  const build = () => sql`select o.document_id from ${sql.table(table)} as o where ${isFormerOwner(dialect)}`
  const rows = await transaction.all(statement(dialect, `edges held|${table}`, build, parametersOf(claim)))
  const { locale, published } = claim
  return rows.map((row) => ({
    documentId: String(row.document_id),
    locale,
    status: published ? 'published' : 'draft',
  }))
}

/** Deletes the edges of former owners to the claimed targets, and raises the owners' revisions. */
export function removeFromFormerOwners(transaction: Transaction, owner: ContentType, claim: ExclusiveClaim) {
  const { dialect } = transaction
  const table = sql.table(owner.table)
  const parameters = parametersOf(claim)
  const bump = () => sql`update ${table} as o set revision = revision + 1 where ${isFormerOwner(dialect)}`
  const remove = () => sql`delete from ${edges} where ${isClaimed(dialect)} and exists (
    select 1 from ${table} as o where o.id = ${edges}.source and ${isOtherOwner()})`
  transaction.run(statement(dialect, `edges bump|${owner.table}`, bump, parameters))
  transaction.run(statement(dialect, `edges claim|${owner.table}`, remove, parameters))
  transaction.touch(EDGES)
  transaction.touch(owner.table)
}

/** All edges of some relations that start at rows of these documents, by the id of the row. */
export async function loadEdges(
  transaction: Transaction,
  { table }: ContentType,
  relations: readonly number[],
  documentIds: readonly string[],
): Promise<ReadonlyMap<number, EdgeLists>> {
  const bySource = new Map<number, Map<number, Map<number, Edge[]>>>()
  if (relations.length === 0) return bySource
  const { dialect } = transaction
  const documents = inDocuments(dialect, documentIds)
  const build =
    () => sql`select e.relation, e.source, e.entry, e.target, e.target_type, e.position, e.inverse_position
    from ${sql.table(table)} as o ${dialect.joinInOrder} ${edges} as e on e.source = o.id and e.${isOneOf(relations)}
    where ${documents.test(sql`o.document_id`)}`
  const shape = `edges load|${table}|${relations.join()}|${documents.shape}`
  for (const row of await transaction.all(statement(dialect, shape, build, documents.parameters))) {
    const byEntry = getOrAdd(bySource, Number(row.source), () => new Map<number, Map<number, Edge[]>>())
    const byRelation = getOrAdd(byEntry, Number(row.entry), () => new Map<number, Edge[]>())
    getOrAdd(byRelation, Number(row.relation), (): Edge[] => []).push({
      target: String(row.target),
      targetType: row.target_type === null ? null : String(row.target_type),
      position: Number(row.position),
      inversePosition: Number(row.inverse_position),
    })
  }
  for (const byEntry of bySource.values())
    for (const byRelation of byEntry.values()) for (const list of byRelation.values()) list.sort(byPosition)
  return bySource
}

const byPosition = (one: Edge, other: Edge) =>
  one.position - other.position || (one.target < other.target ? -1 : 1)

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) {
    value = create()
    map.set(key, value)
  }
  return value
}
