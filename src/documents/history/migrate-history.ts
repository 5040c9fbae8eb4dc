/** Keeps history readable when the model changes: the replaced model is stored, and renamed content-types are followed. */

import type { Model } from '../../model/model.ts'
import { compile } from '../../store/compile.ts'
import { META_TABLE } from '../../store/migration/meta-table.ts'
import type { Change } from '../../store/migration/plan/change.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'
import { HISTORY, history, historyModels } from './tables.ts'

/** In the transaction that changes the model, before the new one is stored. */
export async function migrateHistory(
  transaction: Transaction,
  changes: readonly Change[],
  { locales }: Model,
): Promise<void> {
  const { dialect } = transaction
  const run = (query: Sql) => transaction.run(compile(dialect, query))
  const [table] = await transaction.all(compile(dialect, dialect.hasTable(HISTORY)))
  if (!table) return
  const meta = sql.table(META_TABLE)
  run(sql`insert into ${historyModels} (version, model)
    select cast(n.value as integer), m.value from ${meta} as n join ${meta} as m on m.key = 'model'
    where n.key = 'number' on conflict (version) do nothing`)
  const renames = changes.flatMap((change) => (change.kind === 'renameType' ? [change.on] : []))
  if (renames.length > 0) {
    // One statement, because names may be exchanged.
    const cases = renames.map(({ previous, next }) => sql`when ${previous.uid} then ${next.uid}`)
    run(sql`update ${history} set type = case type ${sql.join(cases, ' ')} end
      where type in (${sql.join(renames.map(({ previous }) => previous.uid))})`)
  }
  for (const change of changes) {
    if (change.kind !== 'localize' && change.kind !== 'unlocalize') continue
    const [from, to] = change.kind === 'localize' ? ['', locales.default] : [locales.default, '']
    run(sql`update ${history} set locale = ${to} where type = ${change.on.next.uid} and locale = ${from}`)
  }
}
