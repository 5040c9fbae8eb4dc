/** The attributes that a list can be filtered by: those of the type, and those of related documents. */
import type { AttributeView, ContentTypeView } from '../api/types.ts'
import type { FieldFilter } from '../fields/field-type.ts'
import { fieldType } from '../fields/index.ts'
import { orderedFilter } from '../fields/shared/filters.ts'
import type { Schema } from '../form/schema.ts'
import { texts } from '../texts.ts'

export interface Filterable {
  /** The path of the attribute, such as `district.name`. */
  readonly path: string
  readonly label: string
  readonly filter: FieldFilter
  readonly attribute: AttributeView | null
}

const INSTANTS = [
  { name: 'updatedAt', label: texts.list.updatedAt },
  { name: 'createdAt', label: texts.list.createdAt },
]

export function filterablesOf(schema: Schema, type: ContentTypeView): readonly Filterable[] {
  const own = attributesOf(type)
  const related = type.attributes
    .filter(({ type: kind, target }) => kind === 'relation' && target !== undefined)
    .flatMap((relation) => {
      const target = schema.types.get(relation.target ?? '')
      const prefix = labelOf(type, relation.name)
      return target
        ? attributesOf(target)
            .filter(({ attribute }) => attribute?.type !== 'relation')
            .map((each) => ({
              ...each,
              path: `${relation.name}.${each.path}`,
              label: `${prefix} › ${each.label}`,
            }))
        : []
    })
  const instants = INSTANTS.map(({ name, label }) => ({
    path: name,
    label,
    filter: orderedFilter('datetime-local'),
    attribute: null,
  }))
  return [...own, ...instants, ...related]
}

/** What documents of every one of several types can be compared by. */
export function commonFilterables(schema: Schema, types: readonly ContentTypeView[]): readonly Filterable[] {
  const [first = [], ...others] = types.map((type) => filterablesOf(schema, type))
  return first.filter(({ path, filter }) =>
    others.every((each) => each.some((other) => other.path === path && other.filter.input === filter.input)),
  )
}

function attributesOf(type: ContentTypeView): Filterable[] {
  return type.attributes.flatMap((attribute) => {
    const { filter } = fieldType(attribute.type)
    return filter && attribute.readable !== false
      ? [{ path: attribute.name, label: labelOf(type, attribute.name), filter, attribute }]
      : []
  })
}

const labelOf = ({ view }: ContentTypeView, name: string) =>
  view.fields.find((field) => field.name === name)?.label ?? name
