/** The parameters of generated endpoints. */
import type { ContentType } from '../../../model/model.ts'
import { publicationFilters } from '../../../plan/query-tree.ts'
import { documentOf } from '../../../query/find-name.ts'
import { type DocumentBuilder, fieldsOf } from '../document-builder.ts'
import { headerParameter, pathParameter, queryParameter, type Reference } from '../operation.ts'
import { filtersSchema } from '../schemas/filters.ts'
import { fieldNames, populatable, populateSchema } from '../schemas/populate.ts'
import { anyOf, arrayOf, boolean, integer, type Schema, string } from '../schemas/schema.ts'

/** What a list of documents can be asked with. */
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

/** What one document can be asked with: whatever else is asked must be true of it. */
export const documentParameters = (builder: DocumentBuilder, type: ContentType): Reference[] => [
  fields(builder, type),
  ...populate(builder, type),
  ...version(builder, type, 'Read'),
  filters(builder, type),
  search(builder),
]

/** Which version is written, and what the answer shows of it. */
export const writeParameters = (builder: DocumentBuilder, type: ContentType): Reference[] => [
  ...version(builder, type, 'Write'),
  fields(builder, type),
  ...populate(builder, type),
]

/** What a version action takes: its status is part of the action. */
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
      'The ETag of the version you have seen: refused with 412 when the document has changed since.',
    ),
  )

export const ifNoneMatch = (builder: DocumentBuilder): Reference =>
  builder.sharedParameter('IfNoneMatch', () =>
    headerParameter(
      'If-None-Match',
      'The ETag of an answer you have: answered with 304 and no body while it is right.',
    ),
  )

export const idempotencyKey = (builder: DocumentBuilder): Reference =>
  builder.sharedParameter('IdempotencyKey', () =>
    headerParameter(
      'Idempotency-Key',
      'A text of your own for this request: repeated with it, the request is done once and answered alike.',
      { type: 'string', maxLength: 255 },
    ),
  )

export const fields = (builder: DocumentBuilder, type: ContentType): Reference =>
  builder.sharedParameter(`${builder.schemaName(type.uid)}Fields`, () => ({
    name: 'fields',
    in: 'query',
    description: 'The fields to show; id and documentId always are. All of them when absent.',
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
    description: `What to show beyond the fields: ${names.join(', ')}. \`*\` shows all of them one level deep; names can be dotted; the object form goes as deep as you like, as in \`populate[${names[0]}][fields][0]=…\`.`,
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
    description: `Fields to sort by, each with \`:asc\` (the default) or \`:desc\`: ${fieldsOf(builder, documentOf(type)).join(', ')}; fields of relations and components with a dot.`,
    style: 'form',
    explode: false,
    schema: arrayOf({ type: 'string', pattern: '^[A-Za-z_]\\w*(\\.\\w+)*(:(asc|desc|ASC|DESC))?$' }),
  }))

export const filters = (builder: DocumentBuilder, type: ContentType): Reference =>
  builder.sharedParameter(`${builder.schemaName(type.uid)}Filters`, () => ({
    name: 'filters',
    in: 'query',
    description: `Conditions in brackets, as in \`filters[${fieldsOf(builder, documentOf(type))[2]}][$eq]=…\`; fields of relations and components are reached by nesting.`,
    style: 'deepObject',
    explode: true,
    schema: filtersSchema(builder, type),
    example: {},
  }))

export const search = (builder: DocumentBuilder): Reference =>
  builder.sharedParameter('Search', () =>
    queryParameter(
      '_q',
      'A text to look for in the text fields, whatever its letter case, or the exact value of a number field.',
    ),
  )

const MODES = 'Use page with pageSize, or start with limit.'

/** Defaults are told in words: tools send those of a schema along, and both ways at once are refused. */
export function pagination(builder: DocumentBuilder): Reference[] {
  const { defaultLimit, maxLimit } = builder.config.api.rest
  const parameter = (key: string, description: string, schema: Schema): Reference =>
    builder.sharedParameter(`Pagination${key.charAt(0).toUpperCase()}${key.slice(1)}`, () =>
      queryParameter(`pagination[${key}]`, description, schema),
    )
  const size: Schema = { ...integer, minimum: 1, maximum: maxLimit }
  const sizes = `${defaultLimit} when absent, at most ${maxLimit}.`
  return [
    parameter('page', `The number of the page, from 1. ${MODES}`, { ...integer, minimum: 1 }),
    parameter('pageSize', `How many are on a page: ${sizes}`, size),
    parameter('start', `How many to skip. ${MODES}`, { ...integer, minimum: 0 }),
    parameter('limit', `How many to show: ${sizes}`, size),
    parameter('withCount', 'Whether the answer counts all of them.', { ...boolean, default: true }),
  ]
}

const cursor = (builder: DocumentBuilder): Reference =>
  builder.sharedParameter('PaginationCursor', () =>
    queryParameter(
      'pagination[cursor]',
      'A place in the list: `start`, or the nextCursor or previousCursor of an answer to the same query. Use it with pageSize or limit; then all are counted only with withCount=true.',
    ),
  )

type Use = 'List' | 'Read' | 'Write' | 'Delete'

const version = (builder: DocumentBuilder, type: ContentType, use: Use): Reference[] => [
  ...(type.draftAndPublish ? [status(builder, use)] : []),
  ...locale(builder, type, use),
]

function status(builder: DocumentBuilder, use: Use): Reference {
  const schema: Schema = { type: 'string', enum: ['published', 'draft'], default: 'published' }
  const parameter = (description: string) => queryParameter('status', description, schema)
  return use === 'Write'
    ? builder.sharedParameter('WriteStatus', () =>
        parameter('`draft` writes only the draft; otherwise the document is published, and checked in full.'),
      )
    : builder.sharedParameter('Status', () => parameter('Which version to show.'))
}

const LOCALES: Readonly<Record<Use, string>> = {
  List: 'A locale, `*` for all, or a list of codes.',
  Read: 'A locale.',
  Write: 'The locale to write.',
  Delete: 'The locale to delete; `*` deletes the whole document.',
}

function locale(builder: DocumentBuilder, type: ContentType, use: Use): Reference[] {
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
    queryParameter(
      'publicationFilter',
      'Narrows the list by the existence of the other version of each document.',
      {
        type: 'string',
        enum: publicationFilters,
      },
    ),
  ),
  builder.sharedParameter('HasPublishedVersion', () =>
    queryParameter('hasPublishedVersion', 'Whether a published version of each document exists.', boolean),
  ),
]
