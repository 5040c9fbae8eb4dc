/** Follows documents that tables refer to by content-type and locale when the model changes. */
import type { Model } from '../../model/model.ts'
import { compile } from '../../store/compile.ts'
import type { Change } from '../../store/migration/plan/change.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'

/**
 * In the transaction that changes the model: follows renamed content-types, and locales that are switched on or off. The
 * tables have the columns `type` and `locale`; those that do not exist are left out.
 */
export async function migrateReferences(
  transaction: Transaction,
  tables: readonly string[],
  changes: readonly Change[],
  { locales }: Model,
): Promise<void> {
  const { dialect } = transaction
  const run = (statement: Sql) => transaction.run(compile(dialect, statement))
  const renames = changes.flatMap((change) => (change.kind === 'renameType' ? [change.on] : []))
  const localized = changes.flatMap((change) =>
    change.kind === 'localize' || change.kind === 'unlocalize' ? [change] : [],
  )
  if (renames.length === 0 && localized.length === 0) return
  for (const name of tables) {
    const [exists] = await transaction.all(compile(dialect, dialect.hasTable(name)))
    if (!exists) continue
    const references = sql.table(name)
    if (renames.length > 0) {
      // One statement, because names may be exchanged.
      const cases = renames.map(({ previous, next }) => sql`when ${previous.uid} then ${next.uid}`)
      run(sql`update ${references} set type = case type ${sql.join(cases, ' ')} end
        where type in (${sql.join(renames.map(({ previous }) => previous.uid))})`)
    }
    for (const { kind, on } of localized) {
      const [from, to] = kind === 'localize' ? ['', locales.default] : [locales.default, '']
      run(sql`update ${references} set locale = ${to} where type = ${on.next.uid} and locale = ${from}`)
    }
  }
}
