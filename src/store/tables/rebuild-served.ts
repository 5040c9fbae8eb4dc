/** Rebuilds the `served` column of a type after the model has changed what is served. */
import type { ContentType } from '../../model/model.ts'
import { compile } from '../compile.ts'
import { sql } from '../sql.ts'
import type { Transaction } from '../store.ts'
import { columnOf } from './layout.ts'
import { servedRow, servedScalars } from './served.ts'

const BATCH = 500

/** Rewrites every row, in batches. A column that does not exist yet counts as null. */
export async function rebuildServed(
  transaction: Transaction,
  type: ContentType,
  existing: ReadonlySet<string>,
) {
  const table = sql.table(type.table)
  const scalarColumns = [...type.attributes.values()]
    .filter((attribute) => attribute.kind === 'scalar')
    .map((attribute) => columnOf(attribute.name))
    .filter((column) => existing.has(column))
    .map((column) => sql.id(column))
  const columns = sql.join([
    ...['id', 'document_id', 'created_at', 'updated_at', 'published_at', 'locale'].map((name) =>
      sql.id(name),
    ),
    ...scalarColumns,
  ])
  for (let after = 0; ; ) {
    const rows = await transaction.all(
      compile(
        transaction.dialect,
        sql`SELECT ${columns} FROM ${table} WHERE id > ${after} ORDER BY id LIMIT ${sql.lit(BATCH)}`,
      ),
    )
    const rebuilt = rows.map((row): [number, string] => [
      Number(row.id),
      servedRow(
        type,
        String(row.document_id),
        servedScalars(type, (attribute) => row[columnOf(attribute)] ?? null),
        {
          createdAt: String(row.created_at),
          updatedAt: String(row.updated_at),
          publishedAt: row.published_at == null ? null : String(row.published_at),
        },
        String(row.locale),
      ),
    ])
    replaceText(transaction, type.table, 'served', rebuilt)
    const last = rebuilt.at(-1)
    if (!last || rows.length < BATCH) return
    after = last[0]
  }
}

/** The length of a timestamp as it is served, quotes included. */
const TIMESTAMP = '"2024-01-01T00:00:00.000Z"'.length

/**
 * Appends attributes without values in one statement, which is possible because the length of what follows is known. The
 * result is that of a rebuild, in a fraction of the time.
 */
export function extendServed(transaction: Transaction, type: ContentType, added: readonly string[]) {
  const nulls = added.map((name) => `,${JSON.stringify(name)}:null`).join('')
  const fixed = ',"createdAt":,"updatedAt":,"publishedAt":'.length + 2 * TIMESTAMP
  const locale = type.localized ? sql` + ${sql.lit(',"locale":""'.length)} + length(locale)` : sql``
  const tail = sql`(${sql.lit(fixed)} + CASE WHEN published_at IS NULL THEN 4 ELSE ${sql.lit(TIMESTAMP)} END${locale})`
  transaction.run(
    compile(
      transaction.dialect,
      sql`UPDATE ${sql.table(type.table)} SET revision = revision + 1,
        served = substr(served, 1, length(served) - ${tail}) || CAST(${nulls} AS text)
          || substr(served, length(served) - ${tail} + 1)`,
    ),
  )
}

/** Sets a text column of many rows in one statement, and increments their revision. */
export function replaceText(
  transaction: Transaction,
  table: string,
  column: string,
  values: readonly (readonly [id: number, text: string])[],
) {
  if (values.length === 0) return
  const list = JSON.stringify(values)
  const { dialect } = transaction
  const value = dialect.toColumnType(
    sql`item.value ->> 1`,
    column === 'served' ? dialect.textType : dialect.jsonType,
  )
  const query = sql`UPDATE ${sql.table(table)} SET ${sql.id(column)} = ${value}, revision = revision + 1
    FROM ${dialect.jsonItems(sql`${list}`)} WHERE ${sql.table(table)}.id = CAST(item.value ->> 0 AS bigint)`
  transaction.run(compile(dialect, query))
}
