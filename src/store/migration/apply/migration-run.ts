/** A migration while it is applied: its transaction, start time and the current relation ids. */
import type { Sql } from '../../sql.ts'
import type { Transaction } from '../../store.ts'
import type { AutomaticIndex } from '../../tables/automatic-indexes.ts'
import type { TypeTable } from '../../tables/tables.ts'
import type { InspectionContext } from '../inspect/inspection-context.ts'
import type { ModelTransition } from '../plan/match-models.ts'
import { execute, readWithin } from '../run-sql.ts'

export interface MigrationRun extends InspectionContext {
  readonly transaction: Transaction
  readonly startedAt: Date
  /** Relation ids by their current keys; updated while the migration renames and drops relations. */
  readonly relationIds: Map<string, number>
  /** The existing table of each content-type, by previous uid. */
  readonly tables: ReadonlyMap<string, TypeTable>
  /** The indexes that the server has created by itself; updated while tables and columns are renamed and dropped. */
  readonly automaticIndexes: Map<string, AutomaticIndex>
  execute(query: Sql): void
}

export const createMigrationRun = (
  transaction: Transaction,
  transition: ModelTransition,
  relations: ReadonlyMap<string, number>,
  tables: ReadonlyMap<string, TypeTable>,
  automaticIndexes: readonly AutomaticIndex[],
): MigrationRun => ({
  transaction,
  transition,
  relations,
  tables,
  automaticIndexes: new Map(automaticIndexes.map((index) => [index.name, index])),
  dialect: transaction.dialect,
  startedAt: new Date(),
  relationIds: new Map(relations),
  read: readWithin(transaction),
  execute: (query) => execute(transaction, query),
})
