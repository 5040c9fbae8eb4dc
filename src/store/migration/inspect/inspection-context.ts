/** What planning a migration needs: both models, the relation ids and a way to read the database. */
import type { Attribute, ContentType } from '../../../model/model.ts'
import type { Dialect } from '../../dialect.ts'
import { type Sql, sql } from '../../sql.ts'
import { columnOf, reachableComponents, relationKeyText } from '../../tables/layout.ts'
import type { MatchedShape, MatchedType } from '../plan/change.ts'
import type { ModelTransition } from '../plan/match-models.ts'
import type { ReadSql } from '../run-sql.ts'

export interface InspectionContext {
  readonly dialect: Dialect
  readonly transition: ModelTransition
  /** Relation ids by the keys of the previous model. */
  readonly relations: ReadonlyMap<string, number>
  readonly read: ReadSql
}

/** The matched content-types whose rows can hold the attributes of a content-type or component. */
const typesContaining = ({ transition }: InspectionContext, on: MatchedShape): readonly MatchedType[] =>
  on.kind === 'type'
    ? [on]
    : transition.types.filter(({ previous }) => componentsIn(transition, previous).includes(on.previous.uid))

/** The previous uids of the components that a previous content-type could contain, at any depth. */
function componentsIn(transition: ModelTransition, previous: Pick<ContentType, 'attributes'>): string[] {
  // Attributes of the previous model refer to components by their new uids.
  const byNewUid = new Map([
    ...transition.previous.components,
    ...transition.components.map((on) => [on.next.uid, on.previous] as const),
  ])
  return reachableComponents({ ...transition.previous, components: byNewUid }, previous).map(({ uid }) => uid)
}

/** The relation ids of a previous attribute; an attribute of a component has one for each content-type that contains it. */
export const relationIdsOf = (context: InspectionContext, on: MatchedShape, attribute: Attribute): number[] =>
  typesContaining(context, on).flatMap(({ previous }) => {
    const component = on.kind === 'component' ? on.previous.uid : null
    const key = relationKeyText({ type: previous.uid, component, attribute: attribute.name })
    return context.relations.get(key) ?? []
  })

/** Whether an attribute of a content-type is stored in a column, not as edges. */
export const hasColumn = (attribute: Attribute) => attribute.kind !== 'relation' && attribute.kind !== 'media'

/** The SQL condition under which the column of an attribute holds content. */
export const isFilled = (dialect: Dialect, attribute: Attribute): Sql => {
  const column = sql.id(columnOf(attribute.name))
  if (attribute.kind === 'scalar') return sql`${column} IS NOT NULL`
  const empty = dialect.toColumnType(sql`'[]'`, dialect.jsonType)
  return sql`(${column} IS NOT NULL AND ${column} <> ${empty})`
}
