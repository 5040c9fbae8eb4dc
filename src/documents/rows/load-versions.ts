/** Loads the versions of a document. */
import { sql } from '../../store/sql.ts'
import type { Row, SqlValue } from '../../store/statement.ts'
import type { Transaction } from '../../store/store.ts'
import { columnOf, VERSION_COLUMNS } from '../../store/tables/layout.ts'
import { EntryList, type Version, type VersionRow, type Versions } from '../versions/version.ts'
import type { Blueprint } from './blueprint.ts'
import { loadEdges } from './edge-rows.ts'
import { inDocuments, placeholder, statement } from './statement.ts'

/** All versions of a document, without their edges. */
export async function loadVersions(
  transaction: Transaction,
  blueprint: Blueprint,
  documentId: string,
): Promise<Versions> {
  const rows = await loadRows(transaction, blueprint, [documentId])
  return rows.map((row) => versionFrom(blueprint, row))
}

/** The versions with their edges. */
export async function withEdges(
  transaction: Transaction,
  { type, relations }: Blueprint,
  documentId: string,
  versions: Versions | Promise<Versions>,
): Promise<Versions> {
  // Requested together with the rows, so that PostgreSQL returns both in one round trip.
  const [rows, edges] = await Promise.all([versions, loadEdges(transaction, type, relations, [documentId])])
  return rows.map((version) => ({ ...version, edges: edges.get(version.id ?? 0) ?? new Map() }))
}

/** All versions of several documents with their edges, by documentId. Takes two statements, however many there are. */
export async function loadDocuments(
  transaction: Transaction,
  blueprint: Blueprint,
  documentIds: readonly string[],
): Promise<ReadonlyMap<string, Versions>> {
  const [rows, edges] = await Promise.all([
    loadRows(transaction, blueprint, documentIds),
    loadEdges(transaction, blueprint.type, blueprint.relations, documentIds),
  ])
  const documents = new Map<string, Version[]>()
  for (const row of rows) {
    const version = { ...versionFrom(blueprint, row), edges: edges.get(Number(row.id)) ?? new Map() }
    const documentId = String(row.document_id)
    const versions = documents.get(documentId)
    if (versions) versions.push(version)
    else documents.set(documentId, [version])
  }
  return documents
}

function loadRows(
  transaction: Transaction,
  blueprint: Blueprint,
  documentIds: readonly string[],
): Promise<readonly Row[]> {
  const { dialect } = transaction
  const documents = inDocuments(dialect, documentIds)
  const build = () => {
    const columns = blueprint.columns.filter((column) => column !== VERSION_COLUMNS.served)
    return sql`select ${sql.join(['id', ...columns].map((column) => sql.id(column)))}
      from ${sql.table(blueprint.type.table)} where ${documents.test(sql.ref('document_id'))}`
  }
  return transaction.all(
    statement(dialect, `load|${blueprint.key}|${documents.shape}`, build, documents.parameters),
  )
}

const textOrNull = (value: SqlValue | undefined) =>
  value === null || value === undefined ? null : String(value)

function versionFrom({ scalars, lists }: Blueprint, row: Row): Version {
  return {
    id: Number(row.id),
    locale: String(row.locale),
    published: row.published === 1,
    createdAt: String(row.created_at),
    updatedAt: String(row.updated_at),
    publishedAt: textOrNull(row.published_at),
    createdBy: textOrNull(row.created_by),
    updatedBy: textOrNull(row.updated_by),
    revision: Number(row.revision),
    values: new Map(scalars.map(({ name }) => [name, row[columnOf(name)] ?? null])),
    lists: new Map(lists.map(({ name }) => [name, EntryList.stored(textOrNull(row[columnOf(name)]))])),
    edges: new Map(),
  }
}

/** The ids of a document's rows, with their status and locale. */
export async function loadRowIds(
  transaction: Transaction,
  { type: { table } }: Blueprint,
  documentId: string,
): Promise<readonly VersionRow[]> {
  const build = () =>
    sql`select id, locale, published from ${sql.table(table)} where document_id = ${placeholder}`
  const rows = await transaction.all(statement(transaction.dialect, `ids|${table}`, build, [documentId]))
  return rows.map((row) => ({
    id: Number(row.id),
    locale: String(row.locale),
    published: row.published === 1,
  }))
}
