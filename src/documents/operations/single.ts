/** The one document of a single type. */
import type { ContentType } from '../../model/model.ts'
import { sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'
import { statement } from '../rows/statement.ts'

/** Its documentId, or null if it does not exist. The lock keeps others from creating it before the transaction ends. */
export async function singleDocument(
  transaction: Transaction,
  { uid, table }: ContentType,
): Promise<string | null> {
  transaction.lock([uid])
  const build = () => sql`select document_id from ${sql.table(table)} order by id limit 1`
  const [row] = await transaction.all(statement(transaction.dialect, `single|${table}`, build, []))
  return row ? String(row.document_id) : null
}
