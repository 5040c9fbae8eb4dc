/**
 * The values of unique attributes of components, in a table of their own. Entries are JSON in the rows of their documents,
 * where no index can compare them. Among all published documents of a locale, whatever their content-type, a component has
 * each value once.
 */
import { hash } from 'node:crypto'
import { type Attribute, type ContentType, holdsEntries, type Model } from '../../model/model.ts'
import { isSecret } from '../../model/privacy.ts'
import { compile } from '../compile.ts'
import { type Sql, sql } from '../sql.ts'
import type { Transaction } from '../store.ts'
import type { Entry } from './entry.ts'
import { columnOf, reachableComponents } from './layout.ts'

export const UNIQUE_VALUES = 'octavo_unique_values'

/** The names of unique attributes by the uid of their component. */
export type UniqueAttributes = ReadonlyMap<string, readonly string[]>

export interface UniqueValue {
  readonly component: string
  readonly attribute: string
  /** The value as text; a digest of a long one. */
  readonly value: string
  /** Where it is in the document. */
  readonly path: readonly string[]
}

/** The unique attributes of components that a content-type can contain. */
export const uniqueAttributesIn = (model: Model, type: ContentType): UniqueAttributes =>
  new Map(
    reachableComponents(model, type).flatMap(({ uid, attributes }) => {
      const names = [...attributes.values()].filter(isUnique).map(({ name }) => name)
      return names.length > 0 ? [[uid, names] as const] : []
    }),
  )

const isUnique = (attribute: Attribute) =>
  attribute.kind === 'scalar' && attribute.unique && !isSecret(attribute)

/** The unique values in the entries of an attribute, nested ones included. Null and empty strings do not count. */
export function* uniqueValuesIn(
  model: Model,
  unique: UniqueAttributes,
  attribute: Attribute,
  entries: readonly Entry[],
): Generator<UniqueValue> {
  yield* valuesOfList(model, unique, attribute, entries, [attribute.name])
}

function* valuesOfList(
  model: Model,
  unique: UniqueAttributes,
  attribute: Attribute | undefined,
  entries: readonly Entry[],
  path: readonly string[],
): Generator<UniqueValue> {
  const isSingle = attribute?.kind === 'component' && !attribute.repeatable
  for (const [index, entry] of entries.entries()) {
    const at = isSingle ? path : [...path, String(index)]
    const names = unique.get(entry.c) ?? []
    if (names.length > 0) {
      const served: Readonly<Record<string, unknown>> =
        entry.s === '' ? {} : JSON.parse(`{${entry.s.slice(1)}}`)
      for (const name of names) {
        const value = textOf(served[name] ?? entry.p?.[name] ?? null)
        if (value !== null) yield { component: entry.c, attribute: name, value, path: [...at, name] }
      }
    }
    const shape = model.components.get(entry.c)
    for (const [name, nested] of Object.entries(entry.n ?? {}))
      yield* valuesOfList(model, unique, shape?.attributes.get(name), nested, [...at, name])
  }
}

/** Longer values are compared by their digest: an index of PostgreSQL refuses long ones. */
const MAX_LENGTH = 200

function textOf(value: unknown): string | null {
  if (value === null || value === '') return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MAX_LENGTH ? `sha256:${hash('sha256', text)}` : text
}

/** Whether a model has unique attributes in components. */
export const hasUniqueValues = (model: Model): boolean =>
  [...model.types.values()].some((type) => uniqueAttributesIn(model, type).size > 0)

const ROWS_PER_PAGE = 500
const VALUES_PER_STATEMENT = 100

/**
 * Creates the table again from the published content, or drops it if the model does not need it. Where documents have the
 * same value from before it had to be unique, the first one has it.
 */
export async function rebuildUniqueValues(transaction: Transaction, model: Model): Promise<void> {
  const run = (query: Sql) => transaction.run(compile(transaction.dialect, query))
  const table = sql.table(UNIQUE_VALUES)
  run(sql`drop table if exists ${table}`)
  if (!hasUniqueValues(model)) return
  const text = sql.raw(transaction.dialect.textType)
  run(sql`create table ${table} (component ${text} not null, attribute ${text} not null, locale ${text} not null,
    value ${text} not null, document_id ${text} not null, primary key (component, attribute, locale, value))`)
  for (const type of model.types.values()) {
    const unique = uniqueAttributesIn(model, type)
    if (unique.size > 0) await addValuesOf(transaction, model, type, unique)
  }
}

async function addValuesOf(
  transaction: Transaction,
  model: Model,
  type: ContentType,
  unique: UniqueAttributes,
): Promise<void> {
  const { dialect } = transaction
  const lists = [...type.attributes.values()].filter(holdsEntries)
  const columns = lists.map(({ name }) => sql.id(columnOf(name)))
  for (let last = 0; ; ) {
    const rows = await transaction.all(
      compile(
        dialect,
        sql`select id, document_id, locale, ${sql.join(columns)} from ${sql.table(type.table)}
          where published = 1 and id > ${last} order by id limit ${sql.lit(ROWS_PER_PAGE)}`,
      ),
    )
    const values = rows.flatMap((row) =>
      lists.flatMap((attribute) => {
        const stored = row[columnOf(attribute.name)]
        const entries: readonly Entry[] = typeof stored === 'string' ? JSON.parse(stored) : []
        return [...uniqueValuesIn(model, unique, attribute, entries)].map(
          (one) =>
            sql`(${one.component}, ${one.attribute}, ${String(row.locale)}, ${one.value}, ${String(row.document_id)})`,
        )
      }),
    )
    for (let start = 0; start < values.length; start += VALUES_PER_STATEMENT)
      transaction.run(
        compile(
          dialect,
          sql`insert into ${sql.table(UNIQUE_VALUES)} (component, attribute, locale, value, document_id)
            values ${sql.join(values.slice(start, start + VALUES_PER_STATEMENT))} on conflict do nothing`,
        ),
      )
    if (rows.length < ROWS_PER_PAGE) return
    last = Number(rows.at(-1)?.id)
  }
}
