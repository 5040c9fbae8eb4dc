/** Schemas of the `filters` parameter. */
import type { ContentType } from '../../model/model.ts'
import { documentOf, type Subject } from '../../query/names.ts'
import { builtInFields, type Drawing } from './drawing.ts'
import { type FilterName, filterName, filterValues } from './scalars.ts'
import { anyOf, boolean, closed, list, type Properties, ref, type Schema, text } from './schema.ts'

/** The filters that a caller can put on documents of a type. */
export const filtersSchema = (d: Drawing, type: ContentType): Schema => subjectFilters(d, documentOf(type))

function subjectFilters(d: Drawing, subject: Subject): Schema {
  const uid = subject.kind === 'document' ? subject.type.uid : subject.component.uid
  const name = `${d.nameOf(uid)}Filters`
  return d.shared(name, () => {
    const own = subject.kind === 'document' ? builtInFields(subject.type) : ['id', 'documentId']
    const names = [...own, ...d.seen(subject).map(([attribute]) => attribute)]
    const properties: [string, Schema][] = names.flatMap((attribute) => {
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
      return fieldFilter(d, filterName(found.field.type))
    case 'related':
      return found.media ? null : anyOf(relationOperators(d), subjectFilters(d, found.subject))
    case 'component':
      return anyOf(componentOperators(d), subjectFilters(d, found.subject))
    default:
      return null
  }
}

/** The operators on one kind of value. A bare value means `$eq`, a list any of its values. */
function fieldFilter(d: Drawing, name: FilterName): Schema {
  return d.shared(name, () => {
    const value: Schema = filterValues[name]
    const values = anyOf(value, list(value))
    const words = anyOf(text, list(text))
    return anyOf(value, list(value), closed({ ...operators(value, values, words), ...logic(ref(name)) }))
  })
}

const operators = (value: Schema, values: Schema, words: Schema): Properties => ({
  $eq: values,
  $eqi: words,
  $ne: values,
  $nei: words,
  $lt: values,
  $lte: values,
  $gt: values,
  $gte: values,
  $in: values,
  $notIn: values,
  $contains: words,
  $notContains: words,
  $containsi: words,
  $notContainsi: words,
  $startsWith: words,
  $startsWithi: words,
  $endsWith: words,
  $endsWithi: words,
  $between: { ...list(value), minItems: 2, maxItems: 2 },
  $null: boolean,
  $notNull: boolean,
})

const logic = (self: Schema): Properties => ({ $not: self, $and: list(self), $or: list(self) })

const relationOperators = (d: Drawing): Schema =>
  d.shared('RelationOperators', () => {
    const name: Schema = { type: ['string', 'integer'], description: 'A documentId or a numeric id.' }
    const names = anyOf(name, list(name))
    const ids = { $eq: names, $ne: names, $in: names, $notIn: names }
    return anyOf(name, list(name), closed({ ...ids, $null: boolean, $notNull: boolean }))
  })

const componentOperators = (d: Drawing): Schema =>
  d.shared('ComponentOperators', () => closed({ $null: boolean, $notNull: boolean }))
