/** The counters that give rows and component entries their ids: read for an export, moved on by an import. */
import { compile } from '../compile.ts'
import { ENTRY_ID_BLOCK } from '../postgres/transaction.ts'
import type { Ask } from '../snapshot.ts'
import { sql } from '../sql.ts'
import type { EngineName, Transaction } from '../store.ts'

const sequenceOf = (table: string) => sql`pg_get_serial_sequence(format('%I', ${table}::text), 'id')`

/** The highest id that a table has given to a row so far, also to one that is gone; 0 when it has given none. */
export async function highestRowId(ask: Ask, engine: EngineName, table: string): Promise<number> {
  const query =
    engine === 'sqlite'
      ? sql`SELECT seq AS highest FROM sqlite_sequence WHERE name = ${table}`
      : sql`SELECT pg_sequence_last_value(${sequenceOf(table)}::regclass) AS highest`
  const [row] = await ask(query)
  return Number(row?.highest ?? 0)
}

/** The highest id that a component entry may have. */
export async function highestEntryId(ask: Ask, engine: EngineName): Promise<number> {
  const query =
    engine === 'sqlite'
      ? sql`SELECT value AS highest FROM octavo_counters WHERE name = 'entry'`
      : sql`SELECT CASE WHEN is_called THEN last_value + ${sql.lit(ENTRY_ID_BLOCK - 1)} ELSE 0 END AS highest
          FROM octavo_entry_ids`
  const [row] = await ask(query)
  return Number(row?.highest ?? 0)
}

/** Has a table give its next row an id above `highest`, and above those it has given itself. */
export async function passRowIds(transaction: Transaction, table: string, highest: number) {
  if (transaction.engine === 'sqlite') {
    await transaction.all(
      compile('sqlite', sql`UPDATE sqlite_sequence SET seq = max(seq, ${highest}) WHERE name = ${table}`),
    )
    await transaction.all(
      compile(
        'sqlite',
        sql`INSERT INTO sqlite_sequence (name, seq) SELECT ${table}, ${highest}
          WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ${table})`,
      ),
    )
    return
  }
  await transaction.all(
    compile(
      'postgres',
      sql`SELECT setval(sequence::regclass,
          greatest(${highest}::bigint, 1, coalesce(pg_sequence_last_value(sequence::regclass), 1)))
        FROM (SELECT ${sequenceOf(table)} AS sequence) AS found`,
    ),
  )
}

/** Has the next component entry get an id above `highest`, and above those that were given before. */
export async function passEntryIds(transaction: Transaction, highest: number) {
  const query =
    transaction.engine === 'sqlite'
      ? sql`UPDATE octavo_counters SET value = max(value, ${highest}) WHERE name = 'entry'`
      : sql`SELECT setval('octavo_entry_ids', greatest(${highest}::bigint, 1, last_value)) FROM octavo_entry_ids`
  await transaction.all(compile(transaction.engine, query))
}
