/** Uids that are derived from another attribute when nothing was sent for them. */
import type { ContentType, ScalarAttribute } from '../../model/model.ts'
import type { MaybePromise } from '../../store/maybe-promise.ts'
import { sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'
import { columnOf } from '../../store/tables/layout.ts'
import { noteMadeUp } from '../retry-unique.ts'
import type { Blueprint } from '../rows/blueprint.ts'
import { place, statement } from '../rows/statement.ts'
import type { Version } from '../versions/version.ts'
import type { ShapeInput } from './body.ts'
import { plainLetters } from './transliterate.ts'

/** Nobody wants a longer path, whatever the attribute takes. */
const LONGEST = 200

const longestOf = ({ maxLength }: ScalarAttribute) => Math.min(maxLength ?? LONGEST, LONGEST)

/** Lower-case letters, digits and hyphens: what is left of a text that can stand in a path. */
const slugOf = (text: string) =>
  plainLetters(text)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')

/** The beginning of a slug, with no hyphen left at its end. */
const cut = (slug: string, length: number) => slug.slice(0, Math.max(length, 0)).replace(/-+$/, '')

/** The version with its uids filled in, where the schema says `generate` and none is set or was sent. */
export function generateUids(
  transaction: Transaction,
  blueprint: Blueprint,
  documentId: string,
  version: Version,
  input: ShapeInput,
): MaybePromise<Version> {
  const due = blueprint.scalars.flatMap((attribute) => {
    const source = sourceOf(attribute, version, input)
    if (source === null) return []
    return [{ attribute, base: cut(slugOf(source) || blueprint.type.singular, longestOf(attribute)) }]
  })
  return due.length === 0 ? version : withUids(transaction, blueprint, documentId, version, due)
}

/** The text that a uid is to be derived from; null when none is. */
function sourceOf(attribute: ScalarAttribute, version: Version, input: ShapeInput): string | null {
  const { name, targetField } = attribute
  if (attribute.type !== 'uid' || !attribute.generate || targetField === null || input.has(name)) return null
  // Later, a uid that was cleared on purpose stays empty until its source changes.
  if ((version.values.get(name) ?? null) !== null || !(version.id === null || input.has(targetField)))
    return null
  const source = version.values.get(targetField)
  return typeof source === 'string' && source !== '' ? source : null
}

async function withUids(
  transaction: Transaction,
  blueprint: Blueprint,
  documentId: string,
  version: Version,
  due: readonly { readonly attribute: ScalarAttribute; readonly base: string }[],
): Promise<Version> {
  const values = new Map(version.values)
  for (const { attribute, base } of due) {
    const uid = await freeUid(transaction, blueprint, attribute, base, documentId, version.locale)
    noteMadeUp(transaction, blueprint.type, attribute)
    values.set(attribute.name, uid)
  }
  return { ...version, values }
}

/** The base itself, or with the smallest number that no other document of the locale has; shortened where both do not fit. */
async function freeUid(
  transaction: Transaction,
  { type }: Blueprint,
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
    const room = longestOf(attribute) - suffix.length
    if (stem.length > room) {
      stem = cut(base, room)
      taken = await takenUids(transaction, type, attribute, stem, documentId, locale)
    }
    if (!taken.has(stem + suffix)) return stem + suffix
  }
}

/** What other documents have of a stem and what begins with it and a hyphen. Nobody else makes such uids meanwhile. */
async function takenUids(
  transaction: Transaction,
  { table }: ContentType,
  { name }: ScalarAttribute,
  stem: string,
  documentId: string,
  locale: string,
): Promise<ReadonlySet<unknown>> {
  const { dialect } = transaction
  // Whoever shortens takes the lock of the longer stem first, so that two never wait for each other.
  transaction.lock([`${table} ${name} ${locale} ${stem}`])
  const column = sql.id(columnOf(name))
  // From the stem to what would follow `stem-`: a stretch of an index that `tables.ts` makes for this.
  const build = () => sql`select ${column} as uid from ${sql.table(table)}
    where locale = ${place} and ${column} >= ${place} and ${column} < ${place} and document_id <> ${place}`
  const shape = `uid|${table}|${name}`
  const rows = await transaction.all(statement(dialect, shape, build, [locale, stem, `${stem}.`, documentId]))
  return new Set(rows.map((row) => row.uid))
}
