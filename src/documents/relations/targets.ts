/** Finds the documents that a body names, with one statement for any number of documents and types. */
import { type ContentType, FILE, type Model, typeOf } from '../../model/model.ts'
import type { Dialect } from '../../store/dialect.ts'
import { sql } from '../../store/sql.ts'
import type { Row, SqlValue } from '../../store/statement.ts'
import type { Transaction } from '../../store/store.ts'
import { inList, type ListTest, statement } from '../rows/statement.ts'
import type { VersionRow } from '../versions/version.ts'
import type { Reference } from './operation.ts'

/** A document that a body names. */
export interface Target {
  readonly type: string
  readonly documentId: string
  readonly rows: readonly VersionRow[]
  /** Of files only. */
  readonly mime: string | null
  /** Who has uploaded it; of files only. */
  readonly createdBy: string | null
}

export interface Targets {
  readonly all: readonly Target[]
  /**
   * The referenced document, or null if there is none of that type. `changes` is true if the write changes
   * the document, as on the inverse side of a relation.
   */
  find(reference: Reference, changes?: boolean): Target | null
}

export const NO_TARGETS: Targets = { all: [], find: () => null }

/** Related documents that the caller may not see. */
export interface HiddenTargets {
  has(type: string, documentId: string): boolean
}

export const NONE_HIDDEN: HiddenTargets = { has: () => false }

/** Finds all referenced documents. Documents that are `held` cannot disappear before the transaction ends. */
export async function findTargets(
  transaction: Transaction,
  model: Model,
  references: readonly Reference[],
  held: boolean,
): Promise<Targets> {
  const all = references.length === 0 ? [] : await readTargets(transaction, model, references, held)
  const byDocumentId = new Map(all.map((target) => [`${target.type} ${target.documentId}`, target]))
  const byId = new Map(all.flatMap((target) => target.rows.map(({ id }) => [`${target.type} ${id}`, target])))
  return {
    all,
    find: ({ type, name }) =>
      ('id' in name ? byId.get(`${type} ${name.id}`) : byDocumentId.get(`${type} ${name.documentId}`)) ??
      null,
  }
}

/** The referenced documents of one type. */
interface TypeReferences {
  readonly type: ContentType
  readonly ids: Set<number>
  readonly documentIds: Set<string>
}

async function readTargets(
  transaction: Transaction,
  model: Model,
  references: readonly Reference[],
  held: boolean,
): Promise<Target[]> {
  const byType = new Map<string, TypeReferences>()
  for (const { type, name } of references) {
    let ofType = byType.get(type)
    if (!ofType) {
      ofType = { type: typeOf(model, type), ids: new Set(), documentIds: new Set() }
      byType.set(type, ofType)
    }
    if ('id' in name) ofType.ids.add(name.id)
    else ofType.documentIds.add(name.documentId)
  }
  const types = [...byType.values()]
  const rows = await transaction.all(targetStatement(transaction.dialect, types, held))
  const found = Map.groupBy(rows, (row) => `${row.type} ${row.document_id}`)
  return [...found.values()].flatMap((versions) => targetFrom(types, versions) ?? [])
}

function targetFrom(types: readonly TypeReferences[], versions: readonly Row[]): Target | null {
  const [first] = versions
  const type = types[Number(first?.type)]?.type.uid
  if (!first || type === undefined) return null
  return {
    type,
    documentId: String(first.document_id),
    rows: versions.map(({ id, locale, published }) => ({
      id: Number(id),
      locale: String(locale),
      published: published === 1,
    })),
    mime: typeof first.mime === 'string' ? first.mime : null,
    createdBy: typeof first.created_by === 'string' ? first.created_by : null,
  }
}

interface TypeCondition {
  readonly type: ContentType
  readonly byDocumentId: ListTest | null
  readonly byId: ListTest | null
}

function targetStatement(dialect: Dialect, types: readonly TypeReferences[], held: boolean) {
  const conditions = types.map(
    ({ type, ids, documentIds }): TypeCondition => ({
      type,
      byDocumentId: documentIds.size > 0 ? inList(dialect, [...documentIds]) : null,
      byId: ids.size > 0 ? inList(dialect, [...ids]) : null,
    }),
  )
  const shape = conditions.map(
    ({ type, byDocumentId, byId }) => `${type.table} ${byDocumentId?.shape ?? ''} ${byId?.shape ?? ''}`,
  )
  return statement(
    dialect,
    `targets|${held}|${shape.join()}`,
    () => select(dialect, conditions, held),
    conditions.flatMap(({ byDocumentId, byId }): SqlValue[] => [
      ...(byDocumentId?.parameters ?? []),
      ...(byId?.parameters ?? []),
    ]),
  )
}

function select(dialect: Dialect, conditions: readonly TypeCondition[], held: boolean) {
  const parts = conditions.map(({ type, byDocumentId, byId }, index) => {
    const table = sql.table(type.table)
    const documentId = sql.ref('document_id')
    const tests = [
      ...(byDocumentId ? [byDocumentId.test(documentId)] : []),
      ...(byId
        ? [
            dialect.inSubquery(
              documentId,
              sql`select document_id from ${table} where ${byId.test(sql.ref('id'))}`,
            ),
          ]
        : []),
    ]
    const ofFile = type.uid === FILE ? sql`a_mime as mime, created_by` : sql`null as mime, null as created_by`
    return sql`select ${sql.lit(index)} as type, id, document_id, locale, published, ${ofFile} from ${table}
      where ${sql.join(tests, ' or ')}`
  })
  if (dialect.hasSingleWriter || !held) return sql.join(parts, ' union all ')
  // A shared lock on the rows: other writes may name these documents and change them, but not delete them.
  const names = parts.map((_, index) => sql.id(`octavo_targets_${index}`))
  const locked = parts.map(
    (part, index) => sql`${names[index] ?? sql.id('octavo_targets')} as (${part} for key share)`,
  )
  return sql`with ${sql.join(locked)} ${sql.join(
    names.map((name) => sql`select * from ${name}`),
    ' union all ',
  )}`
}
