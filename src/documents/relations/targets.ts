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

/** Finds all referenced documents. Documents that are `held` cannot disappear before the transaction ends. */
export async function findTargets(
  transaction: Transaction,
  model: Model,
  references: readonly Reference[],
  held: boolean,
  known: KnownTargets,
): Promise<Targets> {
  const byDocumentId = new Map<string, Map<string, Target>>()
  const byId = new Map<string, Target>()
  const all = new Set<Target>()
  const missing: Reference[] = []
  for (const reference of references) {
    const { type, name } = reference
    let ofType = byDocumentId.get(type)
    if (!ofType) {
      const { table } = typeOf(model, type)
      ofType = known.of(table, await transaction.contentToken(table))
      byDocumentId.set(type, ofType)
    }
    const target = 'id' in name ? undefined : ofType.get(name.documentId)
    if (target) all.add(target)
    else missing.push(reference)
  }
  if (missing.length > 0) {
    for (const target of await readTargets(transaction, model, missing, held)) {
      all.add(target)
      byDocumentId.get(target.type)?.set(target.documentId, target)
      for (const { id } of target.rows) byId.set(`${target.type} ${id}`, target)
    }
  }
  return {
    all: [...all],
    find: ({ type, name }) =>
      ('id' in name ? byId.get(`${type} ${name.id}`) : byDocumentId.get(type)?.get(name.documentId)) ?? null,
  }
}

/** Per table; when there are more, all of them are forgotten. */
const MAX_KNOWN = 5_000

/** Documents that earlier writes have found, valid as long as their table has the same content. */
export class KnownTargets {
  readonly #tables = new Map<string, { readonly content: object; readonly targets: Map<string, Target> }>()

  /** The known documents of a table by documentId, to which others may be added; `content` is null when unknown. */
  of(table: string, content: object | null): Map<string, Target> {
    const known = this.#tables.get(table)
    if (content && known?.content === content && known.targets.size < MAX_KNOWN) return known.targets
    const targets = new Map<string, Target>()
    if (content) this.#tables.set(table, { content, targets })
    return targets
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
    const mime = type.uid === FILE ? sql.ref('a_mime') : sql`null`
    return sql`select ${sql.lit(index)} as type, id, document_id, locale, published, ${mime} as mime from ${table}
      where ${sql.join(tests, ' or ')}`
  })
  if (dialect.hasSingleWriter || !held) return sql.join(parts, ' union all ')
  // A shared lock on the rows: other writes may name these documents and change them, but not delete them.
  const names = parts.map((_, index) => sql.id(`t${index}`))
  const locked = parts.map((part, index) => sql`${names[index] ?? sql.id('t')} as (${part} for key share)`)
  return sql`with ${sql.join(locked)} ${sql.join(
    names.map((name) => sql`select * from ${name}`),
    ' union all ',
  )}`
}
