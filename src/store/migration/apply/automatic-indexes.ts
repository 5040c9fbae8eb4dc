/** Keeps the indexes that the server has created by itself up to date when a migration changes their tables and columns. */
import type { Model } from '../../../model/model.ts'
import { sql } from '../../sql.ts'
import type { Transaction } from '../../store.ts'
import {
  AUTOMATIC_INDEXES,
  type AutomaticIndex,
  automaticIndexFrom,
  forgetAutomaticIndex,
  selectAutomaticIndexes,
  storeAutomaticIndex,
} from '../../tables/automatic-indexes.ts'
import { fitting, isLong } from '../../tables/indexed.ts'
import { columnOf } from '../../tables/layout.ts'
import type { TargetTables } from '../../tables/tables.ts'
import { readWithin } from '../run-sql.ts'
import type { MigrationRun } from './migration-run.ts'

/** None in a database of a server that has never learned from its reads. */
export async function readAutomaticIndexes(transaction: Transaction): Promise<readonly AutomaticIndex[]> {
  const read = readWithin(transaction)
  const [table] = await read(transaction.dialect.hasTable(AUTOMATIC_INDEXES))
  return table ? (await read(selectAutomaticIndexes)).map(automaticIndexFrom) : []
}

/** The indexes that are being created stay recorded, and their creation starts again. */
export function stopIndexCreations({ automaticIndexes, dialect, execute }: MigrationRun) {
  for (const { name, state } of automaticIndexes.values())
    if (state === 'building') for (const statement of dialect.stopIndexCreation(name)) execute(statement)
}

/** Drops the indexes of a table that have a column, or all of them. */
export function dropAutomaticIndexes(run: MigrationRun, table: string, column?: string) {
  for (const index of [...run.automaticIndexes.values()])
    if (index.table === table && (column === undefined || index.columns.includes(column)))
      dropIndex(run, index.name)
}

function dropIndex({ automaticIndexes, execute }: MigrationRun, name: string) {
  execute(sql`DROP INDEX IF EXISTS ${sql.id(name)}`)
  automaticIndexes.delete(name)
}

/** An index follows its table by itself, under the same name. */
export function renameIndexedTables(
  { automaticIndexes }: MigrationRun,
  newNames: ReadonlyMap<string, string>,
) {
  for (const [name, index] of automaticIndexes)
    automaticIndexes.set(name, { ...index, table: newNames.get(index.table) ?? index.table })
}

/** An index follows its columns by itself. */
export function renameIndexedColumn(
  { automaticIndexes }: MigrationRun,
  table: string,
  from: string,
  to: string,
) {
  for (const [name, index] of automaticIndexes) {
    if (index.table !== table) continue
    const columns = index.columns.map((column) => (column === from ? to : column))
    automaticIndexes.set(name, { ...index, columns })
  }
}

/** Whether every value of its columns fits into an index: they have their complete values. */
function fits({ dialect }: MigrationRun, model: Model, { table, columns }: AutomaticIndex): boolean {
  if (!dialect.limitsIndexedLength) return true
  const type = [...model.types.values()].find((one) => one.table === table)
  const attributes = [...(type?.attributes.values() ?? [])].flatMap((attribute) =>
    attribute.kind === 'scalar' && columns.includes(columnOf(attribute.name)) ? [attribute] : [],
  )
  return !attributes.some(isLong) && fitting(attributes).length === attributes.length
}

/**
 * Drops the indexes that the next model declares, and those that would prevent longer values from being stored. Stores what has
 * changed of the others.
 */
export function updateAutomaticIndexes(
  run: MigrationRun,
  before: readonly AutomaticIndex[],
  model: Model,
  target: TargetTables,
) {
  if (before.length === 0) return
  const declared = new Set(
    Object.values(target.types).flatMap(({ table, indexes }) =>
      indexes.map(({ parts }) =>
        identityOf(
          table,
          parts.map(({ column }) => column),
        ),
      ),
    ),
  )
  for (const index of [...run.automaticIndexes.values()]) {
    const { name, table, columns } = index
    const isDeclared = declared.has(identityOf(table, ['published', 'locale', ...columns, 'id']))
    if (isDeclared || !fits(run, model, index)) dropIndex(run, name)
  }
  for (const index of before) {
    const after = run.automaticIndexes.get(index.name)
    if (!after) run.execute(forgetAutomaticIndex(index.name))
    else if (after !== index) run.execute(storeAutomaticIndex(after))
  }
  run.transaction.touch(AUTOMATIC_INDEXES)
}

const identityOf = (table: string, columns: readonly string[]) => JSON.stringify([table, columns])
