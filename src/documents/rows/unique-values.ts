/** Keeps the table of unique values in components up to date, and finds values that other documents have. */
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'
import { UNIQUE_VALUES, type UniqueValue, uniqueValuesIn } from '../../store/tables/unique-values.ts'
import { NOT_UNIQUE } from '../unique-conflict.ts'
import type { Version, Versions } from '../versions/version.ts'
import type { WriteContext } from '../write-context.ts'
import type { Blueprint } from './blueprint.ts'

type Checked = Pick<WriteContext, 'transaction' | 'blueprint' | 'documentId' | 'problems'>

/** The document whose values are checked. */
export interface UniqueCheck extends Checked {
  /** Other documents whose present values do not count, because they are published or unpublished first. */
  readonly replaced?: readonly string[]
}

interface LocaleValue extends UniqueValue {
  readonly locale: string
}

const VALUES_PER_STATEMENT = 100

/** Stores the unique values that the published versions of a document have gained, and deletes those that they have lost. */
export function saveUniqueValues(
  transaction: Transaction,
  blueprint: Blueprint,
  documentId: string,
  before: Versions,
  after: Versions,
): void {
  if (blueprint.uniqueInComponents.size === 0) return
  const had = publishedValues(blueprint, before)
  const has = publishedValues(blueprint, after)
  const { dialect } = transaction
  const table = sql.table(UNIQUE_VALUES)
  for (const values of inParts([...had].filter(([key]) => !has.has(key))))
    transaction.run(
      compile(
        dialect,
        sql`delete from ${table} where document_id = ${documentId} and (${sql.join(values.map(isValue), ' or ')})`,
      ),
    )
  // In the same order in every write, so that two writes never wait for each other.
  const added = [...has].filter(([key]) => !had.has(key)).sort(([a], [b]) => (a < b ? -1 : 1))
  for (const values of inParts(added))
    transaction.run(
      compile(
        dialect,
        sql`${dialect.insertInto(table)} (component, attribute, locale, value, document_id) values ${sql.join(
          values.map(
            ({ component, attribute, locale, value }) =>
              sql`(${component}, ${attribute}, ${locale}, ${value}, ${documentId})`,
          ),
        )}`,
      ),
    )
}

/** Adds a problem for each unique value in a component that another published document has. */
export async function findTakenInComponents(
  { transaction, blueprint, documentId, problems, replaced = [] }: UniqueCheck,
  version: Version,
): Promise<void> {
  if (blueprint.uniqueInComponents.size === 0) return
  const others = sql`not ${transaction.dialect.inTexts(
    sql.id('document_id'),
    sql`${JSON.stringify([documentId, ...replaced])}`,
  )}`
  const own = [...publishedValues(blueprint, [{ ...version, published: true }])]
  for (const values of inParts(own)) {
    const rows = await transaction.all(
      compile(
        transaction.dialect,
        sql`select component, attribute, value from ${sql.table(UNIQUE_VALUES)}
          where ${others} and (${sql.join(values.map(isValue), ' or ')})`,
      ),
    )
    const taken = new Set(rows.map((row) => keyOf(row.component, row.attribute, version.locale, row.value)))
    for (const one of values)
      if (taken.has(keyOf(one.component, one.attribute, one.locale, one.value)))
        problems.add([...one.path], NOT_UNIQUE)
  }
}

/** The values in components that a version claims when it is published. */
export const claimedInComponents = (blueprint: Blueprint, version: Version) =>
  [...publishedValues(blueprint, [{ ...version, published: true }])].map(([key, { path }]) => ({ key, path }))

const isValue = ({ component, attribute, locale, value }: LocaleValue) =>
  sql`(component = ${component} and attribute = ${attribute} and locale = ${locale} and value = ${value})`

const keyOf = (...parts: readonly unknown[]) => JSON.stringify(parts)

/** The unique values of published versions, each once. */
function publishedValues({ model, lists, uniqueInComponents }: Blueprint, versions: Versions) {
  const values = new Map<string, LocaleValue>()
  for (const { published, locale, lists: stored } of versions) {
    if (!published) continue
    for (const attribute of lists)
      for (const one of uniqueValuesIn(
        model,
        uniqueInComponents,
        attribute,
        stored.get(attribute.name)?.entries ?? [],
      ))
        values.set(keyOf(one.component, one.attribute, locale, one.value), { ...one, locale })
  }
  return values
}

function* inParts(values: readonly (readonly [string, LocaleValue])[]): Generator<readonly LocaleValue[]> {
  for (let start = 0; start < values.length; start += VALUES_PER_STATEMENT)
    yield values.slice(start, start + VALUES_PER_STATEMENT).map(([, value]) => value)
}
