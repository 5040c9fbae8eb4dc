/** The indexes of a content-type that serve filters and sorts: declared in its schema, or created by the server. */
import type { ContentType } from '../../model/model.ts'
import type { Dialect } from '../../store/dialect.ts'
import type { AutomaticIndex } from '../../store/tables/automatic-indexes.ts'
import { declaredIndexes } from '../../store/tables/tables.ts'

export interface KnownIndex {
  readonly name: string
  /** Its columns between `published`, `locale` and `id`. */
  readonly columns: readonly string[]
}

export const knownIndexes = (
  type: ContentType,
  automatic: readonly AutomaticIndex[],
  dialect: Dialect,
): readonly KnownIndex[] => [
  ...declaredIndexes(type, dialect).map(({ name, parts }) => ({
    name,
    columns: parts.slice(2, -1).map(({ column }) => column),
  })),
  ...automatic.filter(({ table, state }) => table === type.table && state === 'ready'),
]
