/** What a rule can compare: what lists can be filtered by, who wrote a document, and the ids of related users. Pure. */
import type { SchemaAttribute } from '../../../api/settings/roles.ts'
import type { ContentTypeView } from '../../../api/types.ts'
import { fieldType } from '../../../fields/index.ts'
import { equalityFilter, orderedFilter } from '../../../fields/shared/filters.ts'
import { type Filterable, filterablesOf } from '../../../filters/filterable.ts'
import type { Schema } from '../../../form/schema.ts'
import { settingsTexts } from '../../../texts/settings/settings.ts'
import { texts } from '../../../texts.ts'

const USER = 'plugin::users-permissions.user'

/** The users who created a document and who changed it last. */
const AUTHORS = (['createdBy', 'updatedBy'] as const).map((path) => ({
  ...{ path, label: texts.list[path], filter: equalityFilter('number'), attribute: null },
}))

export function ruleFilterables(schema: Schema, type: ContentTypeView): readonly Filterable[] {
  const users = type.attributes
    .filter(({ target }) => target === USER)
    .map(({ name }) => ({
      path: `${name}.id`,
      label: `${labelOf(type, name)} › ${settingsTexts.roles.ids.id}`,
      filter: equalityFilter('number'),
      attribute: null,
    }))
  const listed = filterablesOf(schema, type)
  const known = new Set(listed.map(({ path }) => path))
  return [...listed, ...[...AUTHORS, ...users].filter(({ path }) => !known.has(path))]
}

/** Of files, users and roles: every attribute with a value, and what each document has. */
export function builtInFilterables(
  attributes: Readonly<Record<string, SchemaAttribute>>,
): readonly Filterable[] {
  const own = Object.entries(attributes).flatMap(([name, { type, enum: values }]): Filterable[] => {
    const { filter } = fieldType(type)
    if (!filter || type === 'relation' || type === 'media') return []
    const attribute = {
      ...{ name, type, localized: false, readable: true, writable: { create: true, update: true } },
      ...(values && { enum: values }),
    }
    return [{ path: name, label: name, filter, attribute }]
  })
  const ids = (['id', 'documentId'] as const).map((path) => ({
    path,
    label: settingsTexts.roles.ids[path],
    filter: equalityFilter(path === 'id' ? 'number' : 'text'),
    attribute: null,
  }))
  const instants = (['createdAt', 'updatedAt'] as const).map((path) => ({
    ...{ path, label: texts.list[path], filter: orderedFilter('datetime-local'), attribute: null },
  }))
  return [...own, ...AUTHORS, ...ids, ...instants]
}

const labelOf = ({ view }: ContentTypeView, name: string) =>
  view.fields.find((field) => field.name === name)?.label ?? name
