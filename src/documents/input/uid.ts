/** Generates uids from another attribute when none was sent. */
import type { ContentType, ScalarAttribute } from '../../model/model.ts'
import type { MaybePromise } from '../../store/maybe-promise.ts'
import { sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'
import { columnOf } from '../../store/tables/layout.ts'
import { placeholder, statement } from '../rows/statement.ts'
import type { Version } from '../versions/version.ts'
import type { WriteContext } from '../write-context.ts'
import type { ShapeInput } from './body.ts'
import { cutSlug, MAX_SLUG_LENGTH, slugOf } from './slug.ts'

const maxLengthOf = ({ maxLength }: ScalarAttribute) =>
  Math.min(maxLength ?? MAX_SLUG_LENGTH, MAX_SLUG_LENGTH)

/** The version with its uids filled in, where the schema says `generate` and the uid is neither set nor sent. */
export function generateUids(
  context: WriteContext,
  version: Version,
  input: ShapeInput,
): MaybePromise<Version> {
  const { type, scalars } = context.blueprint
  const missing = scalars.flatMap((attribute) => {
    const source = sourceOf(attribute, version, input)
    if (source === null) return []
    return [{ attribute, base: cutSlug(slugOf(source) || type.singular, maxLengthOf(attribute)) }]
  })
  return missing.length === 0 ? version : withUids(context, version, missing)
}

/** The text from which to generate a uid; null when none is to be generated. */
function sourceOf(attribute: ScalarAttribute, version: Version, input: ShapeInput): string | null {
  const { name, targetField } = attribute
  if (!attribute.generate || targetField === null || input.has(name)) return null
  // In an existing version, a uid that was cleared on purpose stays empty until its source changes.
  if ((version.values.get(name) ?? null) !== null || !(version.id === null || input.has(targetField)))
    return null
  const source = version.values.get(targetField)
  return typeof source === 'string' && source !== '' ? source : null
}

async function withUids(
  context: WriteContext,
  version: Version,
  missing: readonly { readonly attribute: ScalarAttribute; readonly base: string }[],
): Promise<Version> {
  const { transaction, blueprint, documentId, generated } = context
  const values = new Map(version.values)
  for (const { attribute, base } of missing) {
    const uid = await freeUid(transaction, blueprint.type, attribute, base, documentId, version.locale)
    generated.add(blueprint.type, attribute)
    values.set(attribute.name, uid)
  }
  return { ...version, values }
}

/**
 * The base, or the base with the smallest number that no other document of the locale has. The base is shortened if both
 * together are too long.
 */
async function freeUid(
  transaction: Transaction,
  type: ContentType,
  attribute: ScalarAttribute,
  base: string,
  documentId: string,
  locale: string,
): Promise<string> {
  let stem = base
  let taken = await takenUids(transaction, type, attribute, stem, documentId, locale)
  if (!taken.has(base)) return base
  for (let number = 1; ; number++) {
    const suffix = `-${number}`
    const stemLength = maxLengthOf(attribute) - suffix.length
    if (stem.length > stemLength) {
      stem = cutSlug(base, stemLength)
      taken = await takenUids(transaction, type, attribute, stem, documentId, locale)
    }
    if (!taken.has(stem + suffix)) return stem + suffix
  }
}

/** The uids of other documents that are the stem or start with it and a hyphen. The lock keeps others from adding some. */
async function takenUids(
  transaction: Transaction,
  { table }: ContentType,
  { name }: ScalarAttribute,
  stem: string,
  documentId: string,
  locale: string,
): Promise<ReadonlySet<unknown>> {
  const { dialect } = transaction
  // A write that shortens its stem locks the longer one first, so that two writes never wait for each other.
  transaction.lock([`${table} ${name} ${locale} ${stem}`])
  const column = sql.id(columnOf(name))
  // The range covers the stem and everything that starts with `stem-`. It uses the index of the uid.
  const build = () => sql`select ${column} as uid from ${sql.table(table)}
    where locale = ${placeholder} and ${column} >= ${placeholder} and ${column} < ${placeholder}
      and document_id <> ${placeholder}`
  const shape = `uid|${table}|${name}`
  const rows = await transaction.all(statement(dialect, shape, build, [locale, stem, `${stem}.`, documentId]))
  return new Set(rows.map((row) => row.uid))
}
