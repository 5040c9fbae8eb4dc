/** Makes the `served` column of a type again after the model has changed what is served. */
import { sql } from 'kysely'
import type { ContentType } from '../model/model.ts'
import { compile } from './compile.ts'
import { columnOf } from './layout.ts'
import { servedRow } from './served.ts'
import type { Transaction } from './store.ts'

const BATCH = 500

/** Rewrites every row, some at a time. */
export async function rebuildServed(transaction: Transaction, type: ContentType) {
  const table = sql.table(type.table)
  const scalarColumns = [...type.attributes.values()]
    .filter((attribute) => attribute.kind === 'scalar')
    .map((attribute) => sql.id(columnOf(attribute.name)))
  const columns = sql.join([
    ...['id', 'created_at', 'updated_at', 'published_at', 'locale'].map((name) => sql.id(name)),
    ...scalarColumns,
  ])
  for (let after = 0; ; ) {
    const rows = await transaction.all(
      compile(
        transaction.engine,
        sql`SELECT ${columns} FROM ${table} WHERE id > ${after} ORDER BY id LIMIT ${sql.lit(BATCH)}`,
      ),
    )
    const rebuilt = rows.map((row): [number, string] => [
      Number(row.id),
      servedRow(
        type,
        (attribute) => row[columnOf(attribute)] ?? null,
        {
          createdAt: String(row.created_at),
          updatedAt: String(row.updated_at),
          publishedAt: row.published_at == null ? null : String(row.published_at),
        },
        String(row.locale),
      ),
    ])
    await replaceText(transaction, type.table, 'served', rebuilt)
    const last = rebuilt.at(-1)
    if (!last || rows.length < BATCH) return
    after = last[0]
  }
}

/** Sets a text column of many rows in one statement; the rows count as written. */
export async function replaceText(
  transaction: Transaction,
  table: string,
  column: string,
  values: readonly (readonly [id: number, text: string])[],
) {
  if (values.length === 0) return
  const list = JSON.stringify(values)
  const query =
    transaction.engine === 'sqlite'
      ? sql`UPDATE ${sql.table(table)} SET ${sql.id(column)} = item.value ->> 1, revision = revision + 1
          FROM json_each(${list}) AS item WHERE ${sql.table(table)}.id = item.value ->> 0`
      : sql`UPDATE ${sql.table(table)} SET ${sql.id(column)} = ${
          column === 'served' ? sql`item.value ->> 1` : sql`(item.value ->> 1)::jsonb`
        }, revision = revision + 1
          FROM json_array_elements(${list}::json) AS item WHERE ${sql.table(table)}.id = (item.value ->> 0)::bigint`
  await transaction.run(compile(transaction.engine, query))
}
