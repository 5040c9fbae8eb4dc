/** Migrates the views of the admin app with the model: renames content-types and attributes in them. */
import { compile } from '../../store/compile.ts'
import type { Change } from '../../store/migration/plan/change.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'
import { SAVED_VIEWS, VIEWS } from '../tables.ts'
import type { StoredTypeView } from './type-view.ts'
import { storedNavigation } from './views.ts'

const VIEW_TABLE = sql.table(VIEWS)

/** In the transaction that changes the model. Views of dropped types stay: the type may come back. */
export async function migrateViews(transaction: Transaction, changes: readonly Change[]): Promise<void> {
  await renameTypes(transaction, changes)
  await renameAttributes(transaction, changes)
}

async function renameTypes(transaction: Transaction, changes: readonly Change[]) {
  const { dialect } = transaction
  const run = (statement: Sql) => transaction.run(compile(dialect, statement))
  const uids = new Map(
    changes
      .filter((change) => change.kind === 'renameType')
      .map(({ on: { previous, next } }) => [previous.uid, next.uid]),
  )
  if (uids.size === 0) return
  for (const [before, after] of uids) {
    run(sql`delete from ${VIEW_TABLE} where kind = 'type' and name = ${after}`)
    run(sql`update ${VIEW_TABLE} set name = ${after} where kind = 'type' and name = ${before}`)
    run(sql`update ${sql.table(SAVED_VIEWS)} set type = ${after} where type = ${before}`)
  }
  const [row] = await transaction.all(
    compile(dialect, sql`select value from ${VIEW_TABLE} where kind = 'navigation'`),
  )
  if (row) {
    const groups = storedNavigation(row).groups.map(({ name, types }) => ({
      name,
      types: [...new Set(types.map((uid) => uids.get(uid) ?? uid))],
    }))
    run(sql`update ${VIEW_TABLE} set value = ${JSON.stringify({ groups })} where kind = 'navigation'`)
  }
  transaction.touch(VIEWS)
}

async function renameAttributes(transaction: Transaction, changes: readonly Change[]) {
  const { dialect } = transaction
  for (const change of changes) {
    if (change.kind !== 'renameAttribute') continue
    const isView = sql`kind = 'type' and name = ${change.on.next.uid}`
    const [row] = await transaction.all(
      compile(dialect, sql`select value from ${VIEW_TABLE} where ${isView}`),
    )
    if (!row) continue
    const renamed = renameInView(JSON.parse(String(row.value)), change.from.name, change.to.name)
    transaction.run(
      compile(dialect, sql`update ${VIEW_TABLE} set value = ${JSON.stringify(renamed)} where ${isView}`),
    )
    transaction.touch(VIEWS)
  }
}

function renameInView(view: StoredTypeView, before: string, after: string): StoredTypeView {
  const renamed = (name: string) => (name === before ? after : name)
  const { mainField, columns, defaultSort, previewUrl, fields } = view
  return {
    ...view,
    ...(mainField !== undefined && { mainField: renamed(mainField) }),
    ...(columns && { columns: columns.map(renamed) }),
    ...(defaultSort !== undefined && { defaultSort: defaultSort.replace(/^[^:]+/, renamed) }),
    ...(previewUrl != null && { previewUrl: previewUrl.replaceAll(`{${before}}`, `{${after}}`) }),
    ...(fields && { fields: fields.map((field) => ({ ...field, name: renamed(field.name) })) }),
  }
}
