/** Uids that are derived from another attribute when nothing was sent for them. */
import { sql } from 'kysely'
import type { ScalarAttribute } from '../model/model.ts'
import { columnOf } from '../store/layout.ts'
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
export async function generateUids(
  transaction: Transaction,
  blueprint: Blueprint,
  documentId: string,
  version: Version,
  input: ShapeInput,
): Promise<Version> {
  let result = version
  for (const attribute of blueprint.scalars) {
    const { name, targetField } = attribute
    if (attribute.type !== 'uid' || !attribute.generate || targetField === null || input.has(name)) continue
    // Later, a uid that was cleared on purpose stays empty until its source changes.
    if ((version.values.get(name) ?? null) !== null || !(version.id === null || input.has(targetField)))
      continue
    const source = version.values.get(targetField)
    if (typeof source !== 'string' || source === '') continue
    const base = slugOf(source) || blueprint.type.singular
    const uid = await freeUid(transaction, blueprint, attribute, base, documentId, version.locale)
    result = { ...result, values: new Map(result.values).set(name, uid) }
  }
  return result
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
  await transaction.lock([`${type.table} ${attribute.name} ${locale} ${base}`])
  const column = sql.id(columnOf(attribute.name))
  const build = () => sql`select ${column} as uid from ${sql.table(type.table)}
    where locale = ${place} and document_id <> ${place} and (${column} = ${place} or ${column} like ${place})`
  const shape = `uid|${type.table}|${attribute.name}`
  const rows = await transaction.all(statement(engine, shape, build, [locale, documentId, base, `${base}-%`]))
  const taken = new Set(rows.map((row) => row.uid))
  if (!taken.has(base)) return base
  for (let number = 1; ; number++) if (!taken.has(`${base}-${number}`)) return `${base}-${number}`
}
