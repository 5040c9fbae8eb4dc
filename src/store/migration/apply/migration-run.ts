/** A migration while it is applied: its transaction, start time and the current relation ids. */
import type { Sql } from '../../sql.ts'
import type { Transaction } from '../../store.ts'
import type { AutomaticIndex } from '../../tables/automatic-indexes.ts'
import type { TypeTable } from '../../tables/tables.ts'
import type { InspectionContext } from '../inspect/inspection-context.ts'
import type { ModelTransition } from '../plan/match-models.ts'
import { execute, type ReadSql, readWithin } from '../run-sql.ts'

/** What changes of rows and edges need, in a migration or an import. */
export interface RowChanges {
  readonly transaction: Transaction
  readonly startedAt: Date
  /** Relation ids by their current keys. */
  readonly relationIds: ReadonlyMap<string, number>
  readonly read: ReadSql
  execute(query: Sql): void
}

export const createRowChanges = (
  transaction: Transaction,
  relationIds: ReadonlyMap<string, number>,
): RowChanges => ({
  transaction,
  relationIds,
  startedAt: new Date(),
  read: readWithin(transaction),
  execute: (query) => execute(transaction, query),
})

export interface MigrationRun extends InspectionContext, RowChanges {
  /** Updated while the migration renames and drops relations. */
  readonly relationIds: Map<string, number>
  /** The existing table of each content-type, by previous uid. */
  readonly tables: ReadonlyMap<string, TypeTable>
  /** The indexes that the server has created by itself; updated while tables and columns are renamed and dropped. */
  readonly automaticIndexes: Map<string, AutomaticIndex>
}

export const createMigrationRun = (
  transaction: Transaction,
  transition: ModelTransition,
  relations: ReadonlyMap<string, number>,
  tables: ReadonlyMap<string, TypeTable>,
  automaticIndexes: readonly AutomaticIndex[],
): MigrationRun => ({
  ...createRowChanges(transaction, relations),
  transition,
  relations,
  tables,
  automaticIndexes: new Map(automaticIndexes.map((index) => [index.name, index])),
  dialect: transaction.dialect,
  relationIds: new Map(relations),
})
