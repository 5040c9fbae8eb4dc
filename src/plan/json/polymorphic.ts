/**
 * Selects the entries of zones and the targets of polymorphic relations, which are of several kinds, with conditions and an
 * order for each kind.
 */
import { typeOf } from '../../model/model.ts'
import { type Sql, sql } from '../../store/sql.ts'
import { EDGES, type RelationKey } from '../../store/tables/layout.ts'
import { all, any, condition } from '../conditions.ts'
import type { MorphTargets, Sort, ZoneEntries } from '../query-tree.ts'
import { sortValues } from '../sort/sort-values.ts'
import {
  type Compilation,
  column,
  entryMember,
  isShownVersion,
  type RowSource,
  relatedSource,
  rowSourceOf,
  type Source,
} from '../sources.ts'
import { inTime, isEdgeFrom } from '../steps.ts'
import { visitsAfterMany } from '../visits.ts'

interface Sorted {
  readonly sort: readonly Sort[]
}

const isSorted = (kinds: readonly Sorted[]) => kinds.some(({ sort }) => sort.length > 0)

/** The component of a zone entry. */
function componentOfEntry(entry: Source): Sql {
  if (entry.kind !== 'entry') throw new Error('A zone contains entries')
  return entryMember(entry, 'c')
}

/** Whether an entry of a zone is among these. */
export function isOneOf(c: Compilation, entry: Source, kinds: readonly ZoneEntries[]): Sql {
  const component = componentOfEntry(entry)
  const isAny = (of: readonly ZoneEntries[]) =>
    sql`${component} in (${sql.join(of.map((kind) => sql.lit(kind.component)))})`
  const whole = kinds.filter(({ where }) => where === null)
  const some = kinds.flatMap(({ component: uid, where }) =>
    where ? [all([sql`${component} = ${sql.lit(uid)}`, condition(c, where, entry)])] : [],
  )
  return any([...(whole.length > 0 ? [isAny(whole)] : []), ...some])
}

/** The order of the entries of a zone in which the entries of some components are sorted; null if none are. */
export function zoneOrder(
  c: Compilation,
  entry: Source,
  kinds: readonly (ZoneEntries & Sorted)[],
): readonly Sql[] | null {
  if (!isSorted(kinds)) return null
  const component = componentOfEntry(entry)
  const number = kinds.map((kind, index) => sql`when ${sql.lit(kind.component)} then ${sql.lit(index)}`)
  const terms = kinds.flatMap(({ component: uid, sort }) =>
    sortValues(c, sort, entry).map((term) =>
      c.dialect.order(sql`case when ${component} = ${sql.lit(uid)} then ${term.value} end`, term.descending),
    ),
  )
  return [sql`case ${component} ${sql.join(number, ' ')} end`, ...terms]
}

/** A subquery with a value for each target of a polymorphic relation as `j`, which is null for those that are not shown. */
export interface MorphRows {
  readonly rows: Sql
  /** How the rows are ordered, if the subquery is called `x`. */
  readonly order: readonly Sql[]
}

export function morphRows<Kind extends MorphTargets & Partial<Sorted>>(
  c: Compilation,
  source: Source,
  relation: RelationKey,
  kinds: readonly Kind[],
  shownOf: (target: RowSource, kind: Kind) => Sql,
): MorphRows {
  const edge = { alias: c.alias() }
  const targetType = column(edge, 'target_type')
  const visits = visitsAfterMany(rowSourceOf(source).visits)
  const ofTarget = (kind: Kind, value: (target: RowSource) => Sql): Sql => {
    const target = relatedSource(c, typeOf(c.model, kind.type), source, visits)
    const test = all([
      sql`${column(target, 'document_id')} = ${column(edge, 'target')}`,
      isShownVersion(c, target, source),
      ...(kind.where ? [condition(c, kind.where, target)] : []),
    ])
    return sql`(select ${value(target)} from ${sql.table(target.type.table)} as ${sql.id(target.alias)} where ${test})`
  }
  const perKind = (value: (kind: Kind, index: number) => Sql): Sql =>
    sql`case ${targetType} ${sql.join(
      kinds.map((kind, index) => sql`when ${sql.lit(kind.type)} then ${value(kind, index)}`),
      ' ',
    )} end`
  const keys = kinds.flatMap((kind) =>
    (kind.sort ?? []).map((term) => ({
      descending: term.descending,
      value: sql`case when ${targetType} = ${sql.lit(kind.type)} then ${ofTarget(kind, (target) => sortValueOf(c, term, target))} end`,
    })),
  )
  const columns = [
    sql`${perKind((kind) => ofTarget(kind, (target) => shownOf(target, kind)))} as j`,
    sql`${column(edge, 'position')} as o`,
    ...(keys.length > 0 ? [sql`${perKind((_, index) => sql.lit(index))} as k`] : []),
    ...keys.map(({ value }, index) => sql`${value} as ${sql.id(`s${index}`)}`),
  ]
  return {
    rows: sql`select ${sql.join(columns)} from ${sql.table(EDGES)} as ${sql.id(edge.alias)} where ${inTime(c, edge, 'position', isEdgeFrom(c, edge.alias, relation, source))}`,
    order: [
      ...(keys.length > 0 ? [sql.ref('x.k')] : []),
      ...keys.map(({ descending }, index) => c.dialect.order(sql.ref(`x.s${index}`), descending)),
      sql.ref('x.o'),
    ],
  }
}

function sortValueOf(c: Compilation, term: Sort, target: RowSource): Sql {
  const [only] = sortValues(c, [term], target)
  if (!only) throw new Error('A sort term has a value')
  return only.value
}
