/** The documents that a body names, found in the database: one statement, whatever the number of names and types. */
import { type RawBuilder, sql } from 'kysely'
import { type ContentType, FILE, type Model, typeOf } from '../../model/model.ts'
import type { EngineName, SqlValue, Transaction } from '../../store/store.ts'
import { type Among, among, statement } from '../statement.ts'
import type { VersionRow } from '../version.ts'
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

/** What is named of a type, and what was found of it. */
interface Asked {
  readonly type: ContentType
  readonly ids: Set<number>
  readonly documentIds: Set<string>
  readonly found: Map<string, Target & { readonly rows: VersionRow[] }>
  readonly byId: Map<number, Target>
}

/** Looks up all references; documents that are `held` cannot disappear before the transaction ends. */
export async function findTargets(
  transaction: Transaction,
  model: Model,
  references: readonly Reference[],
  held: boolean,
): Promise<Targets> {
  const asked = new Map<string, Asked>()
  for (const { type, name } of references) {
    let one = asked.get(type)
    if (!one) {
      one = {
        type: typeOf(model, type),
        ids: new Set(),
        documentIds: new Set(),
        found: new Map(),
        byId: new Map(),
      }
      asked.set(type, one)
    }
    if ('id' in name) one.ids.add(name.id)
    else one.documentIds.add(name.documentId)
  }
  const all = [...asked.values()]
  for (const row of all.length > 0 ? await transaction.all(lookup(transaction.engine, all, held)) : []) {
    const one = all[Number(row.type)]
    if (!one) continue
    const documentId = String(row.document_id)
    let target = one.found.get(documentId)
    if (!target) {
      target = { type: one.type.uid, documentId, rows: [], mime: row.mime === null ? null : String(row.mime) }
      one.found.set(documentId, target)
    }
    target.rows.push({ id: Number(row.id), locale: String(row.locale), published: row.published === 1 })
    one.byId.set(Number(row.id), target)
  }
  return {
    all: all.flatMap(({ found }) => [...found.values()]),
    find({ type, name }) {
      const one = asked.get(type)
      return ('id' in name ? one?.byId.get(name.id) : one?.found.get(name.documentId)) ?? null
    },
  }
}

interface Wanted {
  readonly type: ContentType
  readonly named: Among | null
  readonly numbered: Among | null
}

function lookup(engine: EngineName, asked: readonly Asked[], held: boolean) {
  const wanted = asked.map(
    ({ type, ids, documentIds }): Wanted => ({
      type,
      named: documentIds.size > 0 ? among(engine, [...documentIds]) : null,
      numbered: ids.size > 0 ? among(engine, [...ids]) : null,
    }),
  )
  const shape = wanted.map(
    ({ type, named, numbered }) => `${type.table} ${named?.shape ?? ''} ${numbered?.shape ?? ''}`,
  )
  return statement(
    engine,
    `targets|${held}|${shape.join()}`,
    () => select(engine, wanted, held),
    wanted.flatMap(({ named, numbered }): SqlValue[] => [
      ...(named?.parameters ?? []),
      ...(numbered?.parameters ?? []),
    ]),
  )
}

/** PostgreSQL would rather join, and may try every pair of rows. */
const ofRows = (engine: EngineName, found: RawBuilder<unknown>) =>
  engine === 'sqlite' ? sql`document_id in (${found})` : sql`document_id = any (array (${found}))`

function select(engine: EngineName, wanted: readonly Wanted[], held: boolean) {
  const parts = wanted.map(({ type, named, numbered }, index) => {
    const table = sql.table(type.table)
    const documentId = sql.ref('document_id')
    const tests = [
      ...(named ? [named.test(documentId)] : []),
      ...(numbered
        ? [ofRows(engine, sql`select document_id from ${table} where ${numbered.test(sql.ref('id'))}`)]
        : []),
    ]
    const mime = type.uid === FILE ? sql.ref('a_mime') : sql`null`
    return sql`select ${sql.lit(index)} as type, id, document_id, locale, published, ${mime} as mime from ${table}
      where ${sql.join(tests, sql` or `)}`
  })
  // On SQLite writes run one at a time.
  if (engine === 'sqlite' || !held) return sql.join(parts, sql` union all `)
  // A shared lock on the rows: others may name the same documents and change them, but not delete them.
  const names = parts.map((_, index) => sql.id(`t${index}`))
  const locked = parts.map((part, index) => sql`${names[index] ?? sql.id('t')} as (${part} for key share)`)
  return sql`with ${sql.join(locked)} ${sql.join(
    names.map((name) => sql`select * from ${name}`),
    sql` union all `,
  )}`
}
