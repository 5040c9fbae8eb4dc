/** Counts the documents that a caller may find, by the value of an attribute. */
import type { ContentType } from '../model/model.ts'
import { compileValueCounts } from '../plan/plan.ts'
import { bind } from '../plan/prepared-statement.ts'
import { parseQuery, type Rest } from '../query/parse-query.ts'
import type { Scope } from '../query/scope.ts'
import type { Dialect } from '../store/dialect.ts'
import type { Statement } from '../store/statement.ts'
import type { Layout } from '../store/tables/layout.ts'

/** The statement returns each `value` with its `count`. */
export function valueCountsStatement(
  type: ContentType,
  attribute: string,
  scope: Scope,
  layout: Layout,
  dialect: Dialect,
  rest: Rest['rest'],
): Statement {
  const { query, values } = parseQuery(type, { kind: 'list' }, {}, layout.model, scope, rest)
  return bind(compileValueCounts(query, attribute, layout, dialect), values)
}
