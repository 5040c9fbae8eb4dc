/** JSON Schemas of arguments. They are those of the OpenAPI document, except that documents are named by documentId. */
import type { Model } from '../../model/model.ts'
import { scalarTypes } from '../../model/scalars/index.ts'
import type { Config } from '../../project/config/config.ts'
import type { Scope } from '../../query/scope.ts'
import { createDocumentBuilder, type DocumentBuilder } from '../openapi/document-builder.ts'
import { operatorsObject } from '../openapi/schemas/filters.ts'
import { POSITION } from '../openapi/schemas/inputs.ts'
import {
  anyOf,
  arrayOf,
  closedObject,
  type Properties,
  type Schema,
  string,
} from '../openapi/schemas/schema.ts'
import type { ArgumentsSchema, Detail, NamedType } from './tool.ts'

const DOCUMENT_ID: Schema = { ...string, description: 'A documentId.' }

/** A builder of schemas in which relations and files are given by documentId, which is the same in every version. */
export function createArgumentBuilder(model: Model, scope: Scope, config: Config): DocumentBuilder {
  const builder = createDocumentBuilder(model, scope, config)
  // A shared schema is created once: these replace the ones that accept every form of a reference.
  builder.sharedSchema('Reference', () => DOCUMENT_ID)
  builder.sharedSchema('Connect', () =>
    anyOf(DOCUMENT_ID, closedObject({ documentId: string, position: POSITION }, ['documentId'])),
  )
  builder.sharedSchema('ToOneInput', () => ({
    type: ['string', 'null'],
    description: 'The documentId of a document, or null for none.',
  }))
  builder.sharedSchema('MediaInput', () => ({
    ...string,
    description: 'The documentId of an uploaded file.',
  }))
  // The operators once for all types of values: with the type of each, they would be most of the schema of a find.
  const operators = builder.sharedSchema(OPERATORS, () => operatorsObject({}))
  for (const { documentation } of Object.values(scalarTypes)) {
    const { name, value } = documentation.filter
    builder.sharedSchema(name, () => anyOf(value, operators))
  }
  return builder
}

/** Not a name that a content-type can have. */
const OPERATORS = 'filter-operators'

export const argumentsSchema = (
  properties: Properties,
  required: readonly string[] = [],
): ArgumentsSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

/** The names are left out where they alone would fill the schema; describe_model lists them. */
export const typeArgument = (types: readonly NamedType[]): Schema => ({
  ...string,
  ...(types.length <= MAX_LISTED_TYPES && { enum: types.map(({ name }) => name) }),
  description: 'The name of a content-type, as describe_model lists it.',
})

const MAX_LISTED_TYPES = 100

/** The version to read or write, as far as the content-types have several. */
export function versionArguments(
  { locales }: Model,
  types: readonly NamedType[],
  status: Schema | null,
  canNameAllLocales = false,
): Properties {
  return {
    ...(status && types.some(({ type }) => type.draftAndPublish) && { status }),
    ...(types.some(({ type }) => type.localized) && {
      locale: {
        ...string,
        enum: [...locales.codes, ...(canNameAllLocales ? ['*'] : [])],
        description: `The locale; ${locales.default} by default${canNameAllLocales ? ', * for all' : ''}.`,
      },
    }),
  }
}

export const READ_STATUS: Schema = {
  ...string,
  enum: ['published', 'draft'],
  description: 'Whether to read published versions, which is the default, or drafts.',
}

export const WRITE_STATUS: Schema = {
  ...string,
  enum: ['draft', 'published'],
  description: 'Whether to save a draft, which is the default, or to publish immediately.',
}

const POPULATE: Schema = {
  description:
    'The relations, media, components and dynamic zones to include: a list of names such as ["image", "sections"], * for all of them, or an object such as {"sections": {"fields": ["heading"], "populate": ["image"]}}. Others are left out.',
  ...anyOf(string, arrayOf(string), { type: 'object' }),
}

/** What to return of each document. */
export const SELECTION: Properties = {
  fields: arrayOf(string, 'The fields to return; all of them by default.'),
  populate: POPULATE,
}

export const pageArguments = ({ api }: Config): Properties => ({
  page: { type: 'integer', minimum: 1, description: 'The page, from 1.' },
  pageSize: {
    type: 'integer',
    minimum: 1,
    maximum: api.rest.maxLimit,
    description: `Entries per page; ${api.rest.defaultLimit} by default.`,
  },
})

export const documentIdArgument = (types: readonly NamedType[]): Properties =>
  types.some(({ type }) => type.kind === 'collection')
    ? { documentId: { ...string, description: 'The documentId of the document; left out for single types.' } }
    : {}

/** An argument whose schema depends on the content-type. */
export function argumentByType(
  types: readonly NamedType[],
  detail: Detail,
  description: string,
  schemaOf: (type: NamedType['type']) => Schema,
): Schema {
  if (detail === 'brief' || types.length > MAX_LISTED_TYPES)
    return {
      type: 'object',
      description: `${description} describe_model returns its schema for a content-type.`,
    }
  const schemas = types.map(({ name, type }) => ({ ...schemaOf(type), description: `For ${name}.` }))
  return schemas.length === 1 ? { ...schemas[0], description } : { description, anyOf: schemas }
}

const COMPONENT = '#/components/schemas/'

/** A copy of the schema with everything that it refers to in `$defs`, since a tool has no document around it. */
export function withDefinitions<Root extends Schema>(builder: DocumentBuilder, root: Root): Root {
  const { schemas } = builder.sharedParts()
  const definitions = new Map<string, Schema>()

  function define(ref: string): string {
    const name = ref.slice(COMPONENT.length)
    if (!definitions.has(name)) {
      // Set before it is converted: schemas refer to each other in circles.
      definitions.set(name, {})
      definitions.set(name, convert(schemas[name] ?? {}))
    }
    return `#/$defs/${name}`
  }

  function convert<Converted extends Schema>(schema: Converted): Converted {
    const { $ref, items, properties, anyOf: any, allOf: all, additionalProperties: others } = schema
    return {
      ...schema,
      ...($ref !== undefined && { $ref: define($ref) }),
      ...(items && { items: convert(items) }),
      ...(properties && {
        properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, convert(one)])),
      }),
      ...(any && { anyOf: any.map(convert) }),
      ...(all && { allOf: all.map(convert) }),
      ...(typeof others === 'object' && { additionalProperties: convert(others) }),
    }
  }

  const converted = convert(root)
  return definitions.size === 0 ? converted : { ...converted, $defs: Object.fromEntries(definitions) }
}
