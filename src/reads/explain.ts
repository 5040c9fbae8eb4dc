/** Explains a read: its SQL, the engine's plan, the indexes it uses and lacks, and what it omits. */
import type { ReadEstimate } from '../plan/estimate.ts'
import type { Query } from '../plan/query-tree.ts'
import { compile } from '../store/compile.ts'
import type { Dialect, EngineName } from '../store/dialect.ts'
import { type EnginePlan, primaryKeyOf } from '../store/engine-plan.ts'
import type { Statement } from '../store/statement.ts'
import type { Store } from '../store/store.ts'
import { AUTOMATIC_INDEXES, type AutomaticIndex } from '../store/tables/automatic-indexes.ts'
import { EDGES, INVERSE, inverseColumns, type Layout } from '../store/tables/layout.ts'
import { targetTables } from '../store/tables/tables.ts'
import { comparesText } from './compares-text.ts'
import { advise, type IndexAdvice } from './indexes/index-advice.ts'
import { fieldNameOf } from './indexes/suggestions.ts'
import { readAutomaticIndexes } from './indexes/tables.ts'

export interface Explanation {
  readonly engine: EngineName
  readonly statement: string
  readonly parameters: readonly (string | number | null)[]
  /** The steps of the engine's plan. */
  readonly plan: EnginePlan['steps']
  readonly indexes: IndexAdvice & { readonly used: readonly UsedIndex[] }
  /** Whether a search index finds the rows, or every row is read and compared; null for reads without a search for text. */
  readonly search: 'index' | 'scan' | null
  /** Tables that are scanned completely. */
  readonly scans: readonly string[]
  /** How many documents and entries the response would have, and how many it may have. Null for reads that are not estimated. */
  readonly estimate: (ReadEstimate & { readonly limit: number }) | null
  /** Requested paths that are left out because the caller may not see them. */
  readonly omitted: readonly string[]
}

interface UsedIndex {
  readonly name: string
  readonly table: string
  /** Its columns, as far as they are known; columns of attributes by the name of the attribute. */
  readonly on: readonly string[]
  /** Present if the server has created it by itself. */
  readonly automatic?: true
}

/** Explains a statement. Indexes are suggested only when its query is given. */
export async function explain(
  store: Store,
  layout: Layout,
  query: Query | null,
  statement: Statement,
  omitted: readonly string[] = [],
  estimate: Explanation['estimate'] = null,
  searchChoice: Statement | null = null,
): Promise<Explanation> {
  const { steps, indexes, scans } = await store.explain(statement)
  const [table] = await store.read(compile(store.dialect, store.dialect.hasTable(AUTOMATIC_INDEXES)))
  const automatic = table ? await readAutomaticIndexes(store) : []
  const known = knownIndexes(layout, store.dialect, automatic)
  return {
    engine: store.dialect.name,
    statement: statement.sql,
    parameters: statement.parameters.map((value) => (typeof value === 'bigint' ? String(value) : value)),
    plan: steps,
    indexes: {
      used: indexes.map((name) => known.get(name) ?? { name, table: '', on: [] }),
      ...(query ? advise(query, layout, store.dialect, automatic) : { suggested: [], unserved: [] }),
    },
    search: await searchedBy(store, query, searchChoice),
    scans,
    estimate,
    omitted,
  }
}

/** `choice` is the statement that tells whether a search index is used; null when none can be. */
async function searchedBy(
  store: Store,
  query: Query | null,
  choice: Statement | null,
): Promise<Explanation['search']> {
  if (!choice) return query?.where && comparesText(query.where) ? 'scan' : null
  const [row] = await store.read(choice)
  return row?.few === 1 ? 'index' : 'scan'
}

function knownIndexes(
  { model, hasSearch }: Layout,
  dialect: Dialect,
  automatic: readonly AutomaticIndex[],
): ReadonlyMap<string, UsedIndex> {
  const types = Object.values(targetTables(model, dialect, hasSearch).types)
  const all: readonly UsedIndex[] = [
    ...automatic.map(({ name, table, columns }) => ({
      ...{ name, table },
      on: ['published', 'locale', ...columns.map(fieldNameOf), 'id'],
      automatic: true as const,
    })),
    ...types.flatMap(({ table, indexes, search }) => [
      { name: primaryKeyOf(table), table, on: ['id'] },
      ...indexes.map(({ name, parts }) => ({
        name,
        table,
        on: parts.map(({ column }) => attributeOf(column)),
      })),
      ...(search ? [{ name: search.name, table, on: search.columns.map(attributeOf) }] : []),
    ]),
    { name: primaryKeyOf(EDGES), table: EDGES, on: ['relation', 'source', 'entry', 'position', 'target'] },
    { name: INVERSE, table: EDGES, on: inverseColumns(dialect) },
  ]
  return new Map(all.map((index) => [index.name, index]))
}

const attributeOf = (column: string) => column.replace(/^a_/, '')
