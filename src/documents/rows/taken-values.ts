/**
 * Unique values that another document already has. The indexes refuse them too, but report one at a time. So all of them
 * are read only when the write fails anyway, to name them all in one error.
 */
import type { ScalarAttribute } from '../../model/model.ts'
import type { Dialect } from '../../store/dialect.ts'
import { sql } from '../../store/sql.ts'
import type { SqlValue } from '../../store/statement.ts'
import { isComparedColumn, isComparedForUnique, isLong } from '../../store/tables/indexed.ts'
import { columnOf } from '../../store/tables/layout.ts'
import type { Path } from '../input/problems.ts'
import { NOT_UNIQUE } from '../unique-conflict.ts'
import type { Version } from '../versions/version.ts'
import type { WriteContext } from '../write-context.ts'
import type { Blueprint } from './blueprint.ts'
import { placeholder, statement } from './statement.ts'
import { claimedInComponents, findTakenInComponents, type UniqueCheck } from './unique-values.ts'

/** Does `findTaken` for a write that fails in any case. */
export async function findTakenIfFailing(
  context: UniqueCheck & Pick<WriteContext, 'wasRefused'>,
  version: Version,
): Promise<void> {
  if (context.wasRefused || !context.problems.isEmpty) await findTaken(context, version)
}

/** Adds a problem for each unique value that another published document has, in components too. */
export async function findTaken(check: UniqueCheck, version: Version): Promise<void> {
  await findTakenValues(check, version)
  await findTakenInComponents(check, version)
}

/** The same for the attributes of the content-type itself. */
async function findTakenValues(
  { transaction, blueprint, documentId, problems, replaced = [] }: UniqueCheck,
  version: Version,
): Promise<void> {
  const { dialect } = transaction
  const { key, type } = blueprint
  const unique = uniqueScalars(blueprint, version)
  if (unique.length === 0) return
  const build = () =>
    sql.join(
      unique.map(
        ({ attribute }) => sql`select ${sql.lit(attribute.name)} as name where exists (
          select 1 from ${sql.table(type.table)} where published = 1 and locale = ${placeholder}
            and ${isEqual(dialect, attribute)} and not ${dialect.inTexts(sql.id('document_id'), placeholder)})`,
      ),
      ' union all ',
    )
  const parameters = unique.flatMap(({ attribute, value }): SqlValue[] => [
    version.locale,
    ...(hasDigest(dialect, attribute) ? [value, value] : [value]),
    JSON.stringify([documentId, ...replaced]),
  ])
  const shape = `taken|${key}|${unique.map(({ attribute }) => attribute.name).join()}`
  for (const { name } of await transaction.all(statement(dialect, shape, build, parameters)))
    problems.add([String(name)], NOT_UNIQUE)
}

const uniqueScalars = ({ scalars }: Blueprint, { values }: Version) =>
  scalars.flatMap((attribute) => {
    const value = values.get(attribute.name) ?? null
    return attribute.unique && isComparedForUnique(attribute, value) ? [{ attribute, value }] : []
  })

/** A value that no two published documents may have. */
export interface ClaimedValue {
  /** The same for equal values of one attribute in one locale. */
  readonly key: string
  readonly path: Path
}

/** The values that a version claims when it is published, in components too. */
export const claimedValues = (blueprint: Blueprint, version: Version): readonly ClaimedValue[] => [
  ...uniqueScalars(blueprint, version).map(({ attribute: { name }, value }) => ({
    key: JSON.stringify([blueprint.type.uid, name, version.locale, String(value)]),
    path: [name],
  })),
  ...claimedInComponents(blueprint, version),
]

/** Long values are indexed by their digest. */
const hasDigest = (dialect: Dialect, attribute: ScalarAttribute) =>
  dialect.limitsIndexedLength && isLong(attribute)

function isEqual(dialect: Dialect, attribute: ScalarAttribute) {
  const column = sql.id(columnOf(attribute.name))
  // The index covers only what is compared.
  const equal = sql`${column} = ${placeholder} and ${isComparedColumn(attribute, column)}`
  return hasDigest(dialect, attribute)
    ? sql`md5(${column}) = md5(cast(${placeholder} as text)) and ${equal}`
    : equal
}
