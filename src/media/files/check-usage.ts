/** Checks that the new bytes of a file fit every attribute that the file is attached to. */
import { mediaKindOf } from '../../documents/relations/resolve.ts'
import { errors } from '../../errors.ts'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'
import { EDGES, type Layout } from '../../store/tables/layout.ts'
import { fileType, mediaAttributes } from './records.ts'

export async function checkUsages(
  transaction: Transaction,
  layout: Layout,
  documentId: string,
  { name, mime }: { readonly name: string; readonly mime: string },
): Promise<void> {
  const kind = mediaKindOf(mime)
  const rejecting = mediaAttributes(layout).filter(({ attribute }) => !attribute.allowedTypes.includes(kind))
  if (rejecting.length === 0) return
  await lockAgainstUse(transaction, layout, documentId)
  const usages = sql`select distinct relation from ${sql.table(EDGES)} where target = ${documentId}
    and relation in (${sql.join(rejecting.map(({ relation }) => relation))})`
  const rows = await transaction.all(compile(transaction.dialect, usages))
  const found = new Set(rows.map(({ relation }) => Number(relation)))
  const problems = rejecting
    .filter(({ relation }) => found.has(relation))
    .map(({ type, component, attribute }) => ({
      path: [attribute.name],
      message: `The file is attached to ${attribute.name} of ${component ? `${component} in ` : ''}${type.uid}, which accepts ${attribute.allowedTypes.join(', ')}, but ${name} is ${mime}`,
    }))
  if (problems.length > 0) throw errors.invalidValues(problems)
}

/** A write that attaches the file locks its row in share mode until it ends; on SQLite writes run one at a time. */
async function lockAgainstUse(transaction: Transaction, layout: Layout, documentId: string) {
  if (transaction.dialect.hasSingleWriter) return
  const row = sql`select id from ${sql.table(fileType(layout).table)} where document_id = ${documentId} for update`
  await transaction.all(compile(transaction.dialect, row))
}
