/** What the documents that show a file ask of it: bytes of a kind that each of their attributes takes. */
import { mediaKindOf } from '../../documents/relations/resolve.ts'
import { errors } from '../../errors.ts'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'
import { EDGES, type Layout } from '../../store/tables/layout.ts'
import { fileType, mediaAttributes } from './records.ts'

/** Refuses bytes that an attribute which shows the file would not take, in a document or in a component of one. */
export async function checkUsages(
  transaction: Transaction,
  layout: Layout,
  documentId: string,
  { name, mime }: { readonly name: string; readonly mime: string },
): Promise<void> {
  const kind = mediaKindOf(mime)
  const narrower = mediaAttributes(layout).filter(({ attribute }) => !attribute.allowedTypes.includes(kind))
  if (narrower.length === 0) return
  await lockAgainstUse(transaction, layout, documentId)
  const showing = sql`select distinct relation from ${sql.table(EDGES)} where target = ${documentId}
    and relation in (${sql.join(narrower.map(({ relation }) => relation))})`
  const rows = await transaction.all(compile(transaction.dialect, showing))
  const found = new Set(rows.map(({ relation }) => Number(relation)))
  const problems = narrower
    .filter(({ relation }) => found.has(relation))
    .map(({ type, component, attribute }) => ({
      path: [attribute.name],
      message: `The file is shown by ${attribute.name} of ${component ? `${component} in ` : ''}${type.uid}, which takes ${attribute.allowedTypes.join(', ')}, not ${name} (${mime})`,
    }))
  if (problems.length > 0) throw errors.invalidValues(problems)
}

/** Whoever writes the file into a document shares its row until they are done; on SQLite writes run one at a time. */
async function lockAgainstUse(transaction: Transaction, layout: Layout, documentId: string) {
  if (transaction.dialect.hasSingleWriter) return
  const row = sql`select id from ${sql.table(fileType(layout).table)} where document_id = ${documentId} for update`
  await transaction.all(compile(transaction.dialect, row))
}
