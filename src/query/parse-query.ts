/** The read side's gate: parameters become a query tree, every name in them checked once. */
import { errors } from '../errors.ts'
import type { ContentType, Model } from '../model/model.ts'
import { termsBeforeId } from '../plan/keyset.ts'
import type { Condition, Query, ResponseShape, Sort } from '../plan/query-tree.ts'
import type { Config } from '../project/config/config.ts'
import { nearest } from '../project/suggest.ts'
import { isObject } from '../project/values.ts'
import type { SqlValue } from '../store/statement.ts'
import { createParseContext } from './create-parse-context.ts'
import type { CursorPage } from './cursor.ts'
import { decodeCursor, isBackward, positionOf, queryName } from './cursor.ts'
import { parseFilters } from './filters/filters.ts'
import { parseSearch } from './filters/search.ts'
import { documentOf } from './find-name.ts'
import { type Page, parsePagination } from './pagination.ts'
import { type ParamObject, refuseUnknownParams } from './params.ts'
import { addValue, and, forParam, INVALID_RULE, type ParseContext } from './parse-context.ts'
import { parseSelection } from './populate/populate.ts'
import { queryIdentity } from './query-identity.ts'
import type { Scope } from './scope.ts'
import { countCursorNodes, parseSort } from './sort.ts'
import { parseLocale, parsePublication, parseStatus } from './version-params.ts'

/** What a query asks for beyond its own content-type. */
export interface QueryAccess {
  /** Paths that were asked for and left out because the caller may not see them. */
  readonly omitted: readonly string[]
  /** uids of the content-types that relations in the query lead to. */
  readonly accessedTypes: ReadonlySet<string>
}

/** A checked query with its values, and what was asked about the page. */
export interface CheckedQuery extends QueryAccess {
  readonly query: Query
  readonly values: readonly SqlValue[]
  readonly page: Page | null
  /** When the page was asked for by cursor. */
  readonly cursorPage: CursorPage | null
}

/** What is asked for: a list, the document with an id (of either kind), or the document of a single type. */
export type ReadTarget =
  | { readonly kind: 'list' }
  /** `written` when the caller has just written it, and sees it whatever rows a rule shows otherwise. */
  | { readonly kind: 'document'; readonly id: string; readonly written?: true }
  | { readonly kind: 'single' }

export interface Rest {
  readonly rest: Config['api']['rest']
}

const KNOWN = [
  'sort',
  'filters',
  'fields',
  'populate',
  'pagination',
  'status',
  'locale',
  'publicationFilter',
  'hasPublishedVersion',
  '_q',
  'explain',
  'page',
  'pageSize',
]

/** Checks the parameters of a read of `type` against the model and the caller. */
export function parseQuery(
  type: ContentType,
  wanted: ReadTarget,
  params: ParamObject,
  model: Model,
  scope: Scope,
  rest: Rest['rest'],
): CheckedQuery {
  if (rest.strictParams) refuseUnknown(params)
  const status = parseStatus(params, type)
  const written = wanted.kind === 'document' && wanted.written === true
  const mayReadDrafts = !type.draftAndPublish || scope.may(type.uid, 'readDrafts')
  const hidden = status === 'draft' && !mayReadDrafts
  if (hidden && !written) throw errors.forbidden()
  const context = createParseContext(model, scope, rest.bounds, status)
  const action =
    wanted.kind === 'document' && (!written || scope.may(type.uid, 'findOne')) ? 'findOne' : 'find'
  const subject = documentOf(type, action)
  const visible = written ? null : context.rowCondition(type, action)
  if (visible === INVALID_RULE) throw errors.forbidden()
  const list = wanted.kind === 'list'

  const filters = params.filters
  const where =
    filters === undefined ? null : parseFilters(forParam(context, 'filters'), subject, filters, [])
  const sort = parseSort(forParam(context, 'sort'), subject, params.sort)
  const page = list ? parsePagination(forParam(context, 'pagination'), params, rest) : null
  const search = parseSearch(context, subject, params._q)
  const publication = parsePublication(params, type, mayReadDrafts || written)
  const numeric = wanted.kind === 'document' && isNumericId(wanted.id)
  const conditions = and(
    numeric ? { kind: 'documentOfRow', value: addValue(context, Number(wanted.id)) } : null,
    visible,
    // Whoever writes a document sees it, whatever else the query asks; that is checked alike.
    ...(written ? [] : [...publication, where, search]),
  )
  const locale = localeOf(context, type, params, written ? null : where, list)
  if (page?.mode === 'cursor') countCursorNodes(context, sort)
  const walk =
    page?.mode === 'cursor'
      ? walkOf(page.cursor, queryIdentity([type.uid, status, locale, conditions, sort], context.values), sort)
      : null
  const select = parseSelection(context, subject, { fields: params.fields, populate: params.populate })
  const query: Query = {
    type: type.uid,
    status,
    locale,
    target:
      page && walk
        ? wayOf(context, walk, page)
        : page
          ? { kind: 'page', start: addValue(context, page.start), limit: addValue(context, page.limit) }
          : wanted.kind === 'document' && !numeric
            ? { kind: 'document', documentId: addValue(context, wanted.id) }
            : { kind: 'first' },
    where: conditions,
    sort: list ? sort : [],
    // Whoever writes a draft and may not read it learns which document it is, and nothing of what it holds.
    select: hidden ? IDS : select,
    shape: shapeOf(type, rest),
  }
  const { values, omitted, accessedTypes: reached } = context
  return { query, values, page, cursorPage: walk, omitted, accessedTypes: reached }
}

/** The ids of a document, which every answer has. */
const IDS: Query['select'] = { fields: [], populate: [] }

/** A walk through what a query asks for, from its beginning or from a cursor. */
function walkOf(cursor: string | null, identity: string, sort: readonly Sort[]): CursorPage {
  const query = queryName(identity)
  const terms = termsBeforeId(sort)
  return { query, from: cursor === null ? null : decodeCursor(cursor, query, terms), keyCount: terms.length }
}

/** One document more than the page takes tells whether the walk goes on. */
const wayOf = (context: ParseContext, { from }: CursorPage, { limit }: Page): Query['target'] => ({
  kind: 'cursor',
  from: from && positionOf(context, from),
  backward: from !== null && isBackward(from.direction),
  limit: addValue(context, limit + 1),
})

/** Whether an id is a number; documentIds start with a letter. */
export const isNumericId = (id: string) => /^\d{1,15}$/.test(id)

/** The outline of answers that the seed asks for, or that of the server people come from. */
function shapeOf(type: ContentType, rest: Rest['rest']): ResponseShape {
  const seed = rest.compat === 'none'
  return { id: true, meta: seed && type.generated && !type.attributes.has('meta'), entryDocumentId: seed }
}

function localeOf(
  context: ParseContext,
  type: ContentType,
  params: ParamObject,
  where: Condition | null,
  list: boolean,
): Query['locale'] {
  if (!type.localized) return { kind: 'none' }
  const isLocaleGiven = params.locale !== undefined && params.locale !== ''
  if (!isLocaleGiven && where && filtersByLocale(where)) return { kind: 'any' }
  const codes = parseLocale(params, context.model)
  if (!list && codes.length > 1)
    throw errors.invalidParameter('locale', null, 'expected one locale code; only a list takes several')
  if (codes === '*') return list ? { kind: 'any' } : { kind: 'in', values: [addValue(context, '*')] }
  return { kind: 'in', values: codes.map((code) => addValue(context, code)) }
}

/** Whether a condition looks at the locale of the documents themselves. */
function filtersByLocale(node: Condition): boolean {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.all.some(filtersByLocale)
    case 'not':
      return filtersByLocale(node.of)
    case 'compare':
    case 'text':
    case 'in':
    case 'null':
      return node.field.column === 'locale'
    default:
      return false
  }
}

const PAGINATION = ['page', 'pageSize', 'start', 'limit', 'cursor', 'withCount']

/** Refuses parameters that no request to a generated endpoint has. */
function refuseUnknown(params: ParamObject): void {
  refuseUnknownParams(params, KNOWN)
  const pagination = params.pagination
  for (const key of isObject(pagination) ? Object.keys(pagination) : []) {
    if (!PAGINATION.includes(key)) {
      const meant = nearest(key, PAGINATION)
      throw errors.invalidKey({ key, path: 'pagination', source: 'query', param: 'pagination', meant })
    }
  }
}
