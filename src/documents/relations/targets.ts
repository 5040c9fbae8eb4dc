/** The documents that a body names, found in the database: one statement, whatever the number of names and types. */
import { type ContentType, FILE, type Model, typeOf } from '../../model/model.ts'
import type { Dialect } from '../../store/dialect.ts'
import { sql } from '../../store/sql.ts'
import type { Row, SqlValue } from '../../store/statement.ts'
import type { Transaction } from '../../store/store.ts'
import { type Among, among, statement } from '../rows/statement.ts'
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
   * The document that a reference names, or null when there is none of that type. `changes` when naming it changes
   * it, as on the inverse side of a relation.
   */
  find(reference: Reference, changes?: boolean): Target | null
}

/** Looks up all references; documents that are `held` cannot disappear before the transaction ends. */
export async function findTargets(
  transaction: Transaction,
  model: Model,
  references: readonly Reference[],
  held: boolean,
): Promise<Targets> {
  const byName = new Map<string, Map<string, Target>>()
  const byId = new Map<string, Target>()
  const all = new Set<Target>()
  const missing: Reference[] = []
  for (const reference of references) {
    const { type, name } = reference
    let some = byName.get(type)
    if (!some) {
      some = rememberedOf(await transaction.contentToken(typeOf(model, type).table))
      byName.set(type, some)
    }
    const known = 'id' in name ? undefined : some.get(name.documentId)
    if (known) all.add(known)
    else missing.push(reference)
  }
  if (missing.length > 0) {
    for (const target of await lookUp(transaction, model, missing, held)) {
      all.add(target)
      byName.get(target.type)?.set(target.documentId, target)
      for (const { id } of target.rows) byId.set(`${target.type} ${id}`, target)
    }
  }
  return {
    all: [...all],
    find: ({ type, name }) =>
      ('id' in name ? byId.get(`${type} ${name.id}`) : byName.get(type)?.get(name.documentId)) ?? null,
  }
}

/** Documents that were found, by what their table held then. */
const remembered = new WeakMap<object, Map<string, Target>>()

/** Of a table; when there are more, those found so far are looked up again. */
const MOST_REMEMBERED = 5_000

/** The documents that are known to be in a table, by their documentIds; none unless it is known what it holds. */
function rememberedOf(content: object | null): Map<string, Target> {
  const known = content ? remembered.get(content) : undefined
  if (known && known.size < MOST_REMEMBERED) return known
  const none = new Map<string, Target>()
  if (content) remembered.set(content, none)
  return none
}

/** What is named of a type. */
interface Asked {
  readonly type: ContentType
  readonly ids: Set<number>
  readonly documentIds: Set<string>
}

async function lookUp(
  transaction: Transaction,
  model: Model,
  references: readonly Reference[],
  held: boolean,
): Promise<Target[]> {
  const byType = new Map<string, Asked>()
  for (const { type, name } of references) {
    let asked = byType.get(type)
    if (!asked) {
      asked = { type: typeOf(model, type), ids: new Set(), documentIds: new Set() }
      byType.set(type, asked)
    }
    if ('id' in name) asked.ids.add(name.id)
    else asked.documentIds.add(name.documentId)
  }
  const asked = [...byType.values()]
  const rows = await transaction.all(lookup(transaction.dialect, asked, held))
  const found = Map.groupBy(rows, (row) => `${row.type} ${row.document_id}`)
  return [...found.values()].flatMap((versions) => targetFrom(asked, versions) ?? [])
}

function targetFrom(asked: readonly Asked[], versions: readonly Row[]): Target | null {
  const [first] = versions
  const type = asked[Number(first?.type)]?.type.uid
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

interface Wanted {
  readonly type: ContentType
  readonly named: Among | null
  readonly numbered: Among | null
}

function lookup(dialect: Dialect, asked: readonly Asked[], held: boolean) {
  const wanted = asked.map(
    ({ type, ids, documentIds }): Wanted => ({
      type,
      named: documentIds.size > 0 ? among(dialect, [...documentIds]) : null,
      numbered: ids.size > 0 ? among(dialect, [...ids]) : null,
    }),
  )
  const shape = wanted.map(
    ({ type, named, numbered }) => `${type.table} ${named?.shape ?? ''} ${numbered?.shape ?? ''}`,
  )
  return statement(
    dialect,
    `targets|${held}|${shape.join()}`,
    () => select(dialect, wanted, held),
    wanted.flatMap(({ named, numbered }): SqlValue[] => [
      ...(named?.parameters ?? []),
      ...(numbered?.parameters ?? []),
    ]),
  )
}

function select(dialect: Dialect, wanted: readonly Wanted[], held: boolean) {
  const parts = wanted.map(({ type, named, numbered }, index) => {
    const table = sql.table(type.table)
    const documentId = sql.ref('document_id')
    const tests = [
      ...(named ? [named.test(documentId)] : []),
      ...(numbered
        ? [
            dialect.inSubquery(
              documentId,
              sql`select document_id from ${table} where ${numbered.test(sql.ref('id'))}`,
            ),
          ]
        : []),
    ]
    const mime = type.uid === FILE ? sql.ref('a_mime') : sql`null`
    return sql`select ${sql.lit(index)} as type, id, document_id, locale, published, ${mime} as mime from ${table}
      where ${sql.join(tests, ' or ')}`
  })
  if (dialect.hasSingleWriter || !held) return sql.join(parts, ' union all ')
  // A shared lock on the rows: others may name the same documents and change them, but not delete them.
  const names = parts.map((_, index) => sql.id(`t${index}`))
  const locked = parts.map((part, index) => sql`${names[index] ?? sql.id('t')} as (${part} for key share)`)
  return sql`with ${sql.join(locked)} ${sql.join(
    names.map((name) => sql`select * from ${name}`),
    ' union all ',
  )}`
}
