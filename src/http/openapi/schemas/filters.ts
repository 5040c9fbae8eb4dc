/**
 * Schemas of the `filters` parameter: every operator on the fields of the type. Filters through relations are only
 * described in text, because types refer to each other in circles that tools cannot follow.
 */
import type { ContentType } from '../../../model/model.ts'
import type { ScalarDocumentation } from '../../../model/scalar-type.ts'
import { fieldType } from '../../../plan/field-type.ts'
import { operatorOf, operators } from '../../../query/filters/operators.ts'
import { documentOf, type Subject } from '../../../query/find-name.ts'
import { type DocumentBuilder, fieldsOf } from '../document-builder.ts'
import { anyOf, arrayOf, boolean, closedObject, type Properties, ref, type Schema, string } from './schema.ts'

export function filtersSchema(builder: DocumentBuilder, type: ContentType): Schema {
  const name = `${builder.schemaName(type.uid)}Filters`
  return builder.sharedSchema(name, () => {
    const subject = documentOf(type)
    const names = new Set([
      ...fieldsOf(builder, subject),
      ...builder.visibleAttributes(subject).map(([attribute]) => attribute),
    ])
    const properties = [...names].flatMap((attribute): [string, Schema][] => {
      const schema = filterOf(builder, subject, attribute)
      return schema ? [[attribute, schema]] : []
    })
    return closedObject({
      ...Object.fromEntries(properties),
      $and: arrayOf(ref(name), 'All conditions must hold.'),
      $or: arrayOf(ref(name), 'At least one condition must hold.'),
      $not: ref(name),
    })
  })
}

/** Null for what cannot be filtered: media, zones, polymorphic relations. */
function filterOf(builder: DocumentBuilder, subject: Subject, name: string): Schema | null {
  const found = builder.findVisible(subject, name)
  switch (found?.kind) {
    case 'field':
      return fieldFilter(builder, fieldType(found.field).documentation.filter)
    case 'component':
      return nestedFilters(builder, found.subject)
    case 'related':
      return found.media ? null : anyOf(relationFilter(builder), nestedFilters(builder, found.subject))
    default:
      return null
  }
}

export const nestedFilters = (builder: DocumentBuilder, subject: Subject): Schema => ({
  type: 'object',
  description: `Filters on ${fieldsOf(builder, subject).join(', ')}, and nested filters on its relations and components.`,
})

/** Several operators must all hold. A value without an operator means `$eq`. */
function fieldFilter(builder: DocumentBuilder, { name, value }: ScalarDocumentation['filter']): Schema {
  return builder.sharedSchema(name, () => anyOf(value, operatorsObject(value)))
}

/** An object of operators, for values of one schema. */
export const operatorsObject = (value: Schema): Schema =>
  closedObject({ ...operatorSchemas(value), $not: { type: 'object' } })

/** The schema of each operator's operand. */
const operatorSchemas = (value: Schema): Properties => {
  const values = arrayOf(value)
  const operands = { value, values, pair: { ...values, minItems: 2, maxItems: 2 }, text: string, boolean }
  return Object.fromEntries(Object.entries(operators).map(([name, { operand }]) => [name, operands[operand]]))
}

const relationFilter = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('RelationFilter', () => {
    const name: Schema = { type: ['string', 'integer'], description: 'A documentId or a numeric id.' }
    const schemas = operatorSchemas(name)
    const names = Object.keys(schemas).filter((key) => operatorOf(key)?.onRelation !== undefined)
    return anyOf(name, closedObject(Object.fromEntries(names.map((key) => [key, schemas[key] ?? {}]))))
  })
