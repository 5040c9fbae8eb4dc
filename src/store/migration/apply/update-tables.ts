/** Brings relations, tables and indexes to what the next model needs, after renames, drops and conversions. */
import type { ContentType, Model } from '../../../model/model.ts'
import { StartError } from '../../errors.ts'
import { sql } from '../../sql.ts'
import { createColumns, createIndexes } from '../../tables/create.ts'
import { type ExistingTable, existingTables } from '../../tables/existing.ts'
import { columnOf, EDGES, VERSION_COLUMNS } from '../../tables/layout.ts'
import { extendServed, rebuildServed } from '../../tables/rebuild-served.ts'
import type { TargetTables, TypeTable } from '../../tables/tables.ts'
import { storeTypeTable } from '../meta-table.ts'
import { backUpRelation, lastRelationId } from './back-up-edges.ts'
import { isBackupKey } from './backups.ts'
import { changeDraftAndPublish, changeLocalization } from './locales-and-drafts.ts'
import type { MigrationRun } from './migration-run.ts'

/** Backs up relations that the next model does not have, and registers new ones. */
export async function updateRelations(run: MigrationRun, target: TargetTables) {
  const targetKeys = new Set(target.relations)
  for (const [key, id] of [...run.relationIds]) {
    if (targetKeys.has(key) || isBackupKey(key)) continue
    const [type, component, attribute] = key.split('|')
    const owner = `${type}${component ? `, component ${component}` : ''}`
    await backUpRelation(run, id, `${owner}, attribute ${attribute}`)
  }
  let lastId = await lastRelationId(run)
  for (const key of target.relations) {
    if (run.relationIds.has(key)) continue
    const id = ++lastId
    run.relationIds.set(key, id)
    run.execute(sql`INSERT INTO octavo_relations (id, key) VALUES (${id}, ${key})`)
  }
}

export async function updateTables(run: MigrationRun, model: Model, target: TargetTables) {
  const { transaction, tables, transition } = run
  const existing = await existingTables(transaction)
  const previousUids = new Map(transition.types.map(({ previous, next }) => [next.uid, previous.uid]))
  const changed = [...model.types.values()].flatMap((type) => {
    const after = target.types[type.uid]
    const previousUid = previousUids.get(type.uid) ?? type.uid
    const before = withoutRenamedIndexes(tables.get(previousUid), type)
    if (!after) return []
    const table = findTable(type, existing)
    const isSame = previousUid === type.uid && JSON.stringify(before) === JSON.stringify(after)
    return isSame && isComplete(after, table) ? [] : [{ type, after, previousUid, before, table }]
  })
  // Rows first: PostgreSQL blocks readers of a table once its columns or indexes are changed.
  for (const { type, after, before, table } of changed) {
    if (!table || !isServedDifferently(before, after) || isReshaped(before, after)) continue
    const appended = before && appendedNames(before, after, table)
    await (appended
      ? extendServed(transaction, type, appended)
      : rebuildServed(transaction, type, table.columns))
  }
  for (const { type, after, previousUid, before, table } of changed) {
    createColumns(transaction, after, before, table)
    if (before && isReshaped(before, after)) {
      await changeLocalization(transaction, model, type, before, after, run.relationIds)
      await changeDraftAndPublish(run, model, type, before, after)
      await rebuildServed(transaction, type, new Set(after.columns.map(({ name }) => name)))
    }
    await createIndexes(transaction, type, after, before, table)
    transaction.touch(type.table)
    if (previousUid !== type.uid)
      run.execute(sql`DELETE FROM octavo_meta WHERE key = ${`type:${previousUid}`}`)
    storeTypeTable(transaction, type.uid, after)
  }
  transaction.touch(EDGES)
}

/** An attribute that was replaced or converted has lost its column or its indexes, even if the new ones are the same. */
const isComplete = (after: TypeTable, table: ExistingTable | undefined) =>
  after.columns.every(({ name }) => table?.columns.has(name)) &&
  after.indexes.every(({ name }) => table?.indexes.has(name))

/** Renaming a table has dropped its indexes. */
function withoutRenamedIndexes(before: TypeTable | undefined, { table }: ContentType): TypeTable | null {
  if (!before) return null
  return before.table === table ? before : { ...before, indexes: [] }
}

/** The existing table of a type. A table that Octavo did not create is an error. */
function findTable(
  type: ContentType,
  existing: ReadonlyMap<string, ExistingTable>,
): ExistingTable | undefined {
  const table = existing.get(type.table)
  if (table && !table.columns.has(VERSION_COLUMNS.documentId)) {
    throw new StartError(
      `The database already has a table ${type.table} that Octavo did not create. Give ${type.uid} another collectionName or use a separate database.`,
    )
  }
  return table
}

const isServedDifferently = (before: TypeTable | null, after: TypeTable) =>
  before?.served.join() !== after.served.join()

/** The names of new attributes if they are only appended to the served JSON; null if anything else changes. */
function appendedNames(before: TypeTable, after: TypeTable, table: ExistingTable): string[] | null {
  const [previous, next] = [before, after].map(({ served }) => served.filter((name) => name !== 'locale'))
  if (!previous || !next || previous.some((name, index) => next[index] !== name)) return null
  const names = next.slice(previous.length).map((name) => name.split(' ', 1)[0] ?? name)
  return names.some((name) => table.columns.has(columnOf(name))) ? null : names
}

/** Whether rows change their locale or get drafts. */
const isReshaped = (before: TypeTable | null, after: TypeTable) =>
  before !== null &&
  (before.localized !== after.localized || before.draftAndPublish !== after.draftAndPublish)
