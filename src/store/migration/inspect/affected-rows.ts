/** Finds, counts and reads the rows that a change affects. */
import { type Sql, sql } from '../../sql.ts'
import type { SqlValue } from '../../statement.ts'
import type { Entry } from '../../tables/entry.ts'
import type { ReadSql } from '../run-sql.ts'

/** The number of rows and of documents they are versions of, and the documentIds of the first few. */
export interface AffectedRows {
  readonly rows: number
  readonly affected: number
  readonly documents: readonly string[]
}

export const NO_ROWS: AffectedRows = { rows: 0, affected: 0, documents: [] }

const LISTED_DOCUMENTS = 5

/** Counts rows that are found one by one; each row and document counts once. */
export class AffectedRowCounter {
  readonly #rows = new Set<string>()
  readonly #documents = new Set<string>()

  add(table: string, id: number, documentId: string) {
    this.#rows.add(`${table} ${id}`)
    this.#documents.add(documentId)
  }

  get result(): AffectedRows {
    return {
      rows: this.#rows.size,
      affected: this.#documents.size,
      documents: [...this.#documents].sort().slice(0, LISTED_DOCUMENTS),
    }
  }
}

/** Counts the rows that satisfy a condition. */
export async function findRows(read: ReadSql, table: string, condition: Sql): Promise<AffectedRows> {
  const [counts] = await read(
    sql`SELECT count(*) AS rows, count(DISTINCT document_id) AS documents
      FROM ${sql.table(table)} WHERE ${condition}`,
  )
  const rows = Number(counts?.rows)
  if (rows === 0) return NO_ROWS
  const listed = await read(
    sql`SELECT DISTINCT document_id FROM ${sql.table(table)} WHERE ${condition}
      ORDER BY document_id LIMIT ${sql.lit(LISTED_DOCUMENTS)}`,
  )
  return {
    rows,
    affected: Number(counts?.documents),
    documents: listed.map(({ document_id }) => String(document_id)),
  }
}

const BATCH_SIZE = 500

interface FilledRow {
  readonly id: number
  readonly documentId: string
  readonly locale: string
  readonly value: SqlValue
}

/** Reads the rows in which a column is not null, in batches ordered by id. */
export async function* readFilledRows(
  read: ReadSql,
  table: string,
  column: string,
  condition: Sql = sql`1 = 1`,
): AsyncGenerator<readonly FilledRow[]> {
  for (let lastId = 0; ; ) {
    const rows = await read(
      sql`SELECT id, document_id, locale, ${sql.id(column)} AS value FROM ${sql.table(table)}
        WHERE id > ${lastId} AND ${sql.id(column)} IS NOT NULL AND ${condition} ORDER BY id LIMIT ${sql.lit(BATCH_SIZE)}`,
    )
    const batch = rows.map((row) => ({
      id: Number(row.id),
      documentId: String(row.document_id),
      locale: String(row.locale),
      value: row.value ?? null,
    }))
    if (batch.length > 0) yield batch
    const last = batch.at(-1)
    if (!last || batch.length < BATCH_SIZE) return
    lastId = last.id
  }
}

/** The component entries stored in a column. */
export function parseEntries(value: SqlValue): readonly Entry[] {
  const entries: readonly Entry[] = value === null ? [] : JSON.parse(String(value))
  return entries
}
