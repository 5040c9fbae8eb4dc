/** `describe_model`: what a caller needs to know to use the other tools. */
import type { Values } from '../../../project/values.ts'
import { documentOf } from '../../../query/find-name.ts'
import { type DocumentBuilder, fieldsOf } from '../../openapi/document-builder.ts'
import { documentSchema } from '../../openapi/schemas/documents.ts'
import { filtersSchema } from '../../openapi/schemas/filters.ts'
import { dataSchema } from '../../openapi/schemas/inputs.ts'
import { populatable } from '../../openapi/schemas/populate.ts'
import { arrayOf, openObject, type Properties } from '../../openapi/schemas/schema.ts'
import { argumentsSchema, typeArgument, withDefinitions } from '../argument-schemas.ts'
import { typesIn } from '../check-arguments.ts'
import { CONTENT_ACTIONS, isPermitted } from '../permitted-types.ts'
import type { NamedType, Tool } from '../tool.ts'

const MAX_TYPES = 10

export const describeModel: Tool = {
  name: 'describe_model',
  title: 'Describe the content-types',
  description:
    'Lists the content-types that you may use, and what you may do with each. With `types`, also returns their attributes: JSON Schemas of documents, of the `data` to create and update, and of `filters`, and the names to populate. Call it before the other tools.',
  effect: 'read',
  argumentsFor: (builder) =>
    argumentsSchema({
      types: {
        ...arrayOf(typeArgument(describedTypes(builder)), 'Content-types to describe in detail.'),
        maxItems: MAX_TYPES,
      },
    }),
  result: openObject({ data: openObject({ types: arrayOf({ type: 'object' }) }, ['types']) }, ['data']),
  async run({ builder }, given) {
    const all = describedTypes(builder)
    const types =
      given.types === undefined
        ? all.map((named) => summaryOf(builder, named))
        : typesIn(given, all).map((named) => ({ ...summaryOf(builder, named), ...detailsOf(builder, named) }))
    const { default: standard, codes } = builder.model.locales
    return { data: { locales: { default: standard, codes }, types } }
  },
}

const describedTypes = (builder: DocumentBuilder): readonly NamedType[] =>
  [...builder.model.endpoints]
    .map(([name, type]) => ({ name, type }))
    .filter((named) => actionsOn(builder, named).length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1))

const actionsOn = (builder: DocumentBuilder, { type }: NamedType) =>
  CONTENT_ACTIONS.filter((action) => isPermitted(builder, type, action))

function summaryOf(builder: DocumentBuilder, named: NamedType): Values {
  const { name, type } = named
  const { kind, displayName, description, draftAndPublish, localized } = type
  return {
    type: name,
    ...{ kind, displayName, draftAndPublish, localized },
    ...(description && { description }),
    actions: actionsOn(builder, named),
  }
}

function detailsOf(builder: DocumentBuilder, named: NamedType): Values {
  const { type } = named
  const actions = actionsOn(builder, named)
  const canRead = actions.includes('find') || actions.includes('get')
  const subject = documentOf(type)
  const schemas: Properties = {
    ...(canRead && { document: documentSchema(builder, type) }),
    ...(actions.includes('find') && { filters: filtersSchema(builder, type) }),
    ...(actions.includes('create') && { create: dataSchema(builder, type, 'create') }),
    ...(actions.includes('update') && { update: dataSchema(builder, type, 'update') }),
  }
  return {
    ...(canRead && {
      fields: fieldsOf(builder, subject),
      populate: populatable(builder, subject).map(([name]) => name),
    }),
    schemas: withDefinitions(builder, openObject(schemas)),
  }
}
