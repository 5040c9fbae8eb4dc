/** Uids that are derived from another attribute when nothing was sent for them. */
import { sql } from 'kysely'
import type { ScalarAttribute } from '../model/model.ts'
import { columnOf } from '../store/layout.ts'
import type { Soon } from '../store/soon.ts'
import type { Transaction } from '../store/store.ts'
import type { Blueprint } from './blueprint.ts'
import type { ShapeInput } from './body.ts'
import { place, statement } from './statement.ts'
import type { Version } from './version.ts'

const LONGEST = 200

/** Lower-case letters, digits and hyphens: what is left of a text that can stand in a path. */
function slugOf(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '')
}

/** The version with its uids filled in, where the schema says `generate` and none is set or was sent. */
export function generateUids(
  transaction: Transaction,
  blueprint: Blueprint,
  documentId: string,
  version: Version,
  input: ShapeInput,
): Soon<Version> {
  const due = blueprint.scalars.flatMap((attribute) => {
    const source = sourceOf(attribute, version, input)
    return source === null ? [] : [{ attribute, base: slugOf(source) || blueprint.type.singular }]
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
  for (const { attribute, base } of due)
    values.set(
      attribute.name,
      await freeUid(transaction, blueprint, attribute, base, documentId, version.locale),
    )
  return { ...version, values }
}

/** The base itself, or the base with the smallest number that no other document of the locale has. */
async function freeUid(
  transaction: Transaction,
  { type }: Blueprint,
  attribute: ScalarAttribute,
  base: string,
  documentId: string,
  locale: string,
): Promise<string> {
  const { engine } = transaction
  transaction.lock([`${type.table} ${attribute.name} ${locale} ${base}`])
  const column = sql.id(columnOf(attribute.name))
  // From the base to what would follow `base-`: a stretch of an index that `tables.ts` makes for this.
  const build = () => sql`select ${column} as uid from ${sql.table(type.table)}
    where locale = ${place} and ${column} >= ${place} and ${column} < ${place} and document_id <> ${place}`
  const shape = `uid|${type.table}|${attribute.name}`
  const rows = await transaction.all(statement(engine, shape, build, [locale, base, `${base}.`, documentId]))
  const taken = new Set(rows.map((row) => row.uid))
  if (!taken.has(base)) return base
  for (let number = 1; ; number++) if (!taken.has(`${base}-${number}`)) return `${base}-${number}`
}
