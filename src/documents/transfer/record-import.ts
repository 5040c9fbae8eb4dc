/** Records what an import changes: what it deletes to replace it, and what it inserts. */
import type { ContentType } from '../../model/model.ts'
import { systemScope } from '../../query/scope.ts'
import { compile } from '../../store/compile.ts'
import type { MaybePromise } from '../../store/maybe-promise.ts'
import { sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'
import type { Layout } from '../../store/tables/layout.ts'
import type { ChangeSink } from '../changes/change-record.ts'
import { ChangeRecorder, type RelatedVersion } from '../changes/recorder.ts'

const BATCH = 1_000

export function recordImported(
  transaction: Transaction,
  layout: Layout,
  sinks: readonly ChangeSink[],
  type: ContentType,
  action: 'create' | 'delete',
  rows: readonly RelatedVersion[],
): MaybePromise<void> {
  const changes = new ChangeRecorder(
    sinks.filter((sink) => !sink.skipsImports),
    layout,
    systemScope.principal,
    null,
  )
  changes.addImported(type, action, rows, new Date().toISOString())
  return changes.write(transaction)
}

/** Deletes every row of a content-type; its edges are left to the caller. */
export async function deleteAllRows(
  transaction: Transaction,
  layout: Layout,
  sinks: readonly ChangeSink[],
  type: ContentType,
): Promise<void> {
  const { dialect } = transaction
  const table = sql.table(type.table)
  if (sinks.length > 0) {
    for (let after = { documentId: '', locale: '' }; ; ) {
      const rows = await transaction.all(
        compile(
          dialect,
          sql`select document_id, locale, max(published) as published from ${table}
            where (document_id, locale) > (${after.documentId}, ${after.locale})
            group by document_id, locale order by document_id, locale limit ${sql.lit(BATCH)}`,
        ),
      )
      const versions = rows.map((row) => ({
        documentId: String(row.document_id),
        locale: String(row.locale),
        published: row.published === 1,
      }))
      await recordImported(transaction, layout, sinks, type, 'delete', versions)
      const last = versions.at(-1)
      if (!last || versions.length < BATCH) break
      after = last
    }
  }
  transaction.run(compile(dialect, sql`delete from ${table}`))
  transaction.touch(type.table)
}
