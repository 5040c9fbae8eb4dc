/** The parameters of the content API. */
import type { ContentType } from '../../../model/model.ts'
import { publicationFilters } from '../../../plan/query-tree.ts'
import { documentOf } from '../../../query/find-name.ts'
import { type DocumentBuilder, fieldsOf } from '../document-builder.ts'
import { headerParameter, pathParameter, queryParameter, type Reference } from '../operation.ts'
import { filtersSchema } from '../schemas/filters.ts'
import { fieldNames, populatable, populateSchema } from '../schemas/populate.ts'
import { anyOf, arrayOf, boolean, integer, type Schema, string } from '../schemas/schema.ts'

export const listParameters = (builder: DocumentBuilder, type: ContentType): Reference[] => [
  sort(builder, type),
  ...pagination(builder),
  cursor(builder),
  filters(builder, type),
  search(builder),
  fields(builder, type),
  ...populate(builder, type),
  ...version(builder, type, 'List'),
  ...(type.draftAndPublish ? publication(builder) : []),
]

/** Filters and search apply to one document too: it is returned only if it matches. */
export const documentParameters = (builder: DocumentBuilder, type: ContentType): Reference[] => [
  fields(builder, type),
  ...populate(builder, type),
  ...version(builder, type, 'Read'),
  filters(builder, type),
  search(builder),
]

/** The version to write, and what the response includes. */
export const writeParameters = (builder: DocumentBuilder, type: ContentType): Reference[] => [
  ...version(builder, type, 'Write'),
  fields(builder, type),
  ...populate(builder, type),
]

/** There is no `status`: the action implies it. */
export const actionParameters = (builder: DocumentBuilder, type: ContentType): Reference[] => [
  ...locale(builder, type, 'Write'),
  fields(builder, type),
  ...populate(builder, type),
]

export const deleteParameters = (builder: DocumentBuilder, type: ContentType): Reference[] =>
  locale(builder, type, 'Delete')

export const documentId = (builder: DocumentBuilder): Reference =>
  builder.sharedParameter('DocumentId', () => pathParameter('documentId', 'The documentId of the document.'))

export const ifMatch = (builder: DocumentBuilder): Reference =>
  builder.sharedParameter('IfMatch', () =>
    headerParameter(
      'If-Match',
      'The ETag of the version you have read. If the document has changed since, the response is 412.',
    ),
  )

export const ifNoneMatch = (builder: DocumentBuilder): Reference =>
  builder.sharedParameter('IfNoneMatch', () =>
    headerParameter(
      'If-None-Match',
      'The ETag of a response you have. If it is still current, the response is 304 without a body.',
    ),
  )

export const idempotencyKey = (builder: DocumentBuilder): Reference =>
  builder.sharedParameter('IdempotencyKey', () =>
    headerParameter(
      'Idempotency-Key',
      'A unique key for this request. If you repeat the request with the same key, it is executed only once and gets the same response.',
      { type: 'string', maxLength: 255 },
    ),
  )

export const fields = (builder: DocumentBuilder, type: ContentType): Reference =>
  builder.sharedParameter(`${builder.schemaName(type.uid)}Fields`, () => ({
    name: 'fields',
    in: 'query',
    description: 'The fields to include; all by default. id and documentId are always included.',
    style: 'form',
    explode: false,
    schema: arrayOf(fieldNames(builder, type)),
  }))

export function populate(builder: DocumentBuilder, type: ContentType): Reference[] {
  const schema = populateSchema(builder, type)
  if (!schema) return []
  const names = populatable(builder, documentOf(type)).map(([name]) => name)
  const parameter = builder.sharedParameter(`${builder.schemaName(type.uid)}Populate`, () => ({
    name: 'populate',
    in: 'query',
    description: `What to include beyond the fields: ${names.join(', ')}. \`*\` includes all of them, one level deep. Use dots or the object form for deeper levels: \`populate[${names[0]}][fields][0]=…\`.`,
    style: 'deepObject',
    explode: true,
    schema: anyOf(string, arrayOf(string), schema),
  }))
  return [parameter]
}

const sort = (builder: DocumentBuilder, type: ContentType): Reference =>
  builder.sharedParameter(`${builder.schemaName(type.uid)}Sort`, () => ({
    name: 'sort',
    in: 'query',
    description: `Fields to sort by, each with \`:asc\` (the default) or \`:desc\`: ${fieldsOf(builder, documentOf(type)).join(', ')}; use dots for fields of relations and components. With \`_q\`, \`_score\` sorts by how well documents match, the best first.`,
    style: 'form',
    explode: false,
    schema: arrayOf({ type: 'string', pattern: '^[A-Za-z_]\\w*(\\.\\w+)*(:(asc|desc|ASC|DESC))?$' }),
  }))

export const filters = (builder: DocumentBuilder, type: ContentType): Reference =>
  builder.sharedParameter(`${builder.schemaName(type.uid)}Filters`, () => ({
    name: 'filters',
    in: 'query',
    description: `Conditions in brackets: \`filters[${fieldsOf(builder, documentOf(type))[2]}][$eq]=…\`. Nest them for fields of relations and components.`,
    style: 'deepObject',
    explode: true,
    schema: filtersSchema(builder, type),
    example: {},
  }))

export const search = (builder: DocumentBuilder): Reference =>
  builder.sharedParameter('Search', () =>
    queryParameter(
      '_q',
      'Searches the text fields, ignoring case, and the number fields for the exact value.',
    ),
  )

const MODES = 'Use page with pageSize, or start with limit.'

/** Defaults are in the descriptions: tools would send the defaults of a schema, and the two modes cannot be combined. */
export function pagination(builder: DocumentBuilder): Reference[] {
  const { defaultLimit, maxLimit } = builder.config.api.rest
  const parameter = (key: string, description: string, schema: Schema): Reference =>
    builder.sharedParameter(`Pagination${key.charAt(0).toUpperCase()}${key.slice(1)}`, () =>
      queryParameter(`pagination[${key}]`, description, schema),
    )
  const size: Schema = { ...integer, minimum: 1, maximum: maxLimit }
  const sizes = `${defaultLimit} by default, at most ${maxLimit}.`
  return [
    parameter('page', `The page number, from 1. ${MODES}`, { ...integer, minimum: 1 }),
    parameter('pageSize', `The number of documents per page: ${sizes}`, size),
    parameter('start', `The number of documents to skip. ${MODES}`, { ...integer, minimum: 0 }),
    parameter('limit', `The number of documents to return: ${sizes}`, size),
    parameter('withCount', 'Whether to return the total number of documents.', { ...boolean, default: true }),
  ]
}

const cursor = (builder: DocumentBuilder): Reference =>
  builder.sharedParameter('PaginationCursor', () =>
    queryParameter(
      'pagination[cursor]',
      'A position in the list: `start`, or the nextCursor or previousCursor of a response to the same query. Use it with pageSize or limit. The total is returned only with withCount=true.',
    ),
  )

type Use = 'List' | 'Read' | 'Write' | 'Schedule' | 'Delete'

const version = (builder: DocumentBuilder, type: ContentType, use: Use): Reference[] => [
  ...(type.draftAndPublish ? [status(builder, use)] : []),
  ...locale(builder, type, use),
]

function status(builder: DocumentBuilder, use: Use): Reference {
  const schema: Schema = { type: 'string', enum: ['published', 'draft'], default: 'published' }
  const parameter = (description: string) => queryParameter('status', description, schema)
  return use === 'Write'
    ? builder.sharedParameter('WriteStatus', () =>
        parameter(
          '`draft` writes only the draft; otherwise the document is validated completely and published.',
        ),
      )
    : builder.sharedParameter('Status', () => parameter('The version to return.'))
}

const LOCALES: Readonly<Record<Use, string>> = {
  List: 'A locale code, a list of codes, or `*` for all locales.',
  Read: 'A locale code.',
  Write: 'The locale to write.',
  Schedule: 'The locale that is scheduled.',
  Delete: 'The locale to delete; `*` deletes the whole document.',
}

export function locale(builder: DocumentBuilder, type: ContentType, use: Use): Reference[] {
  if (!type.localized) return []
  const { codes, default: standard } = builder.model.locales
  const code: Schema = { type: 'string', enum: codes }
  const one: Schema = { type: 'string', enum: [...codes, '*'] }
  const schema = use === 'List' ? anyOf(one, arrayOf(code)) : use === 'Delete' ? one : code
  return [
    builder.sharedParameter(`${use}Locale`, () =>
      queryParameter('locale', LOCALES[use], { ...schema, default: standard }),
    ),
  ]
}

const publication = (builder: DocumentBuilder): Reference[] => [
  builder.sharedParameter('PublicationFilter', () =>
    queryParameter('publicationFilter', 'Filters by the existence of the other version of each document.', {
      type: 'string',
      enum: publicationFilters,
    }),
  ),
  builder.sharedParameter('HasPublishedVersion', () =>
    queryParameter(
      'hasPublishedVersion',
      'Filters by whether a published version exists in any locale.',
      boolean,
    ),
  ),
]
