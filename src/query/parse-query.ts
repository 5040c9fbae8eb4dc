/** Parses the parameters of a read into a query tree. Every name is checked here, and nowhere else. */
import { errors } from '../errors.ts'
import { type ContentType, FILE, type Model } from '../model/model.ts'
import type { Condition, Query, ResponseShape, Sort } from '../plan/query-tree.ts'
import { termsBeforeId } from '../plan/sort/keyset.ts'
import type { Config } from '../project/config/config.ts'
import { nearest } from '../project/suggest.ts'
import { isObject } from '../project/values.ts'
import type { SqlValue } from '../store/statement.ts'
import { createParseContext } from './create-parse-context.ts'
import type { CursorPage } from './cursor.ts'
import { decodeCursor, isBackward, positionOf, queryHash } from './cursor.ts'
import { parseFileKind } from './files/file-kind.ts'
import { parseUnused } from './files/unused-files.ts'
import { parseFilters } from './filters/filters.ts'
import { parseSearch, scoredSearch } from './filters/search.ts'
import { documentOf } from './find-name.ts'
import { type Page, parsePagination } from './pagination.ts'
import { type ParamObject, refuseUnknownParams } from './params.ts'
import { addValue, and, forParam, INVALID_RULE, type ParseContext } from './parse-context.ts'
import { parseSelection } from './populate/populate.ts'
import { queryIdentity } from './query-identity.ts'
import type { Scope } from './scope.ts'
import { countCursorNodes, parseSort, withSearch } from './sort.ts'
import { parseLocale, parsePublication, parseStatus, publicationConditions } from './version-params.ts'
import { visibleReferrers } from './visible-referrers.ts'

export interface QueryAccess {
  /** Requested paths that are left out because the caller may not see them. */
  readonly omitted: readonly string[]
  /** uids of the content-types that relations in the query lead to. */
  readonly accessedTypes: ReadonlySet<string>
}

/** A checked query, its values, and the requested page. */
export interface CheckedQuery extends QueryAccess {
  readonly query: Query
  readonly values: readonly SqlValue[]
  readonly page: Page | null
  /** Null unless the page is requested by cursor. */
  readonly cursorPage: CursorPage | null
}

/** A list, a document by its numeric id or documentId, or the document of a single type. */
export type ReadTarget =
  | { readonly kind: 'list' }
  /** `written` when the caller has just written it, and sees it whatever the row rules say. */
  | { readonly kind: 'document'; readonly id: string; readonly written?: true }
  | { readonly kind: 'single' }

export interface Rest {
  readonly rest: Config['api']['rest']
}

const PARAMETERS = [
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

/** Checks the parameters of a read against the model and the caller's scope. */
export function parseQuery(
  type: ContentType,
  target: ReadTarget,
  params: ParamObject,
  model: Model,
  scope: Scope,
  rest: Rest['rest'],
): CheckedQuery {
  if (rest.strictParams) refuseUnknown(params, type)
  const status = parseStatus(params, type)
  const isWritten = target.kind === 'document' && target.written === true
  const mayReadDrafts = !type.draftAndPublish || scope.may(type.uid, 'readDrafts')
  const isHidden = status === 'draft' && !mayReadDrafts
  if (isHidden && !isWritten) throw errors.forbidden()
  const filtersOfVersions = parsePublication(params)
  const context = createParseContext(model, scope, rest.bounds, status, filtersOfVersions)
  const action =
    target.kind === 'document' && (!isWritten || scope.may(type.uid, 'findOne')) ? 'findOne' : 'find'
  const subject = documentOf(type, action)
  const visible = isWritten ? null : context.rowCondition(type, action)
  if (visible === INVALID_RULE) throw errors.forbidden()
  const isList = target.kind === 'list'

  const filters = params.filters
  const where =
    filters === undefined ? null : parseFilters(forParam(context, 'filters'), subject, filters, [])
  const sortContext = forParam(context, 'sort')
  const requested = parseSort(sortContext, subject, params.sort, true)
  const page = isList ? parsePagination(forParam(context, 'pagination'), params, rest) : null
  const search = parseSearch(context, subject, params._q)
  const sort = withSearch(sortContext, requested, () => search && scoredSearch(context, search, params._q))
  const publication = publicationConditions(filtersOfVersions, type, scope)
  if (publication === null && !isWritten) throw errors.forbidden()
  const unused = parseUnused(type, params, model, scope)
  const ofKind = parseFileKind(context, type, params, scope)
  const isNumeric = target.kind === 'document' && isNumericId(target.id)
  const conditions = and(
    isNumeric ? { kind: 'documentOfRow', value: addValue(context, Number(target.id)) } : null,
    visible,
    // The caller sees a document that it has just written. The other parameters are checked, but not applied.
    ...(isWritten ? [] : [...(publication ?? []), unused, ofKind, where, search]),
  )
  const locale = localeOf(context, type, params, isWritten ? null : where, isList)
  if (page?.mode === 'cursor') countCursorNodes(context, sort)
  const cursorPage =
    page?.mode === 'cursor'
      ? cursorPageOf(
          page.cursor,
          queryIdentity([type.uid, status, locale, conditions, sort], context.values),
          sort,
        )
      : null
  const select = parseSelection(context, subject, { fields: params.fields, populate: params.populate })
  const query: Query = {
    type: type.uid,
    status,
    locale,
    target:
      page && cursorPage
        ? cursorTarget(context, cursorPage, page)
        : page
          ? { kind: 'page', start: addValue(context, page.start), limit: addValue(context, page.limit) }
          : target.kind === 'document' && !isNumeric
            ? { kind: 'document', documentId: addValue(context, target.id) }
            : { kind: 'first' },
    where: conditions,
    sort: isList ? sort : [],
    // A caller who may write drafts but not read them gets the ids of the document only.
    select: isHidden ? IDS : select,
    shape: shapeOf(type, rest),
    ...(scope.isTeam &&
      !isHidden && {
        editor: {
          referrers: visibleReferrers(context, type),
          folder: showsFolder(scope, type),
          publishedOnly: withHiddenDrafts(model, scope),
        },
      }),
  }
  const { values, omitted, accessedTypes } = context
  return { query, values, page, cursorPage, omitted, accessedTypes }
}

/** Whether the admin app may show the folder of a file, which is a private attribute. */
const showsFolder = (scope: Scope, { uid }: ContentType) =>
  uid === FILE && (scope.rule(FILE, 'find')?.fields?.includes('folderPath') ?? true)

const withHiddenDrafts = ({ types }: Model, scope: Scope): readonly string[] =>
  [...types.values()].flatMap(({ uid, draftAndPublish }) =>
    draftAndPublish && !scope.may(uid, 'readDrafts') ? [uid] : [],
  )

/** Only the ids, which every response has. */
const IDS: Query['select'] = { fields: [], populate: [] }

/** The page at a cursor, or at the start of the list. */
function cursorPageOf(cursor: string | null, identity: string, sort: readonly Sort[]): CursorPage {
  const query = queryHash(identity)
  const terms = termsBeforeId(sort)
  return { query, from: cursor === null ? null : decodeCursor(cursor, query, terms), keyCount: terms.length }
}

/** Reads one document more than the page has, to know whether there is a next page. */
const cursorTarget = (context: ParseContext, { from }: CursorPage, { limit }: Page): Query['target'] => ({
  kind: 'cursor',
  from: from && positionOf(context, from),
  backward: from !== null && isBackward(from.direction),
  limit: addValue(context, limit + 1),
})

/** Whether an id is a number; documentIds start with a letter. */
export const isNumericId = (id: string) => /^\d{1,15}$/.test(id)

/** The configured response format. */
function shapeOf(type: ContentType, rest: Rest['rest']): ResponseShape {
  const isDefaultFormat = rest.compat === 'none'
  return {
    id: true,
    meta: isDefaultFormat && type.generated && !type.attributes.has('meta'),
    entryDocumentId: isDefaultFormat,
    creatorNames: isDefaultFormat ? ['username'] : ['firstname', 'lastname', 'username'],
  }
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

/** Whether a condition compares the locale of the documents themselves. */
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
function refuseUnknown(params: ParamObject, { uid }: ContentType): void {
  refuseUnknownParams(params, uid === FILE ? [...PARAMETERS, 'unused', 'kind'] : PARAMETERS)
  const pagination = params.pagination
  for (const key of isObject(pagination) ? Object.keys(pagination) : []) {
    if (!PAGINATION.includes(key)) {
      const meant = nearest(key, PAGINATION)
      throw errors.invalidKey({ key, path: 'pagination', source: 'query', param: 'pagination', meant })
    }
  }
}
