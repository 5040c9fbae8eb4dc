/** The parameters of generated endpoints. */
import type { ContentType } from '../../../model/model.ts'
import { publicationFilters } from '../../../plan/query-tree.ts'
import { documentOf } from '../../../query/find-name.ts'
import { type Drawing, fieldsOf } from '../document-builder.ts'
import { inHeader, inPath, inQuery, type Reference } from '../operation.ts'
import { filtersSchema } from '../schemas/filters.ts'
import { fieldNames, populatable, populateSchema } from '../schemas/populate.ts'
import { anyOf, boolean, integer, list, type Schema, text } from '../schemas/schema.ts'

/** What a list of documents can be asked with. */
export const listParameters = (d: Drawing, type: ContentType): Reference[] => [
  sort(d, type),
  ...pagination(d),
  cursor(d),
  filters(d, type),
  search(d),
  fields(d, type),
  ...populate(d, type),
  ...version(d, type, 'List'),
  ...(type.draftAndPublish ? publication(d) : []),
]

/** What one document can be asked with: whatever else is asked must be true of it. */
export const documentParameters = (d: Drawing, type: ContentType): Reference[] => [
  fields(d, type),
  ...populate(d, type),
  ...version(d, type, 'Read'),
  filters(d, type),
  search(d),
]

/** Which version is written, and what the answer shows of it. */
export const writeParameters = (d: Drawing, type: ContentType): Reference[] => [
  ...version(d, type, 'Write'),
  fields(d, type),
  ...populate(d, type),
]

/** What a version action takes: its status is part of the action. */
export const actionParameters = (d: Drawing, type: ContentType): Reference[] => [
  ...locale(d, type, 'Write'),
  fields(d, type),
  ...populate(d, type),
]

export const deleteParameters = (d: Drawing, type: ContentType): Reference[] => locale(d, type, 'Delete')

export const documentId = (d: Drawing): Reference =>
  d.parameter('DocumentId', () => inPath('documentId', 'The documentId of the document.'))

export const ifMatch = (d: Drawing): Reference =>
  d.parameter('IfMatch', () =>
    inHeader(
      'If-Match',
      'The ETag of the version you have seen: refused with 412 when the document has changed since.',
    ),
  )

export const ifNoneMatch = (d: Drawing): Reference =>
  d.parameter('IfNoneMatch', () =>
    inHeader(
      'If-None-Match',
      'The ETag of an answer you have: answered with 304 and no body while it is right.',
    ),
  )

export const idempotencyKey = (d: Drawing): Reference =>
  d.parameter('IdempotencyKey', () =>
    inHeader(
      'Idempotency-Key',
      'A text of your own for this request: repeated with it, the request is done once and answered alike.',
      { type: 'string', maxLength: 255 },
    ),
  )

export const fields = (d: Drawing, type: ContentType): Reference =>
  d.parameter(`${d.nameOf(type.uid)}Fields`, () => ({
    name: 'fields',
    in: 'query',
    description: 'The fields to show; id and documentId always are. All of them when absent.',
    style: 'form',
    explode: false,
    schema: list(fieldNames(d, type)),
  }))

export function populate(d: Drawing, type: ContentType): Reference[] {
  const schema = populateSchema(d, type)
  if (!schema) return []
  const names = populatable(d, documentOf(type)).map(([name]) => name)
  const parameter = d.parameter(`${d.nameOf(type.uid)}Populate`, () => ({
    name: 'populate',
    in: 'query',
    description: `What to show beyond the fields: ${names.join(', ')}. \`*\` shows all of them one level deep; names can be dotted; the object form goes as deep as you like, as in \`populate[${names[0]}][fields][0]=…\`.`,
    style: 'deepObject',
    explode: true,
    schema: anyOf(text, list(text), schema),
  }))
  return [parameter]
}

const sort = (d: Drawing, type: ContentType): Reference =>
  d.parameter(`${d.nameOf(type.uid)}Sort`, () => ({
    name: 'sort',
    in: 'query',
    description: `Fields to sort by, each with \`:asc\` (the default) or \`:desc\`: ${fieldsOf(d, documentOf(type)).join(', ')}; fields of relations and components with a dot.`,
    style: 'form',
    explode: false,
    schema: list({ type: 'string', pattern: '^[A-Za-z_]\\w*(\\.\\w+)*(:(asc|desc|ASC|DESC))?$' }),
  }))

export const filters = (d: Drawing, type: ContentType): Reference =>
  d.parameter(`${d.nameOf(type.uid)}Filters`, () => ({
    name: 'filters',
    in: 'query',
    description: `Conditions in brackets, as in \`filters[${fieldsOf(d, documentOf(type))[2]}][$eq]=…\`; fields of relations and components are reached by nesting.`,
    style: 'deepObject',
    explode: true,
    schema: filtersSchema(d, type),
    example: {},
  }))

export const search = (d: Drawing): Reference =>
  d.parameter('Search', () =>
    inQuery(
      '_q',
      'A text to look for in the text fields, whatever its letter case, or the exact value of a number field.',
    ),
  )

const MODES = 'Use page with pageSize, or start with limit.'

/** Defaults are told in words: tools send those of a schema along, and both ways at once are refused. */
export function pagination(d: Drawing): Reference[] {
  const { defaultLimit, maxLimit } = d.config.api.rest
  const parameter = (key: string, description: string, schema: Schema): Reference =>
    d.parameter(`Pagination${key.charAt(0).toUpperCase()}${key.slice(1)}`, () =>
      inQuery(`pagination[${key}]`, description, schema),
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

const cursor = (d: Drawing): Reference =>
  d.parameter('PaginationCursor', () =>
    inQuery(
      'pagination[cursor]',
      'A place in the list: `start`, or the nextCursor or previousCursor of an answer to the same query. Use it with pageSize or limit; then all are counted only with withCount=true.',
    ),
  )

type Use = 'List' | 'Read' | 'Write' | 'Delete'

const version = (d: Drawing, type: ContentType, use: Use): Reference[] => [
  ...(type.draftAndPublish ? [status(d, use)] : []),
  ...locale(d, type, use),
]

function status(d: Drawing, use: Use): Reference {
  const schema: Schema = { type: 'string', enum: ['published', 'draft'], default: 'published' }
  const parameter = (description: string) => inQuery('status', description, schema)
  return use === 'Write'
    ? d.parameter('WriteStatus', () =>
        parameter('`draft` writes only the draft; otherwise the document is published, and checked in full.'),
      )
    : d.parameter('Status', () => parameter('Which version to show.'))
}

const LOCALES: Readonly<Record<Use, string>> = {
  List: 'A locale, `*` for all, or a list of codes.',
  Read: 'A locale.',
  Write: 'The locale to write.',
  Delete: 'The locale to delete; `*` deletes the whole document.',
}

function locale(d: Drawing, type: ContentType, use: Use): Reference[] {
  if (!type.localized) return []
  const { codes, default: standard } = d.model.locales
  const code: Schema = { type: 'string', enum: codes }
  const one: Schema = { type: 'string', enum: [...codes, '*'] }
  const schema = use === 'List' ? anyOf(one, list(code)) : use === 'Delete' ? one : code
  return [
    d.parameter(`${use}Locale`, () => inQuery('locale', LOCALES[use], { ...schema, default: standard })),
  ]
}

const publication = (d: Drawing): Reference[] => [
  d.parameter('PublicationFilter', () =>
    inQuery('publicationFilter', 'Narrows the list by the existence of the other version of each document.', {
      type: 'string',
      enum: publicationFilters,
    }),
  ),
  d.parameter('HasPublishedVersion', () =>
    inQuery('hasPublishedVersion', 'Whether a published version of each document exists.', boolean),
  ),
]
