/**
 * Schemas of the `filters` parameter: every operator on the type's own fields. What lies beyond a relation is told in
 * words, since types refer to each other in circles that readers of the document cannot follow.
 */
import type { ContentType } from '../../../model/model.ts'
import type { ScalarDocumentation } from '../../../model/scalar-type.ts'
import { fieldType } from '../../../plan/field-type.ts'
import { documentOf, type Subject } from '../../../query/find-name.ts'
import { type Drawing, fieldsOf } from '../document-builder.ts'
import { anyOf, boolean, closed, list, type Properties, ref, type Schema, text } from './schema.ts'

/** The filters that a caller can put on documents of a type. */
export function filtersSchema(d: Drawing, type: ContentType): Schema {
  const name = `${d.nameOf(type.uid)}Filters`
  return d.shared(name, () => {
    const subject = documentOf(type)
    const names = new Set([...fieldsOf(d, subject), ...d.seen(subject).map(([attribute]) => attribute)])
    const properties = [...names].flatMap((attribute): [string, Schema][] => {
      const schema = filterOf(d, subject, attribute)
      return schema ? [[attribute, schema]] : []
    })
    return closed({
      ...Object.fromEntries(properties),
      $and: list(ref(name), 'All of them.'),
      $or: list(ref(name), 'At least one of them.'),
      $not: ref(name),
    })
  })
}

/** Null for what cannot be filtered: media, zones, polymorphic relations. */
function filterOf(d: Drawing, subject: Subject, name: string): Schema | null {
  const found = d.look(subject, name)
  switch (found?.kind) {
    case 'field':
      return fieldFilter(d, fieldType(found.field).documentation.filter)
    case 'component':
      return beyond(d, found.subject)
    case 'related':
      return found.media ? null : anyOf(relationFilter(d), beyond(d, found.subject))
    default:
      return null
  }
}

/** Filters on what a relation or a component leads to. */
export const beyond = (d: Drawing, subject: Subject): Schema => ({
  type: 'object',
  description: `Filters on ${fieldsOf(d, subject).join(', ')}, and through its relations and components.`,
})

/** The operators on one kind of value; all that are given must hold. A bare value means `$eq`. */
function fieldFilter(d: Drawing, { name, value }: ScalarDocumentation['filter']): Schema {
  return d.shared(name, () =>
    anyOf(value, closed({ ...operators(value, list(value)), $not: { type: 'object' } })),
  )
}

const operators = (value: Schema, values: Schema): Properties => ({
  $eq: value,
  $eqi: text,
  $ne: value,
  $nei: text,
  $lt: value,
  $lte: value,
  $gt: value,
  $gte: value,
  $in: values,
  $notIn: values,
  $contains: text,
  $notContains: text,
  $containsi: text,
  $notContainsi: text,
  $startsWith: text,
  $startsWithi: text,
  $endsWith: text,
  $endsWithi: text,
  $between: { ...values, minItems: 2, maxItems: 2 },
  $null: boolean,
  $notNull: boolean,
})

const relationFilter = (d: Drawing): Schema =>
  d.shared('RelationFilter', () => {
    const name: Schema = { type: ['string', 'integer'], description: 'A documentId or a numeric id.' }
    const ids = { $eq: name, $ne: name, $in: list(name), $notIn: list(name) }
    return anyOf(name, closed({ ...ids, $null: boolean, $notNull: boolean }))
  })
