/** Reads history: the states of a document, one of them, what changed in it, and documents that were deleted. */
import { isDeepStrictEqual } from 'node:util'
import {
  type HistoryItem,
  listDeleted,
  listHistory,
  listStates,
  type ReadState,
  readPreviousState,
  readState,
} from '../../documents/history/read-states.ts'
import { errors } from '../../errors.ts'
import { isObject } from '../../project/values.ts'
import { type Page, pageMeta } from '../../query/pagination.ts'
import type { ParamObject } from '../../query/params.ts'
import { parseQuery } from '../../query/parse-query.ts'
import { type Scope, systemScope } from '../../query/scope.ts'
import { narrowReadScope } from '../content/visible-types.ts'
import { dataAfterHook, queryAfterHook } from '../extension/find-hooks.ts'
import type { FindEvent } from '../extension/hooks-and-policies.ts'
import type { ContentResponse } from '../response/content-response.ts'
import { compareViews, missingTargets, wholeState } from './compare-views.ts'
import {
  checkReadable,
  documentIdOf,
  existenceQuery,
  type HistoryCall,
  historyReader,
  historyScope,
  knownParams,
  localeOf,
  mayReadDrafts,
  readAs,
  readEvent,
  versionMeta,
} from './history-call.ts'
import { namedVersions } from './named-versions.ts'
import { type ShapeView, viewStates } from './state-view.ts'

/** Not cached: what is missing depends on other tables too. */
const response = (data: unknown, meta: object): ContentResponse => ({
  status: 200,
  headers: {},
  body: JSON.stringify({ data, meta }),
})

/** The requested page. */
function pageOf({ server, type }: HistoryCall, { pagination }: ParamObject): Page {
  const params = pagination === undefined ? {} : { pagination }
  const { rest } = server.project.config.api
  const { page } = parseQuery(type, { kind: 'list' }, params, server.layout().model, systemScope, rest)
  if (!page || page.mode === 'cursor')
    throw errors.invalidParameter('pagination', 'cursor', 'history has pages by number or by offset')
  return page
}

/** `GET …/history`: the saved states of a document in a locale, newest first. */
export async function readHistory(call: HistoryCall, id: string | null): Promise<ContentResponse> {
  const scope = await historyScope(call, id)
  const params = knownParams(call, ['locale', 'pagination'])
  const page = pageOf(call, params)
  const locale = localeOf(call, params)
  const documentId = await documentIdOf(call, id)
  const query = await existenceQuery(call, scope, documentId)
  await checkReadable(call, scope, { documentId, locale }, query)
  const reader = historyReader(call)
  const range = { documentId, locale, includesDrafts: mayReadDrafts(call, scope) }
  const considered = isLimited(call, scope, query)
    ? await listStates(reader, call.type, { ...range, ...CONSIDERED })
    : null
  const { items, total } = considered
    ? pageAmong(await readableItems(call, scope, considered, query), page)
    : await listHistory(reader, call.type, { ...range, start: page.start, limit: page.limit })
  const pagination = pageMeta(page, page.withCount ? total : null, null)
  return response(await namedVersions(call.server, scope, items), { pagination })
}

async function readableItems(
  call: HistoryCall,
  scope: Scope,
  states: readonly ReadState[],
  query: ParamObject,
): Promise<readonly HistoryItem[]> {
  const items: HistoryItem[] = []
  for (const state of states) if (await readAs(call, scope, state, query)) items.push(state.item)
  return items
}

/** How many states are considered for a caller who may read some documents only. */
const CONSIDERED = { start: 0, limit: 500 }

/** Whether the caller may see some states only, because of a row rule, or of the filters or the search of the query. */
const isLimited = ({ type }: HistoryCall, scope: Scope, { filters, _q }: ParamObject): boolean =>
  filters !== undefined ||
  _q !== undefined ||
  ['findOne', 'readDrafts'].some((action) => scope.rule(type.uid, action)?.filters !== undefined)

const pageAmong = <Item>(items: readonly Item[], { start, limit }: Page) => ({
  items: items.slice(start, start + limit),
  total: items.length,
})

interface VersionRequest {
  readonly scope: Scope
  readonly found: ReadState
}

/** The requested state, if the caller may read it and the document. */
export async function findVersion(
  call: HistoryCall,
  id: string | null,
  version: string,
  scope: Scope,
): Promise<VersionRequest> {
  const found = await stateNumbered(call, id, version)
  const query = await existenceQuery(call, scope, found.item.documentId)
  await checkReadable(call, scope, found.item, query)
  if (!(await readAs(call, scope, found, query))) throw errors.notFound()
  return { scope, found }
}

const VERSION = /^[1-9]\d{0,14}$/

async function stateNumbered(call: HistoryCall, id: string | null, version: string): Promise<ReadState> {
  const number = VERSION.test(version) ? Number(version) : null
  const found = number === null ? null : await readState(historyReader(call), call.type, id, number)
  if (!found) throw errors.notFound()
  return found
}

/** `GET …/history/:version`: the document as it was, with what no longer exists listed in `meta`. */
export async function readVersion(
  call: HistoryCall,
  id: string | null,
  version: string,
): Promise<ContentResponse> {
  const { type, rawQuery } = call
  const { scope, found } = await findVersion(call, id, version, await historyScope(call, id))
  const read = await readWithHooks(call, scope, found, rawQuery)
  if (!read) throw errors.notFound()
  const { result, data } = read
  const [view] = await viewStates(call, read.scope, [found])
  const meta = {
    ...versionMeta(scope, found.item),
    missing: view ? missingTargets(view) : [],
    removed: scope.rule(type.uid, 'findOne')?.fields ? {} : Object.fromEntries(found.state.removed),
  }
  const headers: Record<string, string> =
    result.omitted.length > 0 ? { 'octavo-omitted': result.omitted.join(', ') } : {}
  return { status: 200, headers, body: `{"data":${data},"meta":${JSON.stringify(meta)}}` }
}

/** Reads a state as the document is read, with the hooks of the project; null if the caller may not read it. */
async function readWithHooks(call: HistoryCall, scope: Scope, found: ReadState, rawQuery: string) {
  const { server, type } = call
  const { documentId } = found.item
  const event = readEvent(call, scope, documentId)
  const query = await queryAfterHook(server, event, rawQuery)
  const narrowed = await narrowReadScope(server, { type, query, scope, id: documentId })
  const result = await readAs(call, narrowed.scope, found, withoutVersion(narrowed.query))
  if (!result) return null
  return { scope: narrowed.scope, result, data: await dataAfterHook(server, event, result.data) }
}

/** The state has its own status and locale. */
const withoutVersion = ({ status: _status, locale: _locale, ...query }: ParamObject): ParamObject => query

/** `GET …/history/:version/changes`: what changed since the state before, or since another one. */
export async function readChanges(
  call: HistoryCall,
  id: string | null,
  version: string,
): Promise<ContentResponse> {
  const scopeOfHistory = await historyScope(call, id)
  const { against } = knownParams(call, ['against', 'locale'])
  const { scope, found } = await findVersion(call, id, version, scopeOfHistory)
  const isGiven = against !== undefined && against !== ''
  if (isGiven && !VERSION.test(String(against)))
    throw errors.invalidParameter('against', null, 'expected the number of a version')
  const other = !isGiven
    ? await readPreviousState(historyReader(call), call.type, found.item, mayReadDrafts(call, scope))
    : (await findVersion(call, id, String(against), scope)).found
  const query = await existenceQuery(call, scope, found.item.documentId)
  const isHidden = other !== null && !(await readAs(call, scope, other, query))
  const states = other && !isHidden ? [other, found] : [found]
  const views = await viewStates(call, scope, states)
  const [first, second] = await Promise.all(
    states.map((state, index) => viewAfterHooks(call, scope, state, views[index] ?? new Map())),
  )
  const changes = first && second ? compareViews(first, second) : first ? wholeState(first) : []
  return response(changes, {
    version: versionMeta(scope, found.item),
    against: other && !isHidden ? versionMeta(scope, other.item) : null,
  })
}

/** What the hooks of the project leave of a state: what they change or leave out in a response is not compared either. */
async function viewAfterHooks(
  call: HistoryCall,
  scope: Scope,
  state: ReadState,
  view: ShapeView,
): Promise<ShapeView> {
  if (!call.server.extension.find?.[call.type.uid]) return view
  const read = await readWithHooks(call, scope, state, 'populate=*')
  if (!read) throw errors.notFound()
  const [before, after]: unknown[] = [JSON.parse(read.result.data), JSON.parse(read.data)]
  if (!isObject(before) || !isObject(after)) return new Map()
  const shown = [...view].filter(
    ([name]) => Object.hasOwn(after, name) && isDeepStrictEqual(before[name], after[name]),
  )
  return new Map(shown)
}

/** `GET …/deleted`: documents that no longer exist, the latest deletion first. */
export async function readDeleted(call: HistoryCall): Promise<ContentResponse> {
  const { server, type } = call
  const scope = await historyScope(call, null)
  const list: FindEvent = { type: type.uid, action: 'find', documentId: null, scope }
  const params = await queryAfterHook(server, list, call.rawQuery)
  const page = pageOf(call, params)
  const locale = type.localized && params.locale !== '*' ? localeOf(call, params) : null
  const reader = historyReader(call)
  const includesDrafts = mayReadDrafts(call, scope)
  const { pagination: _pagination, ...rest } = withoutVersion(params)
  const narrowed = await narrowReadScope(server, { type, query: rest, scope, id: '' })
  // What is wrong with the query is reported even if nothing was deleted.
  server.reads().queryAccess(type, { kind: 'document', id: '' }, narrowed.query, narrowed.scope)
  const shown = async (found: ReadState) => {
    const result = await readAs(call, narrowed.scope, found, narrowed.query)
    if (!result) return null
    const event: FindEvent = { type: type.uid, action: 'findOne', documentId: found.item.documentId, scope }
    const document: unknown = JSON.parse(await dataAfterHook(server, event, result.data))
    const [version] = await namedVersions(server, scope, [found.item])
    return { ...version, document }
  }
  const isFiltered = isLimited(call, scope, rest)
  const range = isFiltered ? CONSIDERED : { start: page.start, limit: page.limit }
  const listed = await listDeleted(reader, type, { locale, includesDrafts, ...range })
  const found: object[] = []
  for (const state of listed.states) {
    const item = await shown(state)
    if (item) found.push(item)
  }
  const { items, total } = isFiltered ? pageAmong(found, page) : { items: found, total: listed.total }
  return response(items, { pagination: pageMeta(page, page.withCount ? total : null, null) })
}
