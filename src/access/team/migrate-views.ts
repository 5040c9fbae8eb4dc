/** Migrates the views of the admin app with the model: renames content-types and attributes in them. */
import { compile } from '../../store/compile.ts'
import type { Change } from '../../store/migration/plan/change.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'
import { SAVED_VIEWS, VIEWS } from '../tables.ts'
import type { StoredTypeView } from './type-view.ts'

/** In the transaction that changes the model. Views of dropped types stay: the type may come back. */
export async function migrateViews(transaction: Transaction, changes: readonly Change[]): Promise<void> {
  const { dialect } = transaction
  const run = (statement: Sql) => transaction.run(compile(dialect, statement))
  for (const change of changes) {
    if (change.kind !== 'renameType') continue
    const [before, after] = [change.on.previous.uid, change.on.next.uid]
    run(sql`delete from ${sql.table(VIEWS)} where kind = 'type' and name = ${after}`)
    run(sql`update ${sql.table(VIEWS)} set name = ${after} where kind = 'type' and name = ${before}`)
    run(sql`update ${sql.table(SAVED_VIEWS)} set type = ${after} where type = ${before}`)
    transaction.touch(VIEWS)
  }
  for (const change of changes) {
    if (change.kind !== 'renameAttribute') continue
    const { uid } = change.on.next
    const [row] = await transaction.all(
      compile(dialect, sql`select value from ${sql.table(VIEWS)} where kind = 'type' and name = ${uid}`),
    )
    if (!row) continue
    const renamed = renameInView(JSON.parse(String(row.value)), change.from.name, change.to.name)
    run(sql`update ${sql.table(VIEWS)} set value = ${JSON.stringify(renamed)}
      where kind = 'type' and name = ${uid}`)
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
