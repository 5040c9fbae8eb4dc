/** Creates and drops the search indexes of content-types. */
import type { Model } from '../../../model/model.ts'
import type { Store } from '../../store.ts'
import type { TargetTables } from '../../tables/tables.ts'
import type { MigrationState } from '../meta-table.ts'
import type { PlannedChange } from '../plan/migration-plan.ts'
import { readFrom } from '../run-sql.ts'
import type { MigrationRun } from './migration-run.ts'

/** Whether a content-type of the model declares a search index. */
export const needsSearch = (model: Model) => [...model.types.values()].some(({ search }) => search)

/** Whether a database in this state can have the search indexes of a model. True only if the model declares one. */
export async function canHaveSearch(
  store: Store,
  model: Model,
  { hasSearch }: Pick<MigrationState, 'hasSearch'>,
): Promise<boolean> {
  if (!needsSearch(model)) return false
  // A start with nothing to change takes one statement.
  if (hasSearch) return true
  const { isAvailable } = store.dialect.search
  return isAvailable === null || (await readFrom(store)(isAvailable)).length > 0
}

/**
 * Drops the search indexes that the next model does not have, or that contain columns which the plan changes. Returns the uids
 * of the content-types that keep theirs. Runs first: on SQLite, the triggers of an index would follow a column to its backup.
 */
export function dropOutdatedSearch(
  run: MigrationRun,
  plan: readonly PlannedChange[],
  target: TargetTables,
): ReadonlySet<string> {
  const changed = new Set(
    plan.flatMap(({ change }) => (isChangeOfColumns(change) ? change.on.previous.uid : [])),
  )
  const kept = new Set<string>()
  for (const [uid, { table, search }] of run.tables) {
    if (!search) continue
    const next = target.types[uid]
    const isKept =
      next?.table === table && !changed.has(uid) && JSON.stringify(next.search) === JSON.stringify(search)
    if (isKept) kept.add(uid)
    else for (const statement of run.dialect.search.drop(table, search)) run.execute(statement)
  }
  return kept
}

type Change = PlannedChange['change']

/** Whether columns are renamed, dropped or filled anew. */
const isChangeOfColumns = (
  change: Change,
): change is Extract<
  Change,
  { kind: 'renameType' | 'renameAttribute' | 'dropAttribute' | 'replaceAttribute' | 'convertValues' }
> =>
  change.kind === 'renameType' ||
  change.kind === 'renameAttribute' ||
  change.kind === 'dropAttribute' ||
  change.kind === 'replaceAttribute' ||
  change.kind === 'convertValues'

/** Creates the search indexes of the next model, except those that were kept. */
export function createMissingSearch(run: MigrationRun, target: TargetTables, kept: ReadonlySet<string>) {
  const { search: dialect } = run.dialect
  const missing = Object.entries(target.types).filter(([uid, { search }]) => search && !kept.has(uid))
  if (missing.length > 0) for (const statement of dialect.prepare) run.execute(statement)
  for (const [, { table, search }] of missing) {
    if (!search) continue
    // An older version of Octavo may have left one that it does not know.
    const statements = [...dialect.drop(table, search), ...dialect.create(table, search)]
    for (const statement of statements) run.execute(statement)
  }
}
