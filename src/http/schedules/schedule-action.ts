/** `…/actions/schedule`: when a document is published and unpublished. GET reads its schedule, POST changes it. */

import { authorText } from '../../documents/changes/author-text.ts'
import type { Origin } from '../../documents/changes/origin.ts'
import type { Documents } from '../../documents/documents.ts'
import { findChangeable } from '../../documents/schedules/changeable-version.ts'
import {
  cancelSchedule,
  readSchedulesOf,
  SCHEDULED_ACTIONS,
  type Schedule,
  type ScheduledAction,
  setSchedule,
} from '../../documents/schedules/schedules.ts'
import { errors } from '../../errors.ts'
import type { ContentType } from '../../model/model.ts'
import { nearest } from '../../project/suggest.ts'
import { isObject, type Values } from '../../project/values.ts'
import type { Scope } from '../../query/scope.ts'
import { parseWriteLocale } from '../../query/version-params.ts'
import type { Transaction } from '../../store/store.ts'
import { checkPermitted, publishesOnlyOnCreation } from '../auth/permitted.ts'
import { rowRulesOf } from '../content/row-rules.ts'
import type { ContentResponse } from '../response/content-response.ts'
import type { Server } from '../server.ts'
import { parseFutureTime } from './times.ts'

export interface ScheduleCall {
  readonly server: Server
  readonly type: ContentType
  readonly documents: Documents
  readonly authorization: string | undefined
  readonly rawQuery: string
  readonly body: unknown
  readonly origin: () => Origin
}

/** The times that a request sets or, with null, cancels. Actions that it does not name stay as they are. */
type Times = ReadonlyMap<ScheduledAction, string | null>

const TIME_OF = { publish: 'publishAt', unpublish: 'unpublishAt' } as const
const KEYS = [...Object.values(TIME_OF), 'locale']

/** Without a documentId, the document of a single type. */
export async function readScheduleAction(
  call: ScheduleCall,
  documentId: string | null,
): Promise<ContentResponse> {
  const scope = await callerScope(call)
  const mayRead = SCHEDULED_ACTIONS.filter((action) => scope.may(call.type.uid, action))
  await checkAll(call, scope, mayRead.slice(0, 1), documentId)
  const locale = localeOf(call, undefined)
  return call.documents.transaction(async (transaction) => {
    const found = await find(call, transaction, scope, documentId, locale, mayRead.slice(0, 1))
    return scheduleResponse(call, transaction, found.documentId, locale)
  })
}

export async function changeScheduleAction(
  call: ScheduleCall,
  documentId: string | null,
): Promise<ContentResponse> {
  const scope = await callerScope(call)
  const { times, locale } = parseBody(call)
  const actions = [...times.keys()]
  await checkAll(call, scope, actions, documentId)
  return call.documents.transaction(async (transaction) => {
    const found = await find(call, transaction, scope, documentId, locale, actions)
    const scheduled = { type: call.type.uid, documentId: found.documentId, locale }
    const before = await readSchedulesOf(transaction, scheduled)
    checkOrder(before, times, found.isPublished)
    const author = authorText(scope.principal)
    for (const [action, runAt] of times) {
      const former = before.find((one) => one.action === action)
      if (runAt !== null) await setSchedule(transaction, { ...scheduled, action, runAt, author })
      else if (former) await cancelSchedule(transaction, former.id)
    }
    call.server.access.audit.record(
      transaction,
      { by: scope.principal, origin: call.origin() },
      {
        action: 'document.schedule',
        type: call.type.uid,
        documentId: found.documentId,
        locale,
        details: Object.fromEntries([...times].map(([action, runAt]) => [TIME_OF[action], runAt])),
      },
    )
    return scheduleResponse(call, transaction, found.documentId, locale)
  })
}

/** The scope of a caller who may publish or unpublish documents of the type. */
async function callerScope({ server, authorization, type }: ScheduleCall): Promise<Scope> {
  const scope = await server.access.scopeOf(authorization)
  const may = (action: string) => scope.may(type.uid, action)
  if (!SCHEDULED_ACTIONS.some(may) || publishesOnlyOnCreation(scope, type.uid)) throw errors.forbidden()
  return scope
}

async function checkAll(
  { server, type }: ScheduleCall,
  scope: Scope,
  actions: readonly ScheduledAction[],
  documentId: string | null,
) {
  for (const action of actions) await checkPermitted(server, scope, type.uid, action, documentId)
}

function find(
  { server, type }: ScheduleCall,
  transaction: Transaction,
  scope: Scope,
  documentId: string | null,
  locale: string,
  actions: readonly ScheduledAction[],
) {
  const caller = { transaction, request: { scope, rules: rowRulesOf(server, scope) } }
  return findChangeable(caller, server.layout(), type, documentId, locale, actions)
}

/** The body, `{publishAt, unpublishAt, locale}`, which may also be inside `data`. */
function parseBody(call: ScheduleCall): { readonly times: Times; readonly locale: string } {
  const sent = isObject(call.body) && isObject(call.body.data) ? call.body.data : call.body
  const body: Values = isObject(sent) ? sent : {}
  for (const key of Object.keys(body))
    if (!KEYS.includes(key))
      throw errors.invalidKey({ key, path: null, source: 'body', meant: nearest(key, KEYS) })
  const now = Date.now()
  const times = new Map<ScheduledAction, string | null>()
  for (const action of SCHEDULED_ACTIONS) {
    const name = TIME_OF[action]
    if (body[name] !== undefined) times.set(action, parseFutureTime(name, body[name], now))
  }
  if (times.size === 0)
    throw errors.invalid(
      'The body must be JSON with publishAt, unpublishAt or both: a time, or null to cancel',
    )
  return { times, locale: localeOf(call, body.locale) }
}

/** The locale of the body or of the query string; '' on types that are not localized. */
function localeOf({ server, type, rawQuery }: ScheduleCall, sent: unknown): string {
  const params = server.parseQuery(rawQuery)
  // The admin app adds a status to every request.
  for (const key of Object.keys(params))
    if (key !== 'locale' && key !== 'status')
      throw errors.invalidKey({ key, path: null, source: 'query', meant: nearest(key, ['locale']) })
  if (sent !== undefined && sent !== null && typeof sent !== 'string')
    throw errors.invalidValues([{ path: ['locale'], message: 'locale must be a string' }])
  const chosen = sent === undefined || sent === null ? params : { locale: sent }
  return parseWriteLocale(chosen, type, server.layout().model) ?? ''
}

/** A document that is not published cannot be unpublished before it is published. */
function checkOrder(before: readonly Schedule[], times: Times, isPublished: boolean) {
  const timeOf = (action: ScheduledAction) =>
    times.has(action) ? times.get(action) : before.find((one) => one.action === action)?.runAt
  const [publishAt, unpublishAt] = [timeOf('publish'), timeOf('unpublish')]
  if (!publishAt || !unpublishAt) return
  if (publishAt === unpublishAt || (!isPublished && unpublishAt < publishAt))
    throw errors.invalidValues([{ path: ['unpublishAt'], message: 'unpublishAt must be after publishAt' }])
}

async function scheduleResponse(
  { type }: ScheduleCall,
  transaction: Transaction,
  documentId: string,
  locale: string,
): Promise<ContentResponse> {
  const found = await readSchedulesOf(transaction, { type: type.uid, documentId, locale })
  const timeOf = (action: ScheduledAction) => found.find((one) => one.action === action)?.runAt ?? null
  const data = {
    documentId,
    locale: locale === '' ? null : locale,
    publishAt: timeOf('publish'),
    unpublishAt: timeOf('unpublish'),
  }
  return { status: 200, headers: {}, body: JSON.stringify({ data, meta: {} }) }
}
