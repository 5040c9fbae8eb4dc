/** The query of the API page, as parameters, URL, command and call of the client. Pure. */

import { queryString } from '../api/query-string.ts'
import type { AttributeView, ContentTypeView } from '../api/types.ts'
import { completeFilter, type FilterGroup, filtersParameter, NO_FILTER } from '../filters/filter.ts'

export interface ApiQuery {
  readonly filter: FilterGroup
  readonly fields: readonly string[]
  readonly populate: readonly string[]
  /** The name of an attribute, or '' for the order of the server. */
  readonly sort: string
  readonly isDescending: boolean
  readonly pageSize: number
  readonly status: 'published' | 'draft'
  readonly locale: string | undefined
}

export const START: ApiQuery = {
  filter: NO_FILTER,
  fields: [],
  populate: [],
  sort: '',
  isDescending: false,
  pageSize: 10,
  status: 'published',
  locale: undefined,
}

const isReference = ({ type }: AttributeView) =>
  ['relation', 'media', 'component', 'dynamiczone'].includes(type)

/** Attributes that are part of a response only when they are populated. */
export const populatable = ({ attributes }: ContentTypeView) =>
  attributes
    .filter((attribute) => isReference(attribute) && attribute.readable !== false)
    .map(({ name }) => name)

export const selectable = ({ attributes }: ContentTypeView) => [
  ...attributes
    .filter((attribute) => !isReference(attribute) && attribute.readable !== false)
    .map(({ name }) => name),
  'createdAt',
  'updatedAt',
]

/** The parameters of a read; those that have no effect are left out. */
export function parametersOf(type: ContentTypeView, query: ApiQuery) {
  const { fields, populate, sort, isDescending, pageSize, status, locale } = query
  const filter = completeFilter(query.filter)
  const isList = type.kind === 'collection'
  return {
    ...(isList && filter && { filters: simplified(filtersParameter(filter)) }),
    ...(fields.length > 0 && { fields }),
    ...(populate.length > 0 && { populate }),
    ...(isList && sort !== '' && { sort: isDescending ? `${sort}:desc` : sort }),
    ...(type.localized && locale !== undefined && { locale }),
    ...(type.draftAndPublish && status === 'draft' && { status }),
    ...(isList && { pagination: { pageSize } }),
  }
}

/** One condition needs no group around it. */
function simplified(filters: Readonly<Record<string, unknown>>): unknown {
  const { $and } = filters
  return Array.isArray($and) && $and.length === 1 ? $and[0] : filters
}

/** Brackets are legible, and servers accept them. */
export const legibleQuery = (parameters: Readonly<Record<string, unknown>>) =>
  queryString(parameters).replaceAll('%24', '$').replaceAll('%3A', ':').replaceAll('%20', '+')

export const curlOf = (url: string) =>
  `curl -g -H 'Authorization: Bearer YOUR_TOKEN' \\\n  '${url.replaceAll("'", '%27')}'`

export function clientCallOf(type: ContentTypeView, parameters: Readonly<Record<string, unknown>>): string {
  const method = type.kind === 'single' ? 'findSingle' : 'find'
  const query = Object.keys(parameters).length === 0 ? '' : `, ${literal(parameters, '')}`
  return `const { data } = await client.${method}('${type.path}'${query})`
}

/** A value as TypeScript, as people write it. */
function literal(value: unknown, indent: string): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, indent)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const members = Object.entries(value).map(
    ([key, member]) => `${/^[\w$]+$/.test(key) ? key : `'${key}'`}: ${literal(member, inner)}`,
  )
  const line = `{ ${members.join(', ')} }`
  return line.length + indent.length <= 70 && !line.includes('\n')
    ? line
    : `{\n${members.map((member) => `${inner}${member},`).join('\n')}\n${indent}}`
}
