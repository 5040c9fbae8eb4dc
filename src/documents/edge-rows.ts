/** The statements on the table of edges. Each takes any number of edges at once. */
import { type RawBuilder, sql } from 'kysely'
import type { ContentType } from '../model/model.ts'
import { EDGES } from '../store/layout.ts'
import type { EngineName, Transaction } from '../store/store.ts'
import { amongNumbers, amongTexts, place, statement } from './statement.ts'
import type { Edge, EdgeLists } from './version.ts'

const edges = sql.table(EDGES)

export interface EdgeKey {
  readonly relation: number
  readonly source: number
  readonly entry: number
  readonly target: string
}

/** An edge to store; null puts it last in the list of its owner, or in that of its target. */
export interface EdgeRow extends EdgeKey {
  readonly targetType: string | null
  readonly position: number | null
  readonly inverse: number | null
}

/** The number `index` of a JSON list in the row `v`. */
const member = (
  engine: EngineName,
  index: number,
  type: 'integer' | 'bigint' | 'text' | 'double precision',
) =>
  engine === 'sqlite'
    ? sql`v.value ->> ${sql.lit(index)}`
    : sql`(v.value ->> ${sql.lit(index)})::${sql.raw(type)}`

const rowsOf = (engine: EngineName) =>
  engine === 'sqlite'
    ? sql`json_each(${place}) as v`
    : sql`jsonb_array_elements(${place}::jsonb) as v (value)`

/** Stores edges that are not there yet. */
export async function insertEdges(transaction: Transaction, rows: readonly EdgeRow[]) {
  if (rows.length === 0) return
  const { engine } = transaction
  const build = () => insertion(engine, member(engine, 1, 'bigint'), rowsOf(engine))
  const values = rows.map((row) => [row.relation, row.source, ...restOf(row)])
  await transaction.run(statement(engine, 'edges insert', build, [JSON.stringify(values)]))
  transaction.touch(EDGES)
}

/** An edge of a version whose row has just been inserted, and whose id nobody has asked for. */
export type NewEdgeRow = Omit<EdgeRow, 'source'> & { readonly locale: string; readonly published: boolean }

/** Stores edges of new versions of a document; the database knows the ids of their rows. */
export async function insertEdgesOfNew(
  transaction: Transaction,
  { table }: ContentType,
  documentId: string,
  rows: readonly NewEdgeRow[],
) {
  if (rows.length === 0) return
  const { engine } = transaction
  const build = () =>
    insertion(
      engine,
      sql.ref('o.id'),
      sql`${rowsOf(engine)} join ${sql.table(table)} as o on o.document_id = ${place}
        and o.locale = ${member(engine, 7, 'text')} and o.published = ${member(engine, 8, 'integer')}`,
    )
  const values = rows.map((row) => [row.relation, null, ...restOf(row), row.locale, row.published ? 1 : 0])
  const shape = `edges insert|${table}`
  await transaction.run(statement(engine, shape, build, [JSON.stringify(values), documentId]))
  transaction.touch(EDGES)
}

const restOf = (row: Omit<EdgeRow, 'source'>) => [
  row.entry,
  row.target,
  row.targetType,
  row.position,
  row.inverse,
]

function insertion(engine: EngineName, source: RawBuilder<unknown>, from: RawBuilder<unknown>) {
  const relation = member(engine, 0, 'integer')
  const entry = member(engine, 2, 'bigint')
  const target = member(engine, 3, 'text')
  const last = sql`(select coalesce(max(x.position), 0) + 1 from ${edges} as x
    where x.relation = ${relation} and x.source = ${source} and x.entry = ${entry})`
  const lastOfTarget = sql`(select coalesce(max(x.inverse_position), 0) + 1 from ${edges} as x
    where x.target = ${target} and x.relation = ${relation})`
  return sql`insert into ${edges} (relation, source, entry, target, target_type, position, inverse_position)
    select ${relation}, ${source}, ${entry}, ${target}, ${member(engine, 4, 'text')},
      coalesce(${member(engine, 5, 'double precision')}, ${last}),
      coalesce(${member(engine, 6, 'double precision')}, ${lastOfTarget})
    from ${from}`
}

/** Removes edges that may or may not be there. */
export async function deleteEdges(transaction: Transaction, keys: readonly EdgeKey[]) {
  if (keys.length === 0) return
  const { engine } = transaction
  const build = () => {
    const members = [
      member(engine, 0, 'integer'),
      member(engine, 1, 'bigint'),
      member(engine, 2, 'bigint'),
      member(engine, 3, 'text'),
    ]
    return engine === 'sqlite'
      ? sql`delete from ${edges} where (relation, source, entry, target) in (
          select ${sql.join(members)} from ${rowsOf(engine)})`
      : sql`delete from ${edges} as e using ${rowsOf(engine)}
          where (e.relation, e.source, e.entry, e.target) = (${sql.join(members)})`
  }
  const values = keys.map((key) => [key.relation, key.source, key.entry, key.target])
  await transaction.run(statement(engine, 'edges delete', build, [JSON.stringify(values)]))
  transaction.touch(EDGES)
}

/** Removes every edge of some relations that starts at the given rows. */
export async function deleteEdgesFrom(
  transaction: Transaction,
  relations: readonly number[],
  sources: readonly number[],
) {
  if (relations.length === 0 || sources.length === 0) return
  const { engine } = transaction
  const build = () =>
    sql`delete from ${edges} where ${amongNumbers(engine, sql.ref('relation'))} and ${amongNumbers(engine, sql.ref('source'))}`
  const parameters = [JSON.stringify(relations), JSON.stringify(sources)]
  await transaction.run(statement(engine, 'edges delete from', build, parameters))
  transaction.touch(EDGES)
}

/** Removes every edge that leads to a document. */
export async function deleteEdgesTo(transaction: Transaction, documentId: string) {
  const build = () => sql`delete from ${edges} where target = ${place}`
  await transaction.run(statement(transaction.engine, 'edges delete to', build, [documentId]))
  transaction.touch(EDGES)
}

/** Takes targets that belong to one owner at a time from the owners they had among the versions of a status and locale. */
export async function takeFromOwners(
  transaction: Transaction,
  owner: ContentType,
  relation: number,
  targets: readonly string[],
  taker: { readonly documentId: string; readonly published: boolean; readonly locale: string },
) {
  const { engine } = transaction
  const table = sql.table(owner.table)
  // The plus keeps the planner off the primary key, which starts with the relation and not with the target.
  const held = () => sql`${amongTexts(engine, sql.ref('target'))} and +relation = ${place}`
  const others = () => sql`o.published = ${place} and o.locale = ${place} and o.document_id <> ${place}`
  const parameters = [
    ...[JSON.stringify(targets), relation],
    ...[taker.published ? 1 : 0, taker.locale, taker.documentId],
  ]
  const bump = () => sql`update ${table} as o set revision = revision + 1
    where o.id in (select source from ${edges} where ${held()}) and ${others()}`
  const take = () => sql`delete from ${edges} where ${held()} and exists (
    select 1 from ${table} as o where o.id = ${edges}.source and ${others()})`
  await transaction.run(statement(engine, `edges bump|${owner.table}`, bump, parameters))
  await transaction.run(statement(engine, `edges take|${owner.table}`, take, parameters))
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
  const { engine } = transaction
  const build = () => sql`select relation, source, entry, target, target_type, position, inverse_position
    from ${edges} where ${amongNumbers(engine, sql.ref('relation'))}
    and source in (select id from ${sql.table(table)} where document_id = ${place})
    order by position, target`
  const parameters = [JSON.stringify(relations), documentId]
  for (const row of await transaction.all(statement(engine, `edges load|${table}`, build, parameters))) {
    const byEntry = within(bySource, Number(row.source), () => new Map<number, Map<number, Edge[]>>())
    const byRelation = within(byEntry, Number(row.entry), () => new Map<number, Edge[]>())
    within(byRelation, Number(row.relation), (): Edge[] => []).push({
      target: String(row.target),
      targetType: row.target_type === null ? null : String(row.target_type),
      position: Number(row.position),
      inverse: Number(row.inverse_position),
    })
  }
  return bySource
}

function within<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}
