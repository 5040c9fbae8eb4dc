/** What a rule can compare: what lists can be filtered by, who wrote a document, and the ids of related users. Pure. */
import type { ContentTypeView } from '../../../api/types.ts'
import { equalityFilter } from '../../../fields/shared/filters.ts'
import { type Filterable, filterablesOf } from '../../../filters/filterable.ts'
import type { Schema } from '../../../form/schema.ts'
import { texts } from '../../../texts.ts'

const USER = 'plugin::users-permissions.user'

export function ruleFilterables(schema: Schema, type: ContentTypeView): readonly Filterable[] {
  const authors = (['createdBy', 'updatedBy'] as const).map((path) => ({
    ...{ path, label: texts.list[path], filter: equalityFilter('number'), attribute: null },
  }))
  const users = type.attributes
    .filter(({ target }) => target === USER)
    .map(({ name }) => ({
      path: `${name}.id`,
      label: `${labelOf(type, name)} › ${texts.settings.roles.ids.id}`,
      filter: equalityFilter('number'),
      attribute: null,
    }))
  const listed = filterablesOf(schema, type)
  const known = new Set(listed.map(({ path }) => path))
  return [...listed, ...[...authors, ...users].filter(({ path }) => !known.has(path))]
}

const labelOf = ({ view }: ContentTypeView, name: string) =>
  view.fields.find((field) => field.name === name)?.label ?? name
