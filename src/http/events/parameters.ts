/** Parses the parameters of the live feed. */
import { errors } from '../../errors.ts'
import { EVENT_NAMES, type StoredEvent } from '../../events/event.ts'
import type { ContentType, Model } from '../../model/model.ts'
import { didYouMean } from '../../project/suggest.ts'
import { listOf, type ParamObject } from '../../query/params.ts'

/** What a stream is about. */
export interface FeedFilter {
  /** uids; null for every content-type that the caller may find. */
  readonly types: ReadonlySet<string> | null
  readonly documentIds: ReadonlySet<string> | null
  readonly actions: ReadonlySet<string> | null
  /** Whether events carry the document. */
  readonly includesDocument: boolean
}

export interface FeedParameters extends FeedFilter {
  /** The number of the last event that the client has received; null to start with the next event. */
  readonly after: number | null
}

const KEYS = ['types', 'documentIds', 'actions', 'include', 'lastEventId']
const ACTIONS = [...new Set(EVENT_NAMES.map((name) => name.split('.')[1] ?? ''))]
const MAX_LISTED = 1_000

/** `lastEventId` is for clients that cannot set the header. Only types that the caller may find are suggested. */
export function parseFeedParameters(
  params: ParamObject,
  lastEventId: string | undefined,
  model: Model,
  mayFind: (uid: string) => boolean,
): FeedParameters {
  const unknown = Object.keys(params).find((key) => !KEYS.includes(key))
  if (unknown !== undefined)
    throw errors.invalidParameter(unknown, null, `unknown parameter${didYouMean(unknown, KEYS)}`)
  const types = listParameter(params, 'types')?.map((name) => typeNamed(model, name, mayFind).uid)
  const documentIds = listParameter(params, 'documentIds')
  const actions = listParameter(params, 'actions')
  for (const action of actions ?? [])
    if (!ACTIONS.includes(action))
      throw errors.invalidParameter('actions', null, `"${action}" is not one of ${ACTIONS.join(', ')}`)
  const include = listParameter(params, 'include')
  for (const part of include ?? [])
    if (part !== 'document') throw errors.invalidParameter('include', null, 'expected document')
  return {
    types: types ? new Set(types) : null,
    documentIds: documentIds ? new Set(documentIds) : null,
    actions: actions ? new Set(actions) : null,
    includesDocument: include !== null,
    after: positionIn(lastEventId ?? params.lastEventId),
  }
}

/** A list, or a string with commas; null if the parameter is absent. */
function listParameter(params: ParamObject, key: string): readonly string[] | null {
  const value = params[key]
  if (value === undefined) return null
  const items = listOf(value) ?? [value]
  const texts = items.flatMap((item) => {
    if (typeof item !== 'string') throw errors.invalidParameter(key, null, 'expected a list of strings')
    return item.split(',').map((text) => text.trim())
  })
  const named = texts.filter((text) => text !== '')
  if (named.length === 0) throw errors.invalidParameter(key, null, 'expected at least one value')
  if (named.length > MAX_LISTED)
    throw errors.invalidParameter(key, null, `expected at most ${MAX_LISTED} values`)
  return named
}

/** By uid, or by the name in the routes of the content-type. */
function typeNamed(model: Model, name: string, mayFind: (uid: string) => boolean): ContentType {
  const type = model.types.get(name) ?? model.endpoints.get(name)
  if (type) return type
  const names = [...model.types, ...model.endpoints].flatMap(([known, { uid }]) =>
    mayFind(uid) ? [known] : [],
  )
  throw errors.invalidParameter('types', null, `unknown content-type "${name}"${didYouMean(name, names)}`)
}

function positionIn(value: unknown): number | null {
  if (value === undefined || value === '') return null
  if (typeof value !== 'string' || !/^\d{1,15}$/.test(value))
    throw errors.invalidParameter('lastEventId', null, 'expected the id of an event')
  return Number(value)
}

export const isSelected = (
  { types, documentIds, actions }: FeedFilter,
  { type, documentId, event }: StoredEvent,
): boolean =>
  (types?.has(type) ?? true) &&
  (documentIds?.has(documentId) ?? true) &&
  (actions?.has(event.slice(event.indexOf('.') + 1)) ?? true)
