/** Compiles and runs SQL for the engine of a store or a transaction. */
import { compile } from '../compile.ts'
import type { Sql } from '../sql.ts'
import type { Row } from '../statement.ts'
import type { Store, Transaction } from '../store.ts'

export type ReadSql = (query: Sql) => Promise<readonly Row[]>

export const readFrom =
  (store: Pick<Store, 'dialect' | 'read'>): ReadSql =>
  (query) =>
    store.read(compile(store.dialect, query))

export const readWithin =
  (transaction: Transaction): ReadSql =>
  (query) =>
    transaction.all(compile(transaction.dialect, query))

export const execute = (transaction: Transaction, query: Sql): void =>
  transaction.run(compile(transaction.dialect, query))
