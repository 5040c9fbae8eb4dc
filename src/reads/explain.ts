/** How a read would be made, for people who want to know why it is slow or what is missing from it. */
import type { Query } from '../plan/query-tree.ts'
import type { Dialect, EngineName } from '../store/dialect.ts'
import { type EnginePlan, primaryKeyOf } from '../store/engine-plan.ts'
import type { Statement } from '../store/statement.ts'
import type { Store } from '../store/store.ts'
import { EDGES, INVERSE, inverseColumns, type Layout } from '../store/tables/layout.ts'
import { targetTables } from '../store/tables/tables.ts'
import { type Advised, advise } from './index-advice.ts'

export interface Explanation {
  readonly engine: EngineName
  readonly statement: string
  readonly parameters: readonly (string | number | null)[]
  /** What the engine tells of its plan. */
  readonly plan: EnginePlan['steps']
  readonly indexes: Advised & { readonly used: readonly UsedIndex[] }
  /** Tables of which every row is read. */
  readonly scans: readonly string[]
  /** Paths that were asked for and are left out because the caller may not see them. */
  readonly omitted: readonly string[]
}

interface UsedIndex {
  readonly name: string
  readonly table: string
  /** Its columns, where they are known; those of attributes under the name of the attribute. */
  readonly on: readonly string[]
}

/** Explains the statement of a query; for one that is made without a query, no index is advised. */
export async function explain(
  store: Store,
  layout: Layout,
  query: Query | null,
  statement: Statement,
  omitted: readonly string[] = [],
): Promise<Explanation> {
  const { steps, indexes, scans } = await store.explain(statement)
  const known = knownIndexes(layout, store.dialect)
  return {
    engine: store.dialect.name,
    statement: statement.sql,
    parameters: statement.parameters.map((value) => (typeof value === 'bigint' ? String(value) : value)),
    plan: steps,
    indexes: {
      used: indexes.map((name) => known.get(name) ?? { name, table: '', on: [] }),
      ...(query ? advise(query, layout.model, store.dialect) : { suggested: [], unserved: [] }),
    },
    scans,
    omitted,
  }
}

function knownIndexes({ model }: Layout, dialect: Dialect): ReadonlyMap<string, UsedIndex> {
  const types = Object.values(targetTables(model, dialect).types)
  const all = [
    ...types.flatMap(({ table, indexes }) => [
      { name: primaryKeyOf(table), table, on: ['id'] },
      ...indexes.map(({ name, parts }) => ({
        name,
        table,
        on: parts.map(({ column }) => column.replace(/^a_/, '')),
      })),
    ]),
    { name: primaryKeyOf(EDGES), table: EDGES, on: ['relation', 'source', 'entry', 'position', 'target'] },
    { name: INVERSE, table: EDGES, on: inverseColumns(dialect) },
  ]
  return new Map(all.map((index) => [index.name, index]))
}
