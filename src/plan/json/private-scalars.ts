/** The JSON of private scalars, which the served JSON of a row does not contain. Only the admin app reads them. */
import type { ScalarAttribute } from '../../model/model.ts'
import { isSecret, isServed } from '../../model/privacy.ts'
import { scalarTypes } from '../../model/scalars/index.ts'
import { type Sql, sql } from '../../store/sql.ts'
import { columnOf } from '../../store/tables/layout.ts'
import { type Compilation, column, type RowSource } from '../sources.ts'

/** The private scalar of a document with this name; null when it is served, secret or no scalar. */
export function privateScalar({ type }: RowSource, name: string): ScalarAttribute | null {
  const attribute = type.attributes.get(name)
  return attribute?.kind === 'scalar' && !isServed(attribute) && !isSecret(attribute) ? attribute : null
}

/** The pieces of `,"name":value` for each of them. */
export const privateMembers = (c: Compilation, source: RowSource): readonly Sql[] =>
  [...source.type.attributes.keys()].flatMap((name) => {
    const attribute = privateScalar(source, name)
    return attribute ? [sql.lit(`,"${name}":`), privateValue(c, source, attribute)] : []
  })

/** As `ScalarType.json` makes it from the stored value. */
export function privateValue(c: Compilation, source: RowSource, { name, type }: ScalarAttribute): Sql {
  const stored = column(source, columnOf(name))
  const text = sql`cast(${stored} as text)`
  const { family, json } = scalarTypes[type]
  const isQuoted = family === 'text' || family === 'instant' || json('1').startsWith('"')
  const value =
    family === 'boolean'
      ? sql`case ${stored} when 1 then 'true' when 0 then 'false' end`
      : family !== 'json' && isQuoted
        ? c.dialect.quoteJson(text)
        : text
  // Quoting null gives the JSON null, and casting it gives null.
  return sql`coalesce(case when ${stored} is null then null else ${value} end, 'null')`
}
