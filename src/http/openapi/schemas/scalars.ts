/** Schemas of scalar attributes, from the definitions of their types. */
import type { ScalarAttribute } from '../../../model/model.ts'
import { isServed } from '../../../model/privacy.ts'
import type { ScalarDocumentation } from '../../../model/scalar-type.ts'
import { scalarTypes } from '../../../model/scalars/index.ts'
import type { DocumentBuilder } from '../document-builder.ts'
import { nullable, type Schema } from './schema.ts'

/** A value in a response. */
export function responseScalar(builder: DocumentBuilder, attribute: ScalarAttribute): Schema {
  const { documentation } = scalarTypes[attribute.type]
  return orNull(documentation, shared(builder, documentation, documentation.served(attribute)))
}

/** A value in a request body. Null clears any attribute. */
export function inputScalar(builder: DocumentBuilder, attribute: ScalarAttribute): Schema {
  const { documentation } = scalarTypes[attribute.type]
  return {
    ...orNull(documentation, shared(builder, documentation, documentation.sent(attribute))),
    ...(attribute.default === undefined ? {} : { default: attribute.default }),
    ...(isServed(attribute) ? {} : { writeOnly: true }),
    ...description(attribute, documentation),
  }
}

const shared = (builder: DocumentBuilder, { sharedSchema }: ScalarDocumentation, schema: Schema): Schema =>
  sharedSchema === undefined ? schema : builder.sharedSchema(sharedSchema, () => schema)

const orNull = ({ includesNull }: ScalarDocumentation, schema: Schema): Schema =>
  includesNull ? schema : nullable(schema)

function description(attribute: ScalarAttribute, { sentences }: ScalarDocumentation): Schema {
  const { required, unique, generate, targetField } = attribute
  const all = [
    ...(required ? ['Required when publishing.'] : []),
    ...(unique ? ['Unique among published documents of a locale.'] : []),
    ...(generate && targetField ? [`Generated from ${targetField} when it is absent.`] : []),
    ...(sentences?.(attribute) ?? []),
  ]
  return all.length > 0 ? { description: all.join(' ') } : {}
}
